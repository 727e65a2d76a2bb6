# SPDX-License-Identifier: Apache-2.0
"""The committed file keeps what its card says: abilities, specialised experts, neurons that are off, the head predictor."""

import hashlib
import json
import unittest
from random import Random

from guide import card
from guide.engine import Engine
from guide.evaluation import scores
from guide.traces import Traces, collect, domain_texts, mean_overlap, specialised_counts

from .support import GUIDE, HOME, PROGRAM, needs_guide, needs_program, needs_torch

LEAST = 0.95  # lowest share of right answers of an ability
LEAST_OF_FEW = 0.7  # the same where an ability is asked 5 to 20 questions only
MOST_BYTES = 14_000_000


@needs_guide
class TestReport(unittest.TestCase):
    def setUp(self) -> None:
        self.report = json.loads((HOME / "report.json").read_text(encoding="utf-8"))

    def test_it_is_about_this_file(self) -> None:
        self.assertEqual(self.report["sha256"], hashlib.sha256(GUIDE.read_bytes()).hexdigest())
        self.assertLessEqual(GUIDE.stat().st_size, MOST_BYTES)

    def test_the_card_says_what_the_report_says(self) -> None:
        text = (HOME / "README.md").read_text(encoding="utf-8")
        traces = Traces.load(HOME / "traces.json")
        for part in (card.figures(self.report, traces), card.abilities(self.report), card.experts(traces)):
            self.assertIn(part, text)

    def test_the_card_says_that_it_was_refreshed(self) -> None:
        traces = Traces.load(HOME / "traces.json")
        refresh = {"tokens": 4_505_600, "steps": 1100, "minutes": 17.6, "processors": 2}
        for refreshes, row in (
            ([refresh], "| then refreshed | 4.5 M tokens in 1,100 steps, 18 minutes |"),
            ([refresh, refresh], "| then refreshed 2 times | 9.0 M tokens in 2,200 steps, 35 minutes |"),
        ):
            training = self.report["training"] | {"refreshes": refreshes}
            self.assertIn(row, card.figures(self.report | {"training": training}, traces))
        training = self.report["training"] | {"refreshes": []}
        self.assertNotIn("refreshed", card.figures(self.report | {"training": training}, traces))

    def test_what_was_asked_for_was_reached(self) -> None:
        for score in self.report["abilities"]:
            self.assertGreaterEqual(score["right"] / score["asked"], LEAST, score["ability"])
        perplexity = self.report["perplexity"]
        self.assertLess(abs(perplexity["shipped"] / perplexity["float"] - 1), 0.01)
        self.assertGreaterEqual(self.report["predictor"]["same"], 0.995)
        self.assertLessEqual(self.report["predictor"]["computed"], 0.25)


@needs_guide
@needs_program
class TestFile(unittest.TestCase):
    """Measured anew, on fewer questions and texts than the report."""

    def test_abilities(self) -> None:
        asked = right = 0
        for score in scores(Engine(PROGRAM, GUIDE), share=0.05):
            self.assertGreaterEqual(score.right / score.asked, LEAST_OF_FEW, score.ability)
            asked, right = asked + score.asked, right + score.right
        self.assertGreaterEqual(right / asked, LEAST)

    def test_experts_specialise(self) -> None:
        traces = collect(PROGRAM, GUIDE, domain_texts(count=12))
        for domain, layers in specialised_counts(traces).items():
            self.assertGreaterEqual(3 * layers, traces.layers, domain)
        for one, other in (("arithmetic", "stories"), ("code", "french"), ("stories", "german"), ("arithmetic", "code")):
            self.assertLess(mean_overlap(traces, one, other), 0.5, f"{one} and {other}")
        self.assertGreaterEqual(traces.mean_share_off(), 0.6)


@needs_guide
@needs_torch
class TestPredictor(unittest.TestCase):
    def test_it_finds_the_greedy_token(self) -> None:
        from guide.export import restore, tokenizer_of
        from guide.model import Shape
        from guide.predictor import agreement, final_states

        model, predictor = restore(GUIDE, Shape())
        states = final_states(model, tokenizer_of(GUIDE), Random("test of the predictor"), 8000)
        found = agreement(predictor, model.embedding.detach(), states)
        self.assertGreaterEqual(found.same, 0.995)
        self.assertLessEqual(found.computed, 0.25)
