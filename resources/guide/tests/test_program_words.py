# SPDX-License-Identifier: Apache-2.0
"""Looks in the program for what the guide says of it: keys, the words of buttons and menus, commands."""

import re
import unittest
from collections.abc import Iterator
from pathlib import Path

from guide.knowledge import read_entries

from .support import HOME

SOURCE = HOME.parent.parent
MODIFIERS = r"(?:Ctrl|Alt|Shift)"
KEYS = re.compile(rf"{MODIFIERS}\+(?:{MODIFIERS}\+)?(?:[A-Za-z][A-Za-z0-9]*|\d|[^\sA-Za-z0-9])")
QUOTED = re.compile(r"(?<![A-Za-z])'([A-Z][^']*)'")
TITLES = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def text_of(*patterns: str) -> str:
    """The text of all files of the program that match, their order fixed."""
    files: list[Path] = sorted(file for pattern in patterns for file in SOURCE.glob(pattern))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def plain(text: str) -> str:
    """A string of C++ or QML as it is shown, without the dots of a menu."""
    return text.replace("\\u2026", "").replace("\\\\", "\\")


def answers() -> Iterator[str]:
    for entry in read_entries("program.txt"):
        yield entry.answer


class TestProgramWords(unittest.TestCase):
    def test_keys_are_those_of_the_commands(self) -> None:
        known = {plain(text).replace("Return", "Enter") for text in TITLES.findall(text_of("app/shell/*_commands.cpp"))}
        named = {key for answer in answers() for key in KEYS.findall(answer)}
        self.assertIn("Ctrl+,", named)
        self.assertEqual(named - known, set())

    def test_quoted_words_are_those_of_the_window(self) -> None:
        shown = text_of("ui/**/*.qml", "app/chats/*.cpp", "app/shell/*.cpp", "app/settings/*.cpp")
        titles = {plain(text) for text in TITLES.findall(shown)}
        words = titles | {title.removesuffix(" %1") for title in titles}  # "Close %1" closes a model
        named = {word for answer in answers() for word in QUOTED.findall(answer)}
        self.assertIn("Offline", named)
        self.assertEqual(named - words, set())

    def test_commands_are_those_of_the_command_line(self) -> None:
        known = set(re.findall(r'addCommand<\w+>\(app, chosen, "(\w+)"', text_of("app/cli/commands/*.cpp")))
        entries = read_entries("program.txt")
        listed = next(entry.answer for entry in entries if entry.phrases[0] == "the list of coterie-cli commands")
        self.assertEqual(set(re.findall(r"\w+", listed.partition("commands ")[2].partition(".")[0])) - {"and"}, known)
        described = {entry.phrases[0].split()[1] for entry in entries if re.fullmatch(r"the \w+ command", entry.phrases[0])}
        self.assertEqual(described, known)


if __name__ == "__main__":
    unittest.main()
