# SPDX-License-Identifier: Apache-2.0
"""One question with its answer, and what a source of them offers."""

from dataclasses import dataclass
from random import Random
from typing import Protocol


@dataclass(frozen=True)
class Exchange:
    """A question, the answer that is right, and how it came about."""

    ability: str
    question: str
    answer: str
    thought: str = ""  # said first where thinking is asked for
    tools: tuple[str, ...] = ()  # functions that are offered: lines as the prompt shows them
    call: str = ""  # JSON of the call that comes before the answer
    result: str = ""  # the result of the called function


class Ability(Protocol):
    """Something that the guide can do."""

    name: str

    def draw(self, random: Random) -> Exchange:
        """An exchange for training."""

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        """Exchanges in phrasings that `draw` never uses; at most `count`, all where there are fewer."""


def capitalised(text: str) -> str:
    """The first letter large, the others as they are."""
    return text[:1].upper() + text[1:]


def sample(random: Random, items: list, count: int) -> list:
    """All items, or `count` of them in a random order."""
    return list(items) if len(items) <= count else random.sample(items, count)
