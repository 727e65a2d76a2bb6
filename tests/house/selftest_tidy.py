#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs installers/lib/tidy.py in a folder made for it, with a program in clang-tidy's place that notes what it is asked to check."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKER = """#!/bin/sh
[ "$1" = --version ] && { echo "clang-tidy 14"; exit; }
for file; do :; done
echo "$file" >>"$ASKED"
! grep -q MISTAKE "$file"
"""


@unittest.skipUnless(shutil.which("c++"), "there is no compiler named c++ to preprocess with")
class EachTextIsCheckedOnce(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        self.asked = self.root / "asked"
        self.write("bin/clang-tidy", CHECKER).chmod(0o755)
        self.write(".clang-tidy", "Checks: '*'\n")
        self.write("engine/a.h", "int a();\n")
        self.write("engine/a.cpp", '#include "a.h"\nint a() { return A; } // a note\n')
        self.write("app/b.cpp", "int b() { return 2; }\n")
        self.write("tests/c.cpp", "int c() { return 3; }\n")
        self.write("installers/lib/tidy.py", (ROOT / "installers/lib/tidy.py").read_text(encoding="utf-8"))
        self.compile_with("-DA=1")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def compile_with(self, flag):
        sources = [self.root / name for name in ("engine/a.cpp", "app/b.cpp", "tests/c.cpp")]
        entries = [{"directory": str(self.root), "file": str(source), "command": f"ccache c++ {flag} -o {source.stem}.o -c {source}"} for source in sources]
        self.write("build/compile_commands.json", json.dumps(entries))

    def run_it(self, *files):
        """Returns the exit status, the last line, and the names of the files that were checked."""
        self.asked.write_text("", encoding="utf-8")
        surroundings = os.environ | {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(self.root / "cache"), "ASKED": str(self.asked)}
        done = subprocess.run([sys.executable, self.root / "installers/lib/tidy.py", self.root / "build", *files],
                              cwd=self.root, env=surroundings, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()[-1], sorted(pathlib.Path(line).name for line in self.asked.read_text().split())

    def test_what_was_clean_is_left_out(self):
        self.assertEqual(self.run_it(), (0, "clang-tidy: 2 files clean, 0 that were clean before, 0 not clean", ["a.cpp", "b.cpp"]))
        self.assertEqual(self.run_it(), (0, "clang-tidy: 0 files clean, 2 that were clean before, 0 not clean", []))

    def test_a_precompiled_header_is_left_out(self):
        self.compile_with("-DA=1 -Winvalid-pch -include /no/such/cmake_pch.hxx")
        self.assertEqual(self.run_it()[0], 0)
        self.assertNotIn("pch", (self.root / "build/tidy/compile_commands.json").read_text(encoding="utf-8"))

    def test_a_change_is_checked(self):
        changes = {"a header": lambda: self.write("engine/a.h", "int a(); int d();\n"),
                   "a comment": lambda: self.write("engine/a.cpp", '#include "a.h"\nint a() { return A; } // another note\n')}
        self.run_it()
        for what, change in changes.items():
            with self.subTest(what):
                change()
                self.assertEqual(self.run_it()[2], ["a.cpp"])
        with self.subTest("flags"):
            self.compile_with("-DA=2")
            self.assertEqual(self.run_it()[2], ["a.cpp", "b.cpp"])
        with self.subTest("checks"):
            self.write(".clang-tidy", "Checks: 'bugprone-*'\n")
            self.assertEqual(self.run_it()[2], ["a.cpp", "b.cpp"])

    def test_a_mistake_is_found_again_and_again(self):
        self.write("app/b.cpp", "int b() { return 2; } // MISTAKE\n")
        self.assertEqual(self.run_it(), (1, "clang-tidy: 1 files clean, 0 that were clean before, 1 not clean", ["a.cpp", "b.cpp"]))
        self.assertEqual(self.run_it(), (1, "clang-tidy: 0 files clean, 1 that were clean before, 1 not clean", ["b.cpp"]))

    def test_sources_that_are_compiled_as_one(self):
        one = self.write("build/app/Unity/unity_0_cxx.cxx", f'/* generated */\n\n#include "{self.root}/app/b.cpp"\n#include "{self.root}/engine/a.cpp"\n')
        entry = {"directory": str(self.root), "file": str(one), "command": f"ccache c++ -DA=1 -o one.o -c {one}"}
        self.write("build/compile_commands.json", json.dumps([entry]))
        self.assertEqual(self.run_it(), (0, "clang-tidy: 2 files clean, 0 that were clean before, 0 not clean", ["a.cpp", "b.cpp"]))

    def test_chosen_folders(self):
        self.assertEqual(self.run_it("app")[2], ["b.cpp"])
        self.assertEqual(self.run_it("app", "engine")[2], ["a.cpp"])
        status, words, asked = self.run_it("app/unknown")
        self.assertEqual((status, asked), (1, []))
        self.assertTrue(words.startswith("error: "), words)


GUARDED = """#include "base/mutex.h"
class Counter {
  public:
    int read() { return count_; }

  private:
    coterie::engine::Mutex mutex_;
    int count_ COTERIE_GUARDED_BY(mutex_) = 0;
};
"""


@unittest.skipUnless(shutil.which("clang-tidy") and shutil.which("c++"), "there is no clang-tidy")
class TheRealProgramChecksLocks(unittest.TestCase):
    def test_a_guarded_member_without_its_lock(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name in (".clang-tidy", "installers/lib/tidy.py", "engine/base/mutex.h"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)
            source = root / "gpu/counter.cpp"
            source.parent.mkdir()
            entry = {"directory": folder, "file": str(source), "command": f"c++ -std=c++20 -I{root}/engine -o counter.o -c {source}"}
            (root / "build").mkdir()
            (root / "build/compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            for text, status in ((GUARDED, 1), (GUARDED.replace("{ return", "{ const coterie::engine::MutexLock lock(mutex_); return"), 0)):
                source.write_text(text, encoding="utf-8")
                done = subprocess.run([sys.executable, root / "installers/lib/tidy.py", root / "build"], cwd=root, capture_output=True, text=True,
                                      env=os.environ | {"XDG_CACHE_HOME": str(root / "cache")})
                self.assertEqual(done.returncode, status, done.stdout)
                self.assertEqual("thread-safety" in done.stdout, bool(status), done.stdout)


if __name__ == "__main__":
    unittest.main()
