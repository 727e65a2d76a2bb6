#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manual.py reads the help of CLI11's versions, and what it writes is whole: a page and completions for bash, zsh and fish."""
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "resources/manual/manual.py"
spec = importlib.util.spec_from_file_location("manual", SCRIPT)
manual = importlib.util.module_from_spec(spec)
sys.modules["manual"] = manual  # dataclasses look their module up
spec.loader.exec_module(manual)

TOP = """Runs models
Usage: prog [OPTIONS] SUBCOMMAND

Options:
  -h,--help                   Print this help message and exit
  --version                   Display program version information and exit

Subcommands:
  talk                        Talks, and doesn't stop
  count                       Counts
"""
TALK = """Talks, and doesn't stop
Usage: prog talk [OPTIONS] MODEL

Positionals:
  MODEL TEXT REQUIRED         A model [file]

Options:
  -h,--help                   Print this help message and exit
  --eviction POLICY:{lru->0,lfu->1}
                              Which experts go: first
  --data-dir FOLDER           Where things are


Lossy: faster:
  --sure SHARE:0 to 1         Leave out
"""
# CLI11 2.5 writes headings in capitals, and another width.
COUNT = """Counts
Usage: prog count [OPTIONS] TRACE


POSITIONALS:
  TRACE TEXT                  A trace

OPTIONS:
  -h,     --help              Print this help message and exit
          --limit INT:1 to 9  .5 is not a number
"""


def program():
    return types.SimpleNamespace(name="prog", version="1.2.3", help=manual.parse(TOP),
                                 commands={"talk": manual.parse(TALK), "count": manual.parse(COUNT)})


class Manual(unittest.TestCase):
    def test_help_is_read(self):
        talk = manual.parse(TALK)
        self.assertEqual(talk.usage, "prog talk [OPTIONS] MODEL")
        self.assertEqual([entry.names for entry in talk.options], [["-h", "--help"], ["--eviction"], ["--data-dir"], ["--sure"]])
        self.assertEqual(talk.options[1].choices, ["lru", "lfu"])
        self.assertEqual(talk.options[1].text, "Which experts go: first")
        self.assertEqual([title for title, _ in talk.groups], ["Positionals", "Options", "Lossy: faster"])
        count = manual.parse(COUNT)
        self.assertEqual([entry.names for entry in count.options], [["-h", "--help"], ["--limit"]])
        self.assertEqual(count.positionals[0].value, "TEXT")

    def test_page(self):
        page = manual.manual(program(), ["other"])
        for part in (".SH NAME\nprog \\- runs models", ".SS talk", "\\fB\\-\\-eviction\\fR", "doesn\\(aqt", "\\&.5 is not", ".SH EXIT STATUS"):
            self.assertIn(part, page)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")

    def complete(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "prog")
            path.write_text(manual.bash(program()))
            line = " ".join(f"'{word}'" for word in words)
            done = subprocess.run(["bash", "-c", f"source {path}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _prog; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("prog", "ta"), ["talk"])
        self.assertEqual(self.complete("prog", "talk", "--ev"), ["--eviction"])
        self.assertEqual(self.complete("prog", "talk", "--eviction", ""), ["lru", "lfu"])
        self.assertEqual(self.complete("prog", "count", "--ev"), [])
        self.assertEqual(self.complete("prog", "count", "--limit", ""), [])
        self.assertEqual(self.complete("prog", "talk", "--data-dir", "/us"), ["/usr"])

    def test_shells_read_what_is_written(self):
        for shell, text in (("bash", manual.bash(program())), ("zsh", manual.zsh(program())), ("fish", manual.fish(program()))):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n", "/dev/stdin"], input=text, capture_output=True, text=True, check=False)
                self.assertEqual((shell, done.returncode, done.stderr), (shell, 0, ""))

    def test_fish(self):
        text = manual.fish(program())
        self.assertIn("complete -c prog -n '__fish_seen_subcommand_from talk' -l eviction -x -a 'lru lfu'", text)
        self.assertIn("-a talk -d 'Talks, and doesn\\'t stop'", text)


if __name__ == "__main__":
    unittest.main()
