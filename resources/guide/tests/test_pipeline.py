# SPDX-License-Identifier: Apache-2.0
"""The whole way from a seed or a file to a file, in small: killed on its way, gone on, opened and evaluated by the program."""

import json
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from .support import HOME, PROGRAM, needs_guide, needs_program, needs_torch

PATIENCE_S = 600


@needs_program
@needs_torch
class TestPipeline(unittest.TestCase):
    def test_smoke(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            command = [HOME / "make", "--smoke", "--work", work, "--program", PROGRAM]
            self.kill_after_a_checkpoint(command, work / "checkpoint.pt")
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            # Gone on from the checkpoint, not begun again.
            self.assertNotIn("step 10 of 50", done.stdout)
            self.assertIn("step 50 of 50", done.stdout)
            self.assertNotIn("refreshes", self.check(work)["training"])

    @needs_guide
    def test_refresh(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            command = [HOME / "make", "--refresh", "--smoke", "--work", work, "--program", PROGRAM]
            self.kill_after_a_checkpoint(command, work / "1/checkpoint.pt")
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("step 10 of 30"), 1)  # the second training begins anew
            self.assertEqual(done.stdout.count("step 30 of 30"), 2)
            self.assertFalse((work / "tokenizer.json").exists())
            report = self.check(work)
            self.check_history(report["training"])
            # The file still knows what it knew; so few questions are asked that one or two may fail.
            asked, right = (sum(score[key] for score in report["abilities"]) for key in ("asked", "right"))
            self.assertGreaterEqual(right / asked, 0.8)

    def check_history(self, training: dict) -> None:
        """The full training's figures stay, and the refresh is added to those before it."""
        before = json.loads((HOME / "report.json").read_text(encoding="utf-8"))["training"]
        *earlier, last = training.pop("refreshes")
        self.assertEqual(earlier, before.pop("refreshes", []))
        self.assertEqual(training, before)
        self.assertEqual((last["steps"], last["tokens"]), (60, 60 * 4096))

    def kill_after_a_checkpoint(self, command: list, checkpoint: Path) -> None:
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while not checkpoint.exists():
            self.assertIsNone(running.poll(), "make ended before its first checkpoint")
            self.assertLess(time.monotonic(), end, "no checkpoint came")
            time.sleep(0.1)
        running.send_signal(signal.SIGKILL)
        running.wait()

    def check(self, work: Path) -> dict:
        """Returns the report."""
        report = json.loads((work / "report.json").read_text(encoding="utf-8"))
        self.assertEqual(report["bytes"], (work / "guide.gguf").stat().st_size)
        self.assertLessEqual(report["bytes"], 14_000_000)
        self.assertEqual(len(report["abilities"]), 13)
        # Hardly trained, but rounding to Q8_0 must not be seen even so, and the gates work.
        self.assertLess(abs(report["perplexity"]["shipped"] / report["perplexity"]["float"] - 1), 0.01)
        self.assertTrue((work / "traces.json").exists())
        return report

    def test_another_recipe_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            import torch

            torch.save({"recipe": "another"}, Path(folder, "checkpoint.pt"))
            command = [HOME / "make", "--smoke", "--work", folder, "--program", PROGRAM]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is of another recipe", done.stderr)
