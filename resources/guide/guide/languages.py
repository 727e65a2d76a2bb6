# SPDX-License-Identifier: Apache-2.0
"""Phrases from each of six languages into each other, small talk in them, little texts of them."""

from random import Random

from .exchange import Exchange, sample
from .knowledge import blocks, split
from .phrasings import careless, lines

LANGUAGES = ("English", "French", "German", "Spanish", "Italian", "Portuguese")

# {p} the phrase, {f} the language it is in, {t} the language wanted.
QUESTIONS = lines(
    """
    How do you say "{p}" in {t}?
    How do you say "{p}" in {t}?
    What is "{p}" in {t}?
    Translate "{p}" into {t}.
    Translate "{p}" to {t}.
    Please translate "{p}" into {t}.
    "{p}" in {t}?
    {t} for "{p}"?
    How does one say "{p}" in {t}?
    Say "{p}" in {t}.
    Can you say "{p}" in {t}?
    What is the {t} for "{p}"?
    How would you say "{p}" in {t}?
    Tell me how to say "{p}" in {t}.
    Can you translate "{p}" into {t}?
    I want to say "{p}" in {t}.
    """
)
WITH_SOURCE = lines(
    """
    Translate "{p}" from {f} into {t}.
    Translate the {f} "{p}" into {t}.
    What is the {f} "{p}" in {t}?
    From {f} into {t}: "{p}"
    How do you say the {f} "{p}" in {t}?
    """
)
HELD_OUT = lines(
    """
    Could you translate "{p}" into {t}?
    What would "{p}" be in {t}?
    How can I say "{p}" in {t}?
    Give me the {t} for "{p}".
    """
)
HELD_OUT_WITH_SOURCE = lines(
    """
    Could you translate the {f} "{p}" into {t}?
    Please translate "{p}" from {f} into {t}.
    """
)


class Phrases:
    """Common phrases; half of them from English."""

    name = "phrases"

    def __init__(self) -> None:
        self.rows = [split(line) for block in blocks("phrases.txt") for line in block]
        self.ambiguous = self.find_ambiguous()

    def find_ambiguous(self) -> set[str]:
        """Spellings that mean different rows, or are spelled alike in several languages: their language is named."""
        seen: dict[str, tuple[int, int]] = {}
        ambiguous = set()
        for number, row in enumerate(self.rows):
            for language, cell in enumerate(row):
                if seen.setdefault(cell.lower(), (number, language)) != (number, language):
                    ambiguous.add(cell.lower())
        return ambiguous

    def exchange(self, random: Random, row: tuple[str, ...], held_out: bool) -> Exchange:
        source, target = random.sample(range(len(LANGUAGES)), 2)
        if random.random() < 0.4:
            source, target = random.choice(((0, target or source), (target or source, 0)))
        phrase = row[source]
        named = phrase.lower() in self.ambiguous or random.random() < 0.15
        if held_out:
            template = random.choice(HELD_OUT_WITH_SOURCE if named else HELD_OUT)
        else:
            template = random.choice(WITH_SOURCE if named else QUESTIONS)
        question = template.format(p=phrase, f=LANGUAGES[source], t=LANGUAGES[target])
        thought = f"From {LANGUAGES[source]} into {LANGUAGES[target]}: {row[0]}."
        return Exchange(self.name, question, row[target], thought=thought)

    def draw(self, random: Random) -> Exchange:
        return self.exchange(random, random.choice(self.rows), held_out=False)

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [self.exchange(random, random.choice(self.rows), held_out=True) for _ in range(count)]


def sections(file: str) -> dict[str, list[list[str]]]:
    """A file's blocks by language: a block that starts with `[lang] name` opens a language."""
    found: dict[str, list[list[str]]] = {}
    current: list[list[str]] = []
    for block in blocks(file):
        if block[0].startswith("[lang] "):
            current = found.setdefault(block[0].removeprefix("[lang] "), [])
            block = block[1:]
        if block:
            current.append(block)
    return found


class SmallTalk:
    """Greetings and simple questions, each in its language."""

    name = "small talk"

    def __init__(self) -> None:
        self.entries = [
            (split(question.removeprefix("Q: ")), " ".join(answer).removeprefix("A: "))
            for language in sections("smalltalk.txt").values()
            for question, *answer in language
        ]

    def draw(self, random: Random) -> Exchange:
        questions, answer = random.choice(self.entries)
        return Exchange(self.name, careless_ending(random, random.choice(questions[:-1])), answer, thought="Small talk.")

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [Exchange(self.name, questions[-1], answer) for questions, answer in sample(random, self.entries, count)]


def careless_ending(random: Random, question: str) -> str:
    """English openings don't fit other languages; a missing mark does."""
    return question.rstrip(" ?.!") if random.random() < 0.1 else question


def little_texts() -> dict[str, list[str]]:
    """Texts of daily life by language, in lower case."""
    return {language: [line for block in found for line in block] for language, found in sections("sentences.txt").items()}
