# SPDX-License-Identifier: Apache-2.0
"""The network's parts against plain statements of what they compute, gradients included; where a refresh begins."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from .support import GUIDE, needs_guide, needs_torch

try:
    import torch
    from guide.export import restore, tokenizer_of
    from guide.model import ExpertPlan, ExpertProducts, Guide, HeadLoss, Places, ScaledNorm, Shape
    from guide.muon import orthogonal
    from guide.train import REFRESHES, Recipe, Training, balance_loss, mean_of, refreshed
except ModuleNotFoundError:
    torch = None  # the tests below are skipped


def close(test: unittest.TestCase, found, expected, tolerance: float) -> None:
    """The difference's norm, as a share of the expected norm; bfloat16 has 8 bits."""
    share = float((found.float() - expected).norm() / expected.norm())
    test.assertLess(share, tolerance)


@needs_torch
class TestNetwork(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(1)
        self.shape = Shape(vocabulary=64, width=32, layers=4, heads=4, head_size=8, experts=4, expert_width=16, window=8)
        self.model = Guide(self.shape)

    def states(self, tokens, documents=None, positions=None):
        length = tokens.shape[1]
        documents = torch.zeros_like(tokens) if documents is None else documents
        positions = torch.arange(length).float().expand(tokens.shape) if positions is None else positions
        with torch.no_grad():
            return self.model(tokens, Places(self.shape, documents, positions))[0]

    def test_a_token_sees_nothing_later(self) -> None:
        tokens = torch.randint(64, (1, 32))
        changed = tokens.clone()
        changed[0, 20] = (changed[0, 20] + 1) % 64
        before, after = self.states(tokens), self.states(changed)
        self.assertTrue(torch.equal(before[:20], after[:20]))
        self.assertFalse(torch.equal(before[20], after[20]))

    def test_a_document_sees_no_other(self) -> None:
        tokens = torch.randint(64, (1, 32))
        documents = (torch.arange(32) >= 13).long().view(1, 32)
        positions = torch.cat((torch.arange(13), torch.arange(19))).float().view(1, 32)
        together = self.states(tokens, documents, positions)
        padded = torch.cat((tokens[:, 13:], tokens[:, :13]), dim=1)
        alone = self.states(padded, (torch.arange(32) >= 19).long().view(1, 32), torch.cat((torch.arange(19), torch.arange(13))).float().view(1, 32))
        close(self, together[13:], alone[:19], 0.02)

    def test_the_window_ends(self) -> None:
        # One layer of two kinds: a token is seen through the window of 8, and through full attention.
        tokens = torch.randint(64, (1, 32))
        changed = tokens.clone()
        changed[0, 0] = (changed[0, 0] + 1) % 64
        for layer, sees in ((self.model.layers[1], False), (self.model.layers[0], True)):
            places = Places(self.shape, torch.zeros_like(tokens), torch.arange(32).float().view(1, 32))
            with torch.no_grad():
                found = [layer.attention(self.model.embedding[ids], places) for ids in (tokens, changed)]
            self.assertEqual(torch.equal(found[0][0, 7], found[1][0, 7]), False)
            self.assertEqual(torch.equal(found[0][0, 8:], found[1][0, 8:]), not sees)


@needs_torch
class TestParts(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(2)

    def test_experts(self) -> None:
        tokens, width, experts, neurons = 200, 32, 4, 16
        states = torch.randn(tokens, width, requires_grad=True)
        gate_up = (torch.randn(experts, width, 2 * neurons) / 6).requires_grad_()
        down = (torch.randn(experts, neurons, width) / 4).requires_grad_()
        chosen = torch.stack([torch.randperm(experts)[:2] for _ in range(tokens)])
        weights = torch.rand(tokens, 2, requires_grad=True)
        direction = torch.randn(tokens, width)

        gate, up = torch.einsum("tw,ewn->ten", states, gate_up).chunk(2, dim=2)
        every = torch.einsum("ten,enw->tew", torch.relu(gate) * up, down)
        expected = (every[torch.arange(tokens).unsqueeze(1), chosen] * weights.unsqueeze(2)).sum(1)
        gradients = torch.autograd.grad((expected * direction).sum(), (states, weights, gate_up, down))

        low = [part.detach().bfloat16().requires_grad_() for part in (states, gate_up, down)]
        plan = ExpertPlan(chosen, experts)
        found = ExpertProducts.apply(low[0], weights, plan, low[1], low[2], 0.0)
        close(self, found, expected.detach(), 0.02)
        found_gradients = torch.autograd.grad((found * direction.bfloat16()).sum(), (low[0], weights, low[1], low[2]))
        for one, other in zip(found_gradients, gradients):
            close(self, one, other, 0.04)  # gates near 0 fall to the other side
        self.assertGreater(plan.active_share(), 0.4)
        self.assertLess(plan.active_share(), 0.6)

    def test_head_loss(self) -> None:
        states, head = torch.randn(1500, 32), (torch.randn(64, 32) / 3).requires_grad_()
        targets = torch.randint(64, (1500,))
        low = states.bfloat16().requires_grad_()
        wide = low.detach().float().requires_grad_()
        expected = torch.nn.functional.cross_entropy(wide @ head.t(), targets)
        found = HeadLoss.apply(low, head, targets)
        self.assertAlmostEqual(float(found), float(expected), delta=0.02)
        for one, other in zip(torch.autograd.grad(found, (low, head)), torch.autograd.grad(expected, (wide, head))):
            close(self, one, other, 0.02)

    def test_norm(self) -> None:
        x, weight = torch.randn(50, 32, requires_grad=True), torch.rand(32, requires_grad=True)
        expected = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight
        direction = torch.randn(50, 32)
        found = ScaledNorm.apply(x, weight, 1e-6)
        close(self, found, expected.detach(), 0.01)
        gradients = torch.autograd.grad((expected * direction).sum(), (x, weight))
        for one, other in zip(torch.autograd.grad((found * direction).sum(), (x, weight)), gradients):
            close(self, one, other, 0.02)

    def test_balance_is_one_where_all_are_used_alike(self) -> None:
        chosen = torch.arange(64).view(-1, 2) % 8
        self.assertAlmostEqual(float(balance_loss(torch.zeros(32, 8), chosen, 8, 2)), 1.0, places=5)
        leaning = torch.zeros(32, 8)
        leaning[:, :2] = 5.0
        self.assertGreater(float(balance_loss(leaning, torch.tensor([[0, 1]]).expand(32, 2), 8, 2)), 1.3)

    def test_muon_turns_matrices(self) -> None:
        values = torch.linalg.svdvals(orthogonal(torch.randn(3, 40, 20)).float())
        self.assertGreater(float(values.min()), 0.5)
        self.assertLess(float(values.max()), 1.4)


@needs_torch
class TestRates(unittest.TestCase):
    def test_a_refresh_has_one_line(self) -> None:
        for recipe in REFRESHES:
            rates = [recipe.rate_at(step) for step in range(recipe.steps)]
            self.assertAlmostEqual(rates[0], recipe.highest_rate / recipe.warm_up)
            self.assertEqual(max(rates), recipe.highest_rate)
            self.assertEqual(rates.index(max(rates)), recipe.warm_up - 1)
            falls = [before - after for before, after in zip(rates[recipe.warm_up :], rates[recipe.warm_up + 1 :])]
            for fall in falls:
                self.assertAlmostEqual(fall, (recipe.highest_rate - recipe.last_rate) / (recipe.steps - recipe.warm_up))
            self.assertAlmostEqual(rates[-1] - falls[-1], recipe.last_rate)

    def test_the_full_recipe_has_two(self) -> None:
        recipe = Recipe()
        brush_up = recipe.steps - recipe.stages[-1][1]
        self.assertEqual(recipe.rate_at(recipe.warm_up - 1), 1.0)
        self.assertAlmostEqual(recipe.rate_at(brush_up - 1), recipe.last_rate, delta=0.001)
        self.assertEqual(recipe.rate_at(brush_up), recipe.brush_up_rate)
        self.assertAlmostEqual(recipe.rate_at(recipe.steps - 1), recipe.last_rate, delta=0.001)

    def test_stages_are_whole_chapters(self) -> None:
        for recipe in (Recipe(), *REFRESHES):
            for stage, steps in recipe.stages:
                self.assertEqual(steps % recipe.chapter, 0, stage.name)


@needs_torch
@needs_guide
class TestRefresh(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.recipe = refreshed(GUIDE)[0]

    def test_it_begins_with_the_file(self) -> None:
        training = Training(self.recipe, self.folder, GUIDE)
        kept = restore(GUIDE, self.recipe.shape)[0].state_dict()
        self.assertEqual(training.model.state_dict().keys(), kept.keys())
        for name, tensor in training.model.state_dict().items():
            self.assertTrue(torch.equal(tensor.cpu(), kept[name]), name)
        self.assertEqual(training.bpe.token_texts(), tokenizer_of(GUIDE).token_texts())
        self.assertEqual(training.step, 0)
        self.assertEqual(list(self.folder.iterdir()), [])  # no tokenizer was trained

    def test_it_goes_on_from_its_checkpoint(self) -> None:
        training = Training(self.recipe, self.folder, GUIDE)
        training.step = 100
        with torch.no_grad():
            training.model.output_norm.weight.add_(1)
        training.save()
        again = Training(self.recipe, self.folder, GUIDE)
        self.assertEqual(again.step, 100)
        self.assertTrue(torch.equal(again.model.output_norm.weight, training.model.output_norm.weight))

    def test_a_checkpoint_of_another_start_is_refused(self) -> None:
        training = Training(self.recipe, self.folder, GUIDE)
        training.recipe = replace(self.recipe, start="0" * 64)
        training.save()
        with self.assertRaisesRegex(SystemExit, "is of another recipe"):
            Training(self.recipe, self.folder, GUIDE)

    def test_the_file_must_be_the_one_that_the_recipe_names(self) -> None:
        for recipe, start in ((self.recipe, None), (Recipe(), GUIDE), (replace(self.recipe, start="0" * 64), GUIDE)):
            with self.assertRaises(ValueError):
                Training(recipe, self.folder, start)

    def test_the_file_has_the_mean_of_all_networks(self) -> None:
        models = [Training(recipe, self.folder, GUIDE).model for recipe in refreshed(GUIDE)]
        kept = models[0].output_norm.weight.detach().clone()
        with torch.no_grad():
            models[0].output_norm.weight.add_(1)
            models[1].output_norm.weight.add_(2)
        mean = mean_of(models)
        self.assertTrue(torch.allclose(mean.output_norm.weight, kept + 1.5))
        self.assertTrue(torch.equal(mean.embedding, models[1].embedding))

    def test_it_draws_other_texts(self) -> None:
        self.assertEqual(Recipe(seed=3).draws, "3")  # as it always was, so that a full training gives the same file
        self.assertNotEqual(self.recipe.draws, Recipe().draws)
