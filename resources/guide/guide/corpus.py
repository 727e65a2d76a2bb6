# SPDX-License-Identifier: Apache-2.0
"""The text that the guide learns from: endless, the same for a seed, in chapters that can be made again one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from .arithmetic import Arithmetic
from .beyond import Beyond
from .bpe import Bpe
from .conversation import Piece, pieces_of, random_system
from .exchange import Ability, Exchange
from .functions import FUNCTIONS
from .knowledge import Facts, Knowledge
from .languages import Phrases, SmallTalk, little_texts
from .making import Functions, Stories
from .stories import story
from .tools import CALCULATOR, CLOCK, Tools

THINKS = 0.2  # share of conversations that ask for a thought
THINKS_AT_ONCE = 0.6  # share of those that are a single exchange
OFFERS_IDLE_TOOLS = 0.03  # share of conversations with tools that nobody needs
CAPITAL_RELATIONS = ("capital", "capital_of")


def abilities() -> dict[Ability, float]:
    """An ability of the guide, with its share of the exchanges."""
    return {
        Knowledge("program", "program.txt"): 0.15,
        Knowledge("experts", "moe.txt"): 0.15,
        Knowledge("science", "science.txt"): 0.07,
        Facts("capitals", "facts.txt", lambda name: name in CAPITAL_RELATIONS): 0.065,
        Facts("facts", "facts.txt", lambda name: name not in CAPITAL_RELATIONS): 0.115,
        Arithmetic(): 0.13,
        Phrases(): 0.13,
        SmallTalk(): 0.03,
        Stories(): 0.035,
        Functions(): 0.035,
        Tools(): 0.03,
        Beyond(): 0.06,
    }


@dataclass(frozen=True)
class Stage:
    """A part of the training: which documents, how long the rows, how many exchanges a conversation has."""

    name: str
    plain: float  # share of documents that are no conversations
    length: int  # tokens a row
    most_exchanges: int
    answers_only: bool  # the loss
    emphasis: tuple[tuple[str, float], ...] = ()  # factors for the shares of abilities that take longer to learn


class Corpus:
    """Documents as pieces of text, and rows of tokens made of them."""

    def __init__(self) -> None:
        self.shares = abilities()
        self.texts = little_texts()
        self.knowledge = [ability for ability in self.shares if isinstance(ability, Knowledge)]

    def exchange(self, random: Random, stage: Stage, without: tuple[type, ...] = ()) -> Exchange:
        emphasis = dict(stage.emphasis)
        shares = [share * emphasis.get(ability.name, 1) for ability, share in self.shares.items()]
        while True:
            ability = random.choices(list(self.shares), shares)[0]
            if not isinstance(ability, without):
                return ability.draw(random)

    def conversation(self, random: Random, stage: Stage) -> list[Piece]:
        """Exchanges side by side; where tools are offered, nothing follows that would need them."""
        thinks = random.random() < THINKS
        count = 1 if thinks and random.random() < THINKS_AT_ONCE else random.randint(1, stage.most_exchanges)
        first = self.exchange(random, stage)
        if not first.tools and first.ability not in ("arithmetic", "tools", "beyond") and random.random() < OFFERS_IDLE_TOOLS:
            first = replace(first, tools=(CLOCK, CALCULATOR))
        busy = (Tools, Arithmetic, Beyond) if first.tools else (Tools,)
        exchanges = [first] + [self.exchange(random, stage, without=busy) for _ in range(count - 1)]
        return pieces_of(exchanges, thinks and exchanges[-1].thought != "", random_system(random))

    def plain(self, random: Random) -> str:
        """A text that nobody asked for: a story, a little text, a function, something worth knowing."""
        kind = random.choices(("story", "text", "function", "knowledge"), (0.35, 0.3, 0.15, 0.2))[0]
        if kind == "story":
            made = story(random)
            return f"{made.title}\n\n{made.text}"
        if kind == "text":
            return " ".join(random.sample(self.texts[random.choice(list(self.texts))], random.randint(1, 4)))
        if kind == "function":
            function = random.choice(FUNCTIONS)
            return f"# {random.choice(function.tasks[:-1])}\n{function.code.strip()}"
        return random.choice(random.choice(self.knowledge).entries).answer

    def document(self, random: Random, stage: Stage) -> list[Piece]:
        if random.random() < stage.plain:
            return [(self.plain(random), True), ("<|endoftext|>", True)]
        return self.conversation(random, stage)

    def sample_texts(self, random: Random, stage: Stage, count: int) -> Iterator[str]:
        """Whole documents, for the tokenizer's training."""
        for _ in range(count):
            yield "".join(text for text, _ in self.document(random, stage))


@dataclass
class Row:
    """Tokens of whole documents, side by side."""

    tokens: list[int]
    learn: list[bool]  # whether the token is one that the model learns to write
    documents: list[int]  # the number of the document in its row
    positions: list[int]  # within the document


def encode(pieces: list[Piece], bpe: Bpe, stage: Stage) -> tuple[list[int], list[bool]]:
    tokens: list[int] = []
    learn: list[bool] = []
    for text, wanted in pieces:
        ids = bpe.encode(text)
        tokens += ids
        learn += [wanted or not stage.answers_only] * len(ids)
    return tokens, learn


def rows(corpus: Corpus, bpe: Bpe, stage: Stage, random: Random, count: int) -> list[Row]:
    """`count` rows, each filled with the documents that fit best out of a few; a rest stays empty."""
    waiting: list[tuple[list[int], list[bool]]] = []
    made = []
    for _ in range(count):
        row = Row([], [], [], [])
        number = 0
        while True:
            while len(waiting) < 48:
                document = encode(corpus.document(random, stage), bpe, stage)
                if len(document[0]) <= stage.length:
                    waiting.append(document)
            room = stage.length - len(row.tokens)
            fitting = [place for place, (tokens, _) in enumerate(waiting) if len(tokens) <= room]
            if not fitting:
                break
            # The first of the waiting goes in where it can, so that long ones don't wait for ever.
            place = 0 if fitting[0] == 0 else max(fitting, key=lambda place: len(waiting[place][0]))
            tokens, learn = waiting.pop(place)
            row.tokens += tokens
            row.learn += learn
            row.documents += [number] * len(tokens)
            row.positions += range(len(tokens))
            number += 1
        rest = stage.length - len(row.tokens)
        row.tokens += [0] * rest
        row.learn += [False] * rest
        row.documents += [number] * rest
        row.positions += range(rest)
        made.append(row)
    return made
