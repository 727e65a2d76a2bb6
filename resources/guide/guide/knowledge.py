# SPDX-License-Identifier: Apache-2.0
"""The guide's knowledge: the files under knowledge/, and the questions made from them."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

from .exchange import Exchange, capitalised, sample
from .phrasings import QUESTIONS, ask, careless, fill

FOLDER = Path(__file__).parent.parent / "knowledge"
HELD_OUT_QUESTIONS = 2  # in each `ask` entry


@dataclass(frozen=True)
class Entry:
    """One thing to know: its kind of question, ways to name it, the answer."""

    kind: str
    phrases: tuple[str, ...]
    answer: str


@dataclass(frozen=True)
class Relation:
    """A table of facts of one kind."""

    name: str
    questions: tuple[str, ...]
    held_out: tuple[str, ...]
    answer: str
    rows: tuple[tuple[str, str], ...]

    def fill(self, template: str, row: tuple[str, str]) -> str:
        subject, thing = row
        text = template.replace("{s}", subject).replace("{o}", thing)
        text = text.replace("{S}", capitalised(subject)).replace("{O}", capitalised(thing))
        return capitalised(text) if template.startswith("{s}") else text


def split(line: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in line.split(" | "))


def blocks(file: str) -> list[list[str]]:
    """A knowledge file's blocks of lines, without comments."""
    text = (FOLDER / file).read_text(encoding="utf-8")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [block.strip().splitlines() for block in kept.split("\n\n") if block.strip()]


def read_entries(file: str) -> list[Entry]:
    """Entries of the form `[kind] phrase | phrase`, then the answer's lines."""
    entries = []
    for head, *answer in blocks(file):
        kind, phrases = head.removeprefix("[").split("] ", 1)
        if kind != "ask" and kind not in QUESTIONS:
            raise ValueError(f"{file}: unknown kind [{kind}]")
        if not answer:
            raise ValueError(f"{file}: no answer under {head}")
        entries.append(Entry(kind, split(phrases), " ".join(line.strip() for line in answer)))
    return entries


def read_relations(file: str) -> list[Relation]:
    """Tables: `[relation] name`, lines q:, h:, a:, then rows `subject = object`."""
    relations = []
    for head, *lines in blocks(file):
        keyed = {line[0]: line[3:] for line in lines[:3]}
        rows = tuple(tuple(part.strip() for part in line.split(" = ", 1)) for line in lines[3:])
        name = head.removeprefix("[relation] ")
        relations.append(Relation(name, split(keyed["q"]), split(keyed["h"]), keyed["a"], rows))
    return relations


class Knowledge:
    """Questions about the entries of one or more files."""

    def __init__(self, name: str, *files: str) -> None:
        self.name = name
        self.entries = [entry for file in files for entry in read_entries(file)]

    def question(self, random: Random, entry: Entry) -> str:
        if entry.kind == "ask":
            return random.choice(entry.phrases[:-HELD_OUT_QUESTIONS])
        return ask(random, entry.kind, random.choice(entry.phrases))

    def exchange(self, entry: Entry, question: str) -> Exchange:
        topic = entry.phrases[0].rstrip("?.!")
        return Exchange(self.name, question, entry.answer, thought=f"The question: {topic}. I know this.")

    def draw(self, random: Random) -> Exchange:
        entry = random.choice(self.entries)
        return self.exchange(entry, careless(random, self.question(random, entry)))

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        exchanges = []
        for entry in sample(random, self.entries, count):
            if entry.kind == "ask":
                question = random.choice(entry.phrases[-HELD_OUT_QUESTIONS:])
            else:
                question = ask(random, entry.kind, random.choice(entry.phrases), held_out=True)
            exchanges.append(self.exchange(entry, question))
        return exchanges


class Facts:
    """Questions about the rows of tables: capitals, young animals, opposites, ..."""

    def __init__(self, name: str, file: str, wanted) -> None:
        """wanted(relation's name): whether the relation belongs here."""
        self.name = name
        self.relations = [relation for relation in read_relations(file) if wanted(relation.name)]
        self.rows = [(relation, row) for relation in self.relations for row in relation.rows]

    def exchange(self, relation: Relation, row: tuple[str, str], question: str) -> Exchange:
        thought = f"{capitalised(relation.name.replace('_', ' '))}: {row[0]}. I know this."
        return Exchange(self.name, question, relation.fill(relation.answer, row), thought=thought)

    def draw(self, random: Random) -> Exchange:
        relation, row = random.choice(self.rows)
        return self.exchange(relation, row, careless(random, relation.fill(random.choice(relation.questions), row)))

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [
            self.exchange(relation, row, relation.fill(random.choice(relation.held_out), row))
            for relation, row in sample(random, self.rows, count)
        ]
