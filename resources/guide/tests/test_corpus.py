# SPDX-License-Identifier: Apache-2.0
"""Tests the corpus: it contains nothing of the evaluation, and conversations are spelled as the template spells them."""

import json
import subprocess
import tempfile
import unittest
from random import Random

from guide.bpe import SPECIAL, Bpe
from guide.conversation import SYSTEM, TEMPLATE, pieces_of
from guide.corpus import Corpus, Stage, abilities, rows
from guide.engine import tool_json
from guide.tools import Tools

from .support import LONG, PROGRAM, needs_program

DRAWS = 5000 if LONG else 1500  # draws for each ability
STAGE = Stage("conversations", plain=0.3, length=256, most_exchanges=3, answers_only=True)


def small_tokenizer() -> Bpe:
    return Bpe.train(Corpus().sample_texts(Random(1), STAGE, 300), 700)


class TestAbilities(unittest.TestCase):
    def test_held_out_questions_are_never_drawn(self) -> None:
        for ability in abilities():
            with self.subTest(ability.name):
                held_out = {exchange.question for exchange in ability.held_out(Random(1), 300)}
                random = Random(2)
                drawn = {ability.draw(random).question for _ in range(DRAWS)}
                self.assertTrue(held_out)
                self.assertEqual(held_out & drawn, set())

    def test_a_question_has_one_answer(self) -> None:
        # Stories and the clock may differ each time.
        answers: dict[str, str] = {}
        for ability in abilities():
            if ability.name in ("stories", "tools"):
                continue
            random = Random(3)
            for _ in range(DRAWS):
                exchange = ability.draw(random)
                self.assertEqual(answers.setdefault(exchange.question, exchange.answer), exchange.answer, exchange.question)

    def test_there_are_200_questions_about_the_program_and_about_experts(self) -> None:
        entries = {ability.name: len(ability.entries) for ability in abilities() if ability.name in ("program", "experts")}
        self.assertGreaterEqual(sum(entries.values()), 200)


class TestRows(unittest.TestCase):
    def test_documents_lie_whole_and_apart(self) -> None:
        bpe = small_tokenizer()
        made = rows(Corpus(), bpe, STAGE, Random(4), 20)
        self.assertEqual(len(made), 20)
        for row in made:
            self.assertEqual({len(row.tokens), len(row.learn), len(row.documents), len(row.positions)}, {STAGE.length})
            starts = [place for place, position in enumerate(row.positions) if position == 0]
            changes = [place for place in range(STAGE.length) if place == 0 or row.documents[place] != row.documents[place - 1]]
            self.assertEqual(starts, changes)
            self.assertTrue(any(row.learn))
        self.assertFalse(all(all(row.learn) for row in made), "no row has a rest that stays empty")

    def test_the_same_seed_gives_the_same_rows(self) -> None:
        bpe = small_tokenizer()
        first, second = (rows(Corpus(), bpe, STAGE, Random("7 3"), 5) for _ in range(2))
        self.assertEqual(first, second)

    def test_only_answers_are_learned(self) -> None:
        learned = "".join(text for text, learn in pieces_of([Tools().draw(Random(1))]) if learn)
        self.assertNotIn("<|im_start|>", learned)
        self.assertNotIn("<tool_response>", learned)


class TestTokenizer(unittest.TestCase):
    def test_round_trip(self) -> None:
        bpe = small_tokenizer()
        for text in ("", "a", "Olá, ¿qué tal? 12 + 30 = 42.\n\n  x", "<|im_start|>user\nhi<|im_end|>", "日本語 \U0001f600\r\n\t'S"):
            self.assertEqual(bpe.decode(bpe.encode(text)), text)

    def test_no_spelling_twice(self) -> None:
        bpe = small_tokenizer()
        self.assertEqual(len(set(bpe.token_texts())), bpe.size)

    def test_special_tokens_are_one_token_each(self) -> None:
        bpe = small_tokenizer()
        self.assertEqual(len(bpe.encode("".join(SPECIAL))), len(SPECIAL))
        self.assertEqual(bpe.size, 700)


@needs_program
class TestTemplate(unittest.TestCase):
    """conversation.py and template.jinja say the same."""

    def render(self, context: dict) -> str:
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(context, file)
            file.flush()
            return subprocess.run([PROGRAM, "render", TEMPLATE, file.name], capture_output=True, text=True, check=True).stdout

    def expect(self, context: dict, text: str) -> None:
        self.assertEqual(self.render(context | {"add_generation_prompt": True}).rstrip("\n"), text.rstrip("\n"))

    def test_conversations(self) -> None:
        corpus, random = Corpus(), Random(5)
        for _ in range(30):
            exchanges = [corpus.exchange(random, STAGE, without=(Tools,)) for _ in range(3)]
            for thinking in (False, True):
                messages = []
                for exchange in exchanges[:2]:
                    messages += [{"role": "user", "content": exchange.question}, {"role": "assistant", "content": exchange.answer}]
                messages.append({"role": "user", "content": exchanges[2].question})
                text = "".join(piece for piece, _ in pieces_of(exchanges, thinking)[:-2])
                self.expect({"messages": messages, "enable_thinking": thinking}, text)

    def test_tools(self) -> None:
        random = Random(6)
        for _ in range(20):
            exchange = Tools().draw(random)
            if not exchange.call:
                continue
            call = json.loads(exchange.call)
            messages = [
                {"role": "user", "content": exchange.question},
                {"role": "assistant", "content": "", "tool_calls": [{"function": call}]},
                {"role": "tool", "content": exchange.result},
            ]
            text = "".join(piece for piece, _ in pieces_of([exchange])[:-2])
            self.expect({"messages": messages, "xml_tools": [tool_json(tool) for tool in exchange.tools]}, text)

    def test_switches_in_messages(self) -> None:
        for words, mode in (("Hello /think", "/think"), ("Hello /no_think", "/no_think"), ("Hello", "/no_think")):
            text = f"<|im_start|>system\n{SYSTEM}\n{mode}<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
            self.expect({"messages": [{"role": "user", "content": words}]}, text)
        text = "<|im_start|>system\nBe brief.\n/think<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
        self.expect({"messages": [{"role": "system", "content": "Be brief. /think"}, {"role": "user", "content": "Hi"}]}, text)


if __name__ == "__main__":
    unittest.main()
