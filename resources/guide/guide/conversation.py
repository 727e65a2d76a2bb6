# SPDX-License-Identifier: Apache-2.0
"""A conversation as the chat template (template.jinja) spells it, and which of its words an answer is."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from .exchange import Exchange

TEMPLATE = Path(__file__).parent.parent / "template.jinja"
SYSTEM = "You are the guide, the tiny demo model of Coterie."
OTHER_SYSTEMS = (
    "You are a helpful assistant.",
    "Answer in short sentences.",
    "You are a friendly guide.",
    "Be brief and polite.",
    "You help people who use this program.",
)

# (text, whether the model has to learn to write it)
Piece = tuple[str, bool]


def answer_pieces(exchange: Exchange, thinking: bool) -> list[Piece]:
    """The assistant's part of an exchange, with the call and its result where there is one."""
    thought = f"<think>\n{exchange.thought}\n</think>\n\n" if thinking else ""
    pieces = [("<|im_start|>assistant\n", False)]
    if exchange.call:
        pieces += [
            (f"{thought}<tool_call>\n{exchange.call}\n</tool_call><|im_end|>", True),
            (f"\n<|im_start|>user\n<tool_response>\n{exchange.result}\n</tool_response><|im_end|>\n", False),
            ("<|im_start|>assistant\n", False),
        ]
        thought = ""
    return [*pieces, (f"{thought}{exchange.answer}<|im_end|>", True), ("\n", False)]


def pieces_of(exchanges: Sequence[Exchange], thinking: bool = False, system: str = SYSTEM) -> list[Piece]:
    """A whole conversation; the tools of its first exchange are those that are offered.

    The template keeps no thought but the one that is being had, so a conversation that thinks has one at its end; that its
    earlier answers have none is nothing to learn.
    """
    tools = "".join(f"\n{tool}" for tool in exchanges[0].tools)
    tools = f"\n<tools>{tools}\n</tools>" if tools else ""
    mode = "/think" if thinking else "/no_think"
    pieces = [(f"<|im_start|>system\n{system}\n{mode}{tools}<|im_end|>\n", False)]
    for exchange in exchanges:
        pieces.append((f"<|im_start|>user\n{exchange.question}<|im_end|>\n", False))
        last = exchange is exchanges[-1]
        answer = answer_pieces(exchange, thinking and last)
        pieces += answer if last or not thinking else [(text, False) for text, _ in answer]
    return pieces


def prompt_of(exchange: Exchange, thinking: bool = False) -> str:
    """Returns the text before the answer to a first question."""
    text = ""
    for piece, answer in pieces_of([exchange], thinking):
        if answer:
            break
        text += piece
    return text


def random_system(random: Random) -> str:
    return SYSTEM if random.random() < 0.85 else random.choice(OTHER_SYSTEMS)
