# SPDX-License-Identifier: Apache-2.0
"""Measures the guide's abilities on a model file with the program's own engine, in phrasings that training never saw."""

import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random

from .conversation import pieces_of
from .corpus import abilities
from .engine import Engine, Said
from .exchange import Ability, Exchange
from .functions import FUNCTIONS, passes
from .making import fenced
from .stories import check

SEED = 20
# Questions asked of an ability, where it has so many.
COUNTS = {"facts": 400, "arithmetic": 400, "phrases": 400, "stories": 100, "tools": 150, "beyond": 200}
MOST = 300
THINKING = 150


@dataclass(frozen=True)
class Score:
    """How an ability was passed; the questions that weren't, with what was said."""

    ability: str
    asked: int
    right: int
    wrong: tuple[tuple[str, str], ...]

    @property
    def share(self) -> float:
        return self.right / self.asked


def tidy(text: str) -> str:
    return " ".join(text.split())


def story_is_right(exchange: Exchange, text: str) -> bool:
    """Good grammar, and about what was asked for: the theme's last word is in it."""
    theme = re.search(r"story about (.*)[?.]$", exchange.question)
    return theme is not None and theme[1].split()[-1] in text and not check(text)


def function_is_right(exchange: Exchange, text: str) -> bool:
    """The code passes the cases of the function that was asked for."""
    code = re.fullmatch(r"\s*```python\n(.*?)\n```\s*", text, re.DOTALL)
    wanted = next(function for function in FUNCTIONS if fenced(function.code) == exchange.answer)
    return code is not None and passes(wanted, code[1])


def text_is_right(exchange: Exchange, text: str) -> bool:
    if exchange.ability == "stories":
        return story_is_right(exchange, text)
    if exchange.ability == "functions":
        return function_is_right(exchange, text)
    return tidy(text) == tidy(exchange.answer)


def call_is_right(engine: Engine, exchange: Exchange, said: Said) -> bool:
    """The right call, and the right answer once its result is there."""
    if len(said.calls) != 1 or {key: said.calls[0][key] for key in ("name", "arguments")} != json.loads(exchange.call):
        return False
    prompt = "".join(text for text, _ in pieces_of([exchange])[:-2])
    return text_is_right(exchange, engine.continuation(prompt).text)


def judge(engine: Engine, exchange: Exchange, thinking: bool) -> tuple[bool, str]:
    """Whether the answer is right, and what it was. A thought has to be there when it was asked for, and only then."""
    said = engine.answer(exchange.question, exchange.tools, thinking)
    shown = said.text or json.dumps(said.calls)
    if bool(said.thought.strip()) != thinking:
        return False, f"[thought: {said.thought.strip()}] {shown}"
    if exchange.call:
        return call_is_right(engine, exchange, said), shown
    return not said.calls and text_is_right(exchange, said.text), shown


def score(engine: Engine, name: str, exchanges: list[Exchange], thinking: bool = False) -> Score:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(lambda exchange: judge(engine, exchange, thinking), exchanges))
    wrong = tuple((exchange.question, said) for exchange, (right, said) in zip(exchanges, verdicts) if not right)
    return Score(name, len(exchanges), len(exchanges) - len(wrong), wrong)


def held_out(ability: Ability, share: float = 1.0) -> list[Exchange]:
    count = COUNTS.get(ability.name, MOST)
    return ability.held_out(Random(f"{SEED} {ability.name}"), max(1, round(count * share)))


def scores(engine: Engine, share: float = 1.0, told: Callable[[Score], None] = lambda score: None) -> list[Score]:
    """All abilities, and thinking: a mixture of their questions with the switch on. share: of the usual questions."""
    found, mixture = [], []
    for ability in abilities():
        exchanges = held_out(ability, share)
        mixture += [exchange for exchange in exchanges if exchange.thought and not exchange.call]
        found.append(score(engine, ability.name, exchanges))
        told(found[-1])
    thinking = Random(SEED).sample(mixture, min(len(mixture), max(1, round(THINKING * share))))
    found.append(score(engine, "thinking", thinking, thinking=True))
    told(found[-1])
    return found
