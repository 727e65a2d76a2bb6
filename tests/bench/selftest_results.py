#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that results.py replaces one section of RESULTS.md and leaves the others as they are."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import results

DOCUMENT = "# Results\n\nIntroduction.\n\n## Speed\n\nold speed\n\n### Detail\n\nold detail\n\n## Speed of others\n\nkept\n"


class Sections(unittest.TestCase):
    def test_replaces_one(self):
        self.assertEqual(results.replaced(DOCUMENT, "Speed", "new\n"), "# Results\n\nIntroduction.\n\n## Speed\n\nnew\n\n## Speed of others\n\nkept\n")

    def test_replaces_the_last(self):
        self.assertEqual(results.replaced(DOCUMENT, "Speed of others", "new"), DOCUMENT.replace("kept", "new"))

    def test_adds_a_new_one(self):
        self.assertEqual(results.replaced(DOCUMENT, "Memory", "new"), DOCUMENT + "\n## Memory\n\nnew\n")

    def test_again_changes_nothing(self):
        once = results.replaced(DOCUMENT, "Speed", "new")
        self.assertEqual(results.replaced(once, "Speed", "new"), once)

    def test_write_says_where_the_figures_come_from(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "RESULTS.md"
            path.write_text(DOCUMENT, encoding="utf-8")
            called = [str(results.FOLDER / "ablation.py"), "/somewhere/coterie-cli", "--ours", "--head full"]
            with mock.patch.object(results, "RESULTS", path), mock.patch.object(sys, "argv", called):
                results.write("Speed", "| table |")
            text = path.read_text(encoding="utf-8")
        self.assertRegex(text, r"## Speed\n\nCommit \S.*; \d{4}-\d\d-\d\d; .* threads.*\n`tests/bench/ablation.py coterie-cli --ours \"--head full\"`\n\n\| table \|\n")
        self.assertNotIn("/somewhere", text)


if __name__ == "__main__":
    unittest.main()
