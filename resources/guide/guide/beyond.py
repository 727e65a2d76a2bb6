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


FIRST_NAMES = words(
    """Anna, Tom, Lucia, Peter, Sofia, John, Marta, Paul, Eva, Karl, Nina, Hugo, Clara, Omar, Yuki, Ivan, Grace, Liam, Rosa, Felix, Emma, Noah,
    Maria, David, Laura, James, Julia, Max, Sara, Jack, Alice, Robert, Helen, Frank, Linda, Oscar, Ruth, Simon, Vera, Walter"""
)
LAST_NAMES = words(
    """Weber, Miller, Romano, Novak, Almeida, Carter, Silva, Dupont, Lind, Brandt, Rossi, Martin, Stone, Haddad, Tanaka, Petrov, Hall, Burke,
    Vega, Kern, Smith, Jones, Brown, Taylor, Wilson, Lopez, Garcia, Moreau, Schmidt, Fischer, Costa, Santos, Conti, Berg, Larsen, Kim, Chen,
    Singh, Okafor, Young"""
)
PEOPLE = tuple(f"{first} {last}" for place, last in enumerate(LAST_NAMES) for first in FIRST_NAMES[place % 4 :: 4])
PLACES = words(
    """Hamburg, Lyon, Porto, Naples, Boston, Osaka, Leeds, Seville, Krakow, Basel, Dallas, Toronto, Bristol, Bordeaux, Cologne, Valencia,
    Turin, Chicago, Sydney, Mumbai, Shanghai, Istanbul, Zurich, Marseille, Dresden, Manchester, Liverpool, Glasgow, Frankfurt, Stuttgart,
    Leipzig, Bremen, Geneva, Salzburg, Graz, Milan, Bologna, Palermo, Genoa, Florence, Venice, Malaga, Bilbao, Nice, Lille, Nantes, Antwerp,
    Rotterdam, Gothenburg, Bergen, Gdansk, Saint Petersburg, New York, Los Angeles, San Francisco, Seattle, Denver, Miami, Houston, Montreal,
    Vancouver, Melbourne, Auckland, Cape Town, Dubai, Karachi, Kyoto, Hong Kong, Lagos, Casablanca"""
)
EVENTS = words(
    "World Cup, football final, tennis open, election, song contest, hockey cup, bicycle race, chess championship, film prize, marathon"
)
FAMILIES = (
    Family(
        (
            "Who is the mayor of {x}?",
            "Tell me the mayor of {x}.",
            "Do you know the mayor of {x}?",
            "Which person is the mayor of {x}?",
            "What's the name of the person who governs {x}?",
            "Name the mayor of {x}.",
            "What is the name of the best school in {x}?",
            "What is the name of the mayor of {x}?",
        ),
        PLACES,
    ),
    Family(
        (
            "What will the weather be in {x} tomorrow?",
            "Will it rain in {x} today?",
            "Give me the weather forecast for {x}.",
            "How warm is it in {x} now?",
            "How is the weather in {x}?",
            "What is the temperature in {x}?",
            "Tell me what the weather is like in {x}.",
            "Is it snowing in {x}?",
            "Do I need an umbrella in {x}?",
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
            "How large is the population of {x}?",
            "Tell me the population of {x}.",
            "What is the area of {x}?",
            "What is the history of {x}?",
            "How old is {x}?",
            "How far is it to {x}?",
            "How do I get to {x}?",
            "What is the best museum in {x}?",
            "Which river flows through {x}?",
            "What is the population of {x}?",
        ),
        PLACES,
    ),
    Family(
        (
            "Who is {x}?",
            "Who was {x}?",
            "What do you know about {x}?",
            "Where does {x} live?",
            "What is the phone number of {x}?",
            "Do you know anything about {x}?",
            "Do you know who {x} is?",
            "Do you remember {x}?",
            "Have you heard of {x}?",
            "How old is {x}?",
            "When was {x} born?",
            "Is {x} married?",
            "Tell me about {x}.",
            "Do you like {x}?",
            "Can you write to {x}?",
            "I am {x}. Do you know me?",
            "You know {x}, don't you?",
            "What is the job of {x}?",
            "Do you know {x}?",
        ),
        PEOPLE,
    ),
    Family(
        (
            "Who won the {x}?",
            "Tell me who won the {x}.",
            "Which team won the {x}?",
            "Who lost the {x}?",
            "What was the result of the {x}?",
            "Do you remember who won the {x}?",
            "Where was the {x}?",
            "Who took part in the {x}?",
            "Do you know who won the {x}?",
        ),
        tuple(f"{event} in {year}" for event in EVENTS for year in (1974, 1986, 1990, 1998, 2002, 2006, 2010, 2014, 2018, 2022)),
    ),
    Family(
        (
            "What happened in {x}?",
            "Tell me what happened in {x}.",
            "What was important in {x}?",
            "Who was king in {x}?",
            "What was new in {x}?",
            "Which events took place in {x}?",
            "Was there a war in {x}?",
            "What took place in the year {x}?",
            "What events took place in {x}?",
        ),
        tuple(str(year) for year in range(1400, 2030, 7)),
    ),
    Family(
        (
            "What is the price of {x} today?",
            "How much does {x} cost?",
            "Should I buy {x}?",
            "Where can I buy {x} cheaply?",
            "What do I pay for {x} now?",
            "What does {x} cost today?",
            "What's the cost of {x} now?",
            "What would {x} cost me?",
            "How much money do I need for {x}?",
            "Which shop sells {x}?",
            "Is {x} expensive now?",
            "What does {x} cost now?",
        ),
        words(
            """gold, silver, a new car, a used bicycle, a house, a laptop, a phone, oil, petrol, a flight to Rome, a piano, a guitar, shares,
            a washing machine, a camera, a television, a sofa, a wedding dress, a boat, a gym membership, a horse, a violin, a ticket to Berlin,
            a printer, a kitchen, a caravan, a tablet, a motorbike, a holiday by the sea, an apartment, a diamond, a drum, a fridge, a carpet,
            a dog, a new roof, a garden chair, a hotel room, a concert ticket, a video game"""
        ),
    ),
    Family(
        (
            "Write an essay about {x}.",
            "Write a long article about {x}.",
            "Write a poem about {x}.",
            "Give me a speech about {x}.",
            "Write a song about {x}.",
            "Write a report about {x}.",
            "Please write an essay about {x}.",
            "Please write a text about {x}.",
            "Please write a report about {x}.",
        ),
        words(
            """freedom, politics, the economy, climate change, love, war and peace, democracy, the French Revolution, space travel,
            justice, philosophy, modern art, the future, globalisation, education, the law, religion, feminism, psychology, taxes,
            the middle ages, poverty, health care, the rights of animals, the elections, friendship, capitalism, the theatre, fashion,
            the history of Rome, nuclear power, tourism, the internet, social media, the Renaissance"""
        ),
    ),
    Family(
        (
            "Translate this into {x}.",
            "How do you say hello in {x}?",
            'How do you say "thank you" in {x}?',
            "Do you speak {x}?",
            'Translate "good morning" into {x}.',
            'What is "goodbye" in {x}?',
            'What is "thank you" in {x}?',
            'What would "hello" be in {x}?',
            'Say "hello" in {x}.',
            'What is the word for "hello" in {x}?',
            "Teach me some {x}.",
            'What is "hello" in {x}?',
        ),
        words(
            """Japanese, Russian, Chinese, Arabic, Korean, Polish, Swedish, Turkish, Greek, Hindi, Dutch, Finnish, Hebrew, Thai, Czech,
            Danish, Norwegian, Hungarian, Romanian, Ukrainian, Vietnamese, Persian, Latin, Icelandic, Swahili, Urdu, Croatian, Irish, Bengali,
            Indonesian"""
        ),
    ),
    Family(
        (
            "Write a program in {x}.",
            "Show me an example in {x}.",
            "Teach me {x}.",
            "Write a web server in {x}.",
            "How do I sort a list in {x}?",
            "Write code in {x}.",
            "Give me some code in {x}.",
            "Write a small game in {x}.",
            "I want a {x} program.",
            "Can you write code in {x}?",
            "Write a function in {x}.",
            "Write some code in {x}.",
        ),
        words(
            """Rust, Java, JavaScript, Haskell, Go, Swift, Kotlin, Ruby, Perl, Fortran, Pascal, Lisp, Scala, PHP, TypeScript, Cobol, Erlang,
            Julia, Lua, Prolog, Dart, Ada, Basic, Elixir, Clojure, Assembler, Matlab, SQL, Zig, Scheme"""
        ),
    ),
    Family(
        (
            "What can I do about {x}?",
            "Which medicine helps against {x}?",
            "I suffer from {x}. What should I do?",
            "How dangerous is {x}?",
            "Is {x} a serious disease?",
            "How do doctors treat {x}?",
            "How does one treat {x}?",
            "What does a doctor do about {x}?",
            "How does a hospital treat {x}?",
            "How can I treat {x} at home?",
            "What helps against {x}?",
            "Should I see a doctor about {x}?",
            "How does a doctor treat {x}?",
        ),
        words(
            """a headache, back pain, the flu, a broken arm, insomnia, high blood pressure, asthma, an allergy, a toothache, anxiety,
            a cold, diabetes, a burn, a rash, migraine, a fever, a cough, a sore throat, stress, a stomach ache, low blood pressure, arthritis,
            an infection, a broken leg, pneumonia, hay fever, a snake bite, depression, a swollen knee, measles"""
        ),
    ),
    Family(
        (
            "How do I cook {x}?",
            "Give me a recipe for {x}.",
            "What is the recipe for {x}?",
            "How long do I bake {x}?",
            "How do I make {x} at home?",
            "Do you know a recipe for {x}?",
            "Which recipe for {x} is good?",
            "Please tell me how to cook {x}.",
            "Tell me a recipe for {x}.",
        ),
        words(
            """lasagne, apple pie, pancakes, sushi, tomato soup, paella, goulash, curry, risotto, dumplings, a birthday cake,
            fried rice, an omelette, onion soup, pizza, chocolate cake, a stew, ratatouille, noodles, roast beef, fish and chips, a salad,
            waffles, meatballs, potato soup, gnocchi, tacos, a cheesecake, ravioli, muffins"""
        ),
    ),
    Family(
        (
            "Help me with {x}.",
            "Can you help me with {x}?",
            "I need help with {x}.",
            "Give me advice about {x}.",
            "I have trouble with {x}. What now?",
            "Please give me advice on {x}.",
            "Advise me on {x}.",
            "I need advice about {x}.",
            "What should I do about {x}?",
            "Please help me with {x}.",
            "Please advise me on {x}.",
        ),
        words(
            """my tax form, my homework in chemistry, my divorce, a job interview, my cover letter, my exam, my landlord, a contract,
            my garden, my dog's training, my savings, a birthday party, my thesis, my car's engine, my travel plans, a lawsuit, my boss,
            my neighbour, my insurance, my pension, my wedding, a loan, my school project, my old printer, my diet, my broken phone,
            my rent, my visa, my children, my marriage"""
        ),
    ),
    Family(
        (
            "What is {x}?",
            "Tell me about {x}.",
            "Can you explain {x}?",
            "Explain {x}.",
            "What do you know about {x}?",
            "Explain {x} to me.",
            "Would you explain {x} to me?",
            "Could you tell me about {x}?",
            "I want to know more about {x}.",
            "What does {x} mean?",
            "Could you explain {x}?",
            "Describe {x} to me.",
            "Could you explain {x} to me?",
        ),
        words(
            """the Higgs boson, quantum chromodynamics, the Treaty of Westphalia, the Dow Jones index, the Riemann hypothesis,
            general relativity, string theory, the Battle of Hastings, cryptocurrency, the European Parliament, existentialism,
            the Krebs cycle, organic chemistry, the Roman law, game theory, inflation, the stock market, the Silk Road, baroque music,
            the offside rule, yoga, feng shui, a black market, the Ottoman Empire, the Cold War, plate tectonics, jazz, impressionism,
            quantum mechanics, special relativity, the Thirty Years' War, macroeconomics, the Supreme Court, the Punic Wars, bitcoin,
            a mortgage, the Big Bang theory, the Magna Carta, Buddhism, stoicism, the theory of sets, a hedge fund, tai chi, cubism,
            the British Empire, the Industrial Revolution, deflation, thermodynamics, surrealism, the Vietnam War, rugby, cricket,
            the gold standard, the Hanseatic League, number theory, meditation, opera, the Marshall Plan, reggae, karate"""
        ),
    ),
    Family(
        (
            "What is the meaning of {x}?",
            "What do you think about {x}?",
            "What is your opinion on {x}?",
            "Is there {x}?",
            "Do you believe in {x}?",
            "What are your thoughts on {x}?",
            "Tell me what you think about {x}.",
            "Give me your opinion on {x}.",
            "Tell me your view on {x}.",
            "Tell me your opinion on {x}.",
        ),
        words(
            """life, life after death, fate, free will, destiny, true love, God, luck, happiness, evil, good and evil, the soul, beauty,
            truth, angels, heaven, ghosts, miracles, a perfect world, eternal life, justice in the world, horoscopes, magic, karma"""
        ),
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
