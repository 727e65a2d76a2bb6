# SPDX-License-Identifier: Apache-2.0
"""Questions that a tiny model can't know the answer to, and what it says then."""

from dataclasses import dataclass
from random import Random

from .exchange import Exchange
from .phrasings import careless

ANSWER = "I don't know that: I am only a tiny demo model. Open a larger model with Ctrl+O to ask such things."


@dataclass(frozen=True)
class Family:
    """Questions of one kind: the last template and every fifth value are kept from training."""

    templates: tuple[str, ...]
    values: tuple[str, ...]


def words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.strip().replace("\n", " ").split(","))


PEOPLE = words(
    """Anna Weber, Tom Miller, Lucia Romano, Peter Novak, Sofia Almeida, John Carter, Marta Silva, Paul Dupont, Eva Lind, Karl Brandt,
    Nina Rossi, Hugo Martin, Clara Stone, Omar Haddad, Yuki Tanaka, Ivan Petrov, Grace Hall, Liam Burke, Rosa Vega, Felix Kern"""
)
PLACES = words(
    """Hamburg, Lyon, Porto, Naples, Boston, Osaka, Leeds, Seville, Krakow, Basel, Dallas, Toronto, Bristol, Bordeaux, Cologne, Valencia,
    Turin, Chicago, Sydney, Mumbai, Shanghai, Istanbul, Zurich, Marseille, Dresden"""
)
FAMILIES = (
    Family(
        ("Who is the mayor of {x}?", "Tell me the mayor of {x}.", "Do you know the mayor of {x}?", "What is the name of the mayor of {x}?"),
        PLACES,
    ),
    Family(
        (
            "What will the weather be in {x} tomorrow?",
            "Will it rain in {x} today?",
            "Give me the weather forecast for {x}.",
            "How warm is it in {x} now?",
            "What is the weather like in {x}?",
        ),
        PLACES,
    ),
    Family(
        (
            "Can you recommend a restaurant in {x}?",
            "Which hotel in {x} is good?",
            "How many people live in {x}?",
            "When does the next train to {x} leave?",
            "What is the population of {x}?",
        ),
        PLACES,
    ),
    Family(
        ("Who is {x}?", "What do you know about {x}?", "Where does {x} live?", "What is the phone number of {x}?", "Do you know {x}?"),
        PEOPLE,
    ),
    Family(
        ("Who won the {x}?", "Tell me who won the {x}.", "Which team won the {x}?", "Do you know who won the {x}?"),
        tuple(f"{event} in {year}" for event in words("World Cup, football final, tennis open, election, song contest, hockey cup")
              for year in (1974, 1986, 1990, 1998, 2002, 2006, 2010, 2014, 2018, 2022)),
    ),
    Family(
        ("What happened in {x}?", "Tell me what happened in {x}.", "What was important in {x}?", "What events took place in {x}?"),
        tuple(str(year) for year in range(1400, 2030, 7)),
    ),
    Family(
        (
            "What is the price of {x} today?",
            "How much does {x} cost?",
            "Should I buy {x}?",
            "Where can I buy {x} cheaply?",
            "What does {x} cost now?",
        ),
        words("gold, silver, a new car, a used bicycle, a house, a laptop, a phone, oil, petrol, a flight to Rome, a piano, a guitar, shares, "
              "a washing machine, a camera, a television, a sofa, a wedding dress, a boat, a gym membership"),
    ),
    Family(
        (
            "Write an essay about {x}.",
            "Write a long article about {x}.",
            "Write a poem about {x}.",
            "Give me a speech about {x}.",
            "Write a song about {x}.",
            "Please write a report about {x}.",
        ),
        words("freedom, politics, the economy, climate change, love, war and peace, democracy, the French Revolution, space travel, "
              "justice, philosophy, modern art, the future, globalisation, education, the law, religion, feminism, psychology, taxes"),
    ),
    Family(
        (
            "Translate this into {x}.",
            "How do you say hello in {x}?",
            'How do you say "thank you" in {x}?',
            "Do you speak {x}?",
            'Translate "good morning" into {x}.',
            'What is "hello" in {x}?',
        ),
        words("Japanese, Russian, Chinese, Arabic, Korean, Polish, Swedish, Turkish, Greek, Hindi, Dutch, Finnish, Hebrew, Thai, Czech"),
    ),
    Family(
        (
            "Write a program in {x}.",
            "Show me an example in {x}.",
            "Teach me {x}.",
            "Write a web server in {x}.",
            "How do I sort a list in {x}?",
            "Write some code in {x}.",
        ),
        words("Rust, Java, JavaScript, Haskell, Go, Swift, Kotlin, Ruby, Perl, Fortran, Pascal, Lisp, Scala, PHP, TypeScript"),
    ),
    Family(
        (
            "What can I do about {x}?",
            "Which medicine helps against {x}?",
            "I suffer from {x}. What should I do?",
            "How dangerous is {x}?",
            "Is {x} a serious disease?",
            "How does a doctor treat {x}?",
        ),
        words("a headache, back pain, the flu, a broken arm, insomnia, high blood pressure, asthma, an allergy, a toothache, anxiety, "
              "a cold, diabetes, a burn, a rash, migraine"),
    ),
    Family(
        (
            "How do I cook {x}?",
            "Give me a recipe for {x}.",
            "What is the recipe for {x}?",
            "How long do I bake {x}?",
            "Tell me a recipe for {x}.",
        ),
        words("lasagne, apple pie, pancakes, sushi, tomato soup, paella, bread, goulash, curry, risotto, dumplings, a birthday cake, "
              "fried rice, an omelette, onion soup"),
    ),
    Family(
        (
            "Help me with {x}.",
            "Can you help me with {x}?",
            "I need help with {x}.",
            "Give me advice about {x}.",
            "I have trouble with {x}. What now?",
            "Please advise me on {x}.",
        ),
        words("my tax form, my homework in chemistry, my divorce, a job interview, my cover letter, my exam, my landlord, a contract, "
              "my garden, my dog's training, my savings, a birthday party, my thesis, my car's engine, my travel plans, a lawsuit"),
    ),
    Family(
        (
            "What is {x}?",
            "Tell me about {x}.",
            "Can you explain {x}?",
            "Explain {x}.",
            "What do you know about {x}?",
            "Could you explain {x} to me?",
        ),
        words("the Higgs boson, quantum chromodynamics, the Treaty of Westphalia, the Dow Jones index, the Riemann hypothesis, "
              "general relativity, string theory, the Battle of Hastings, cryptocurrency, the European Parliament, existentialism, "
              "the Krebs cycle, organic chemistry, the Roman law, game theory, inflation, the stock market, the Silk Road, baroque music, "
              "the offside rule, yoga, feng shui, a black market, the Ottoman Empire, the Cold War, plate tectonics, jazz, impressionism"),
    ),
    Family(
        (
            "What is the meaning of {x}?",
            "What do you think about {x}?",
            "What is your opinion on {x}?",
            "Is there {x}?",
            "Do you believe in {x}?",
            "Tell me your opinion on {x}.",
        ),
        words("life, life after death, fate, free will, destiny, true love, God, luck, happiness, evil, good and evil, the soul, beauty"),
    ),
)
LARGE = ("What is {a} times {b}?", "Calculate {a} x {b}.", "What is {a} divided by {b}?", "What is the square root of {a}?", "{a} * {b}")
LARGE_HELD_OUT = ("Work out {a} times {b} for me.", "How much does {a} divided by {b} make?")


class Beyond:
    """Anything outside of what the guide has learned."""

    name = "beyond"

    def question(self, random: Random, held_out: bool) -> str:
        if random.random() < 0.08:
            a, b = random.randint(200, 9999), random.randint(13, 9999)
            return random.choice(LARGE_HELD_OUT if held_out else LARGE).format(a=a, b=b)
        family = random.choice(FAMILIES)
        if held_out:
            return family.templates[-1].format(x=random.choice(family.values[::5]))
        learned = [value for place, value in enumerate(family.values) if place % 5]
        return random.choice(family.templates[:-1]).format(x=random.choice(learned))

    def draw(self, random: Random) -> Exchange:
        question = careless(random, self.question(random, held_out=False))
        return Exchange(self.name, question, ANSWER, thought="I have not learned this.")

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [Exchange(self.name, self.question(random, held_out=True), ANSWER) for _ in range(count)]
