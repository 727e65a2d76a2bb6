#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program's name and its publisher stand in one file, and nowhere else."""
import pathlib
import re
import sys
import unittest

SOURCES = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCES / "installers/lib"))
import identity  # noqa: E402

IGNORED = {"build", ".git", ".cache", "__pycache__"}


def texts():
    for path in sorted(SOURCES.rglob("*")):
        parts = set(path.relative_to(SOURCES).parts)
        if not parts & IGNORED and path.is_file() and path.suffix not in {".png", ".gguf"} and path != identity.FILE:
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


class Identity(unittest.TestCase):
    def test_form(self):
        self.assertEqual(set(identity.read()) - {"pictures"}, {"id", "publisher", "address"})
        self.assertRegex(identity.read()["id"], r"^[a-z]+(\.[A-Za-z][A-Za-z0-9_]*){2,}$")  # as AppStream, Flatpak and macOS want it
        self.assertRegex(identity.read()["address"], r"^[^@ ]+@[^@ ]+$")
        self.assertRegex(identity.read().get("pictures", "https://a"), r"^https://[^ ]*[^ /]$")

    def test_one_place(self):
        for name, value in identity.read().items():
            pattern = re.compile(re.escape(value), re.IGNORECASE)
            self.assertEqual([str(path.relative_to(SOURCES)) for path, text in texts() if pattern.search(text)], [], f"{name} stands there, too")


if __name__ == "__main__":
    unittest.main()
