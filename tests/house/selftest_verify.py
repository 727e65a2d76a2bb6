#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `installers/dev verify` in a repository made for it, with programs in the place of cmake, ctest, fuzz targets and the package manager that note
how they are called. Nothing is compiled."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Every package counts as installed.
PACKAGES = """#!/bin/sh
for word; do echo "$word installed"; done
"""
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
case $1 in --preset) mkdir -p "build/$2"; : >"build/$2/build.ninja" ;; esac
case "$*" in *"${BROKEN_BUILD:-no build}"*) echo "FAILED: a.cpp"; exit 1 ;; esac
"""
# The tests of build/PRESET/FOLDER are the tst_ files in FOLDER. One that says MISTAKE fails; one that says STOP interrupts the whole call once, after the
# test before it was noted.
CTEST = """#!/bin/bash
only=. label='' show=''
while [ $# -gt 0 ]; do
    case $1 in --test-dir) folder=$2 ;; -R) only=$2 ;; -L) label=$2 ;; --show-only) show=1 ;; esac
    shift
done
[ -n "$show" ] || echo "ctest $folder long=${COTERIE_LONG_TESTS:-} only=$only" >>"$CALLS"
inner=$(cut -d / -f 3- <<<"$folder") number=0 status=0 before=''
[ -n "$inner" ] || inner=tests
for file in $(find "$inner" -name 'tst_*.cpp' | sort); do
    name=$(basename "$file" .cpp) number=$((number + 1))
    [[ $name =~ $only ]] && grep -q "${label//[^a-z]/}" <(echo; cat "$file") || continue
    if [ -n "$show" ]; then echo "  Test  #$number: $name"
    elif grep -q MISTAKE "$file"; then echo "$number/9 Test #$number: $name .......***Failed    0.01 sec"; status=8
    elif grep -q STOP "$file" && [ ! -e build/stopped ]; then
        : >build/stopped
        for try in {1..6000}; do ! ls build/verify/*/passed/*/"$before" >/dev/null 2>&1 || break; sleep 0.01; done
        kill -INT 0
    else echo "$number/9 Test #$number: $name .......   Passed    0.01 sec"; before=$name
    fi
done
exit $status
"""
CLANG_FORMAT = """#!/bin/sh
echo "clang-format $*" >>"$CALLS"
[ "$1" = -i ] || ! grep -l MISTAKE $(printf '%s\\n' "$@" | grep -v '^-')
"""
NOTE = """import os, sys
print(*sys.argv, file=open(os.environ["CALLS"], "a"))
print("clang-tidy: noted")
"""
FUZZ = """#!/bin/sh
echo "fuzz $(basename "$0") $1" >>"$CALLS"
for word; do case $word in -dict=*) echo "with $word" >>"$CALLS" ;; esac; done
"""
CLI = """#!/bin/sh
printf 'scalar  runs here\\navx2  chosen\\namx  not here\\n'
"""
REFERENCE = """import os, sys
print(*sys.argv[2:], file=open(os.environ["CALLS"], "a"))
sys.exit(sys.argv[-1] == os.environ.get("WRONG"))
"""
# Test list of each folder, then the files of its tests with the words in them.
TESTS = {"base": ("LABELS engine threads", {"tst_memory": "", "tst_reads": "threads"}), "decoder": ("LABELS engine", {"tst_head": "", "tst_router": ""}),
         "app": ("LABELS app threads", {"tst_store": "threads", "tst_units": ""}), "text": ("LABELS app", {"tst_layout": ""}),
         "cli": ("LABELS cli", {"tst_cli": ""}), "ui": ("LABELS ui", {"tst_window": ""}), "house": ("LABELS house", {}), "support": ("", {})}
FUZZ_LIST = "  set_tests_properties(x PROPERTIES LABELS \"engine;fuzz\")\ncoterie_fuzz(head LINKS coterie_decoder)\ncoterie_fuzz(math LINKS coterie_text)\n"


@unittest.skipUnless(shutil.which("bash") and shutil.which("git"), "bash or git is not here")
class Repository(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root, self.calls = pathlib.Path(scratch.name).resolve() / "main", pathlib.Path(scratch.name).resolve() / "calls"
        for name, text in {"apt-get": PACKAGES, "dpkg-query": PACKAGES, "cmake": CMAKE, "ctest": CTEST, "clang-format": CLANG_FORMAT}.items():
            self.write(f"../bin/{name}", text).chmod(0o755)
        self.write("../shared/reference/check.py", REFERENCE)
        shutil.copytree(ROOT / "installers", self.root / "installers")
        self.write(".gitignore", "/build/\n")
        for folder, (words, tests) in TESTS.items():
            self.write(f"tests/{folder}/CMakeLists.txt", f"coterie_test(x {words})\n" if words else "")
            for name, text in tests.items():
                self.write(f"tests/{folder}/{name}.cpp", text)
        self.write("tests/fuzz/CMakeLists.txt", FUZZ_LIST)
        for name in ("engine/base/a.cpp", "engine/decoder/a.cpp", "app/a.cpp", "app/store/a.cpp", "app/text/a.cpp", "app/cli/a.cpp", "app/main/a.cpp", "ui/A.qml"):
            self.write(name, "")
        for name, text in {"bin/coterie-cli": CLI, "../fuzz/tests/fuzz_head": FUZZ, "../fuzz/tests/fuzz_math": FUZZ}.items():
            self.write(f"build/release/{name}", text).chmod(0o755)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("Begin")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def surroundings(self, more=()):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COTERIE_"))}
        return kept | {"PATH": f"{self.root.parent / 'bin'}:{os.environ['PATH']}", "CALLS": str(self.calls), "GIT_CONFIG_GLOBAL": os.devnull,
                       "GIT_CONFIG_SYSTEM": os.devnull} | dict(more)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=self.root, env=self.surroundings(), check=True,
                       capture_output=True)

    def commit(self, subject):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def verify(self, *words, **more):
        return self.dev("verify", *words, **more)

    def dev(self, *words, **more):
        """Returns the exit status and what was printed, and leaves the calls of the other programs in self.asked."""
        self.calls.write_text("", encoding="utf-8")
        done = subprocess.run([self.root / "installers/dev", *words], env=self.surroundings(more.items()), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, start_new_session=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.asked = self.calls.read_text(encoding="utf-8").splitlines()
        return done.returncode, done.stdout

    def planned(self, *words):
        status, printed = self.verify(*words, "--list")
        self.assertEqual((status, self.asked), (0, []), printed)
        return [line for line in printed.splitlines() if not line.startswith(("Compared", "left out"))]


class CallsBecomeUnits(Repository):
    def test_parts_and_areas(self):
        for words, units in {
                "tests": ["tests"], "long engine/base": ["long tests/base"], "asan engine/base": ["asan tests/base"], "asan engine/base/": ["asan tests/base"],
                "asan tests/decoder": ["asan tests/decoder"], "asan app/store": ["asan tests/app"], "asan app/text": ["asan tests/app", "asan tests/text"],
                "asan app/cli": ["asan tests/cli"], "asan app/main": ["asan tests/ui"], "asan app": ["asan tests/app", "asan tests/text"],
                "asan": [f"asan tests/{name}" for name in ("base", "decoder", "fuzz", "app", "text")],
                "tsan": ["tsan tests/app threads", "tsan tests/base threads"], "tsan engine/decoder": ["tsan tests/decoder"],
                "tsan engine app threads": ["tsan tests/base threads", "tsan tests/app threads"], "tidy": ["tidy"], "tidy app/store": ["tidy app/store"],
                "tidy app/store app": ["tidy app"], "fuzz": ["fuzz head 180", "fuzz math 180"], "fuzz 60 math": ["fuzz math 60"],
                "cross": ["cross windows", "cross aarch64"], "cross aarch64": ["cross aarch64"], "fresh asan engine/base reference":
                ["reference", "asan tests/base", "fresh"], "asan engine/base asan engine/base": ["asan tests/base"]}.items():
            with self.subTest(words):
                self.assertEqual(self.planned(*words.split()), units)

    def test_every_unit_is_a_call(self):
        units = self.planned("all")
        self.assertEqual({unit.split()[0] for unit in units}, {"tests", "long", "reference", "tidy", "asan", "tsan", "fuzz", "cross", "fresh", "packages"})
        self.assertIn("tsan tests/decoder", units)
        self.assertNotIn("asan tests/house", units)
        for unit in units:
            self.assertEqual(self.planned(*unit.split()), [unit])

    def test_wrong_words(self):
        for words in ("sanitize", "asan engine/none", "asan tests/house", "tsan engine/decoder threads", "tidy ui", "fuzz none", "cross mac", "fresh now", "--all",
                      "changed --since none", "changed fuzz 60 --since none"):
            with self.subTest(words):
                status, printed = self.verify(*words.split(), "--list")
                self.assertEqual(status, 2, printed)
                error = printed.splitlines()[-1]
                self.assertTrue(error.startswith("error: ") and error.count("; ") >= 2, printed)

    def test_help(self):
        status, printed = self.verify("--help")
        self.assertEqual(status, 0)
        for part in ("tests", "long", "reference", "tidy", "asan", "tsan", "fuzz", "cross", "fresh", "packages", "changed", "all", "--since", "--list"):
            self.assertIn(part, printed)


class ChangesBecomeUnits(Repository):
    def changed(self, *names, text="// changed\n"):
        """The units after these files changed and were committed on another branch than main."""
        self.git("checkout", "--quiet", "-B", "work", "main")
        for name in names:
            self.write(name, text)
        self.commit("Change")
        return self.planned()

    def test_an_area_of_the_engine(self):
        everywhere = ["cross windows", "cross aarch64"]
        self.assertEqual(self.changed("engine/base/a.cpp"),
                         ["long tests/base", "reference", "tidy engine/base", "asan tests/base", "tsan tests/base threads", *everywhere])
        self.assertEqual(self.changed("engine/decoder/new/a.h"),
                         ["long tests/decoder", "reference", "tidy engine/decoder", "asan tests/decoder", "fuzz head 180", *everywhere])

    def test_an_area_of_the_window(self):
        self.assertEqual(self.changed("app/store/a.cpp"), ["long tests/app", "tidy app/store", "asan tests/app", "tsan tests/app threads"])
        self.assertEqual(self.changed("app/store/a.cpp", "app/a.cpp"),
                         ["long tests/app", "long tests/text", "tidy app", "asan tests/app", "asan tests/text", "tsan tests/app threads"])
        self.assertEqual(self.changed("ui/A.qml"), ["long tests/ui"])
        self.assertEqual(self.changed("app/cli/a.cpp"), ["long tests/cli", "reference", "tidy app/cli", "asan tests/cli", "cross windows", "cross aarch64"])

    def test_tests(self):
        self.assertEqual(self.changed("tests/decoder/tst_head.cpp"), ["long tests/decoder", "asan tests/decoder"])
        self.assertEqual(self.changed("tests/support/a.h", "tests/ui/tst_window.cpp"), ["long", "asan tests/ui"])
        self.assertEqual(self.changed("tests/fuzz/corpus/math/1", "tests/fuzz/corpus/none/1"), ["long tests/fuzz", "asan tests/fuzz", "fuzz math 180"])
        self.assertEqual(self.changed("tests/fuzz/dictionaries/math.dict"), ["long tests/fuzz", "asan tests/fuzz", "fuzz math 180"])

    def test_the_bare_machine(self):
        for name in ("installers/lib/new.sh", "vcpkg.json", "tests/fresh-machine.sh"):
            self.assertEqual(self.changed(name), ["fresh"], name)
        self.assertEqual(self.changed("resources/desktop/coterie.desktop"), ["packages"])
        self.assertEqual(self.changed("installers/package"), ["fresh", "packages"])
        self.assertEqual(self.changed("resources/windows/a.rc"), ["cross windows", "cross aarch64"])
        self.assertEqual(self.changed("cmake/a.cmake"), ["cross windows", "cross aarch64", "fresh"])
        self.assertIn("fresh", self.changed("app/text/CMakeLists.txt", text="find_package(New)\n"))
        self.assertNotIn("fresh", self.changed("app/text/CMakeLists.txt", text="target_sources(new.cpp)\n"))

    def test_nothing(self):
        self.assertEqual(self.changed("README.md", "engine/base/README.md"), ["Nothing that verify checks has changed."])

    def test_clang_tidy(self):
        self.assertEqual(self.changed(".clang-tidy"), ["tidy"])

    def test_where_changes_begin(self):
        self.write("engine/decoder/a.cpp", "// first\n")
        self.commit("Change the decoder")
        for number in range(9):
            self.commit(f"Commit {number}")
        self.assertIn("asan tests/decoder", self.planned("changed"))
        self.commit("The tenth commit after the change")
        self.assertEqual(self.planned("changed"), ["Nothing that verify checks has changed."])
        self.assertIn("asan tests/decoder", self.planned("changed", "--since", "HEAD~11"))
        self.write("app/store/new.cpp", "")
        self.assertIn("asan tests/app", self.planned())
        self.git("update-ref", "refs/remotes/origin/main", "HEAD~11")
        self.assertIn("asan tests/decoder", self.planned())


class UnitsRun(Repository):
    def test_what_passed_is_kept(self):
        status, printed = self.verify("asan", "engine/base", "long", "fuzz", "head", "60")
        self.assertEqual(status, 0, printed)
        self.assertIn("3 passed, 0 kept from before, 0 failed, 0 not run", printed)
        self.assertIn("ctest build/asan/tests/base long= only=.", self.asked)
        self.assertIn("ctest build/release long=1 only=.", self.asked)
        self.assertIn("cmake --build build/asan --target tests/base/all", self.asked)
        self.assertIn("fuzz fuzz_head -max_total_time=60", self.asked)
        self.assertFalse([line for line in self.asked if line.startswith("with")])
        self.assertEqual(self.planned("asan", "engine/base"), ["asan tests/base  # has passed at this commit"])
        status, printed = self.verify("asan", "engine/base", "long")
        self.assertEqual((status, self.asked), (0, []), printed)
        self.assertIn("kept: asan tests/base has passed at this commit", printed)
        self.commit("Another commit")
        self.verify("asan", "engine/base")
        self.assertIn("ctest build/asan/tests/base long= only=.", self.asked)

    def test_a_target_gets_the_words_of_its_format(self):
        self.write("tests/fuzz/dictionaries/head.dict", '"word"\n')
        self.commit("Add words")
        status, printed = self.verify("fuzz", "60")
        self.assertEqual(status, 0, printed)
        self.assertEqual([line for line in self.asked if line.startswith("with")], ["with -dict=tests/fuzz/dictionaries/head.dict"])

    def test_a_changed_tree_keeps_nothing(self):
        self.write("new.txt", "")
        for _ in range(2):
            status, printed = self.verify("asan", "engine/base")
            self.assertEqual((status, self.asked[-1]), (0, "ctest build/asan/tests/base long= only=."), printed)
            self.assertIn("nothing that passes is kept", printed)

    def test_it_goes_on_after_a_failure(self):
        self.write("tests/base/tst_reads.cpp", "MISTAKE")
        self.commit("Break a test")
        status, printed = self.verify("asan", "engine/base", "engine/decoder")
        self.assertEqual(status, 1, printed)
        self.assertIn("tst_reads .......***Failed", printed)
        self.assertIn("1 passed, 0 kept from before, 1 failed, 0 not run", printed)
        self.assertRegex(printed, r"failed:  asan tests/base \(build/verify/[0-9a-f]{40}/asan-tests-base\.log\)")
        status, printed = self.verify("asan", "engine/base", "engine/decoder")
        self.assertEqual(status, 1, printed)
        self.assertIn("0 passed, 1 kept from before, 1 failed, 0 not run", printed)
        self.assertEqual([call for call in self.asked if call.startswith("ctest")], ["ctest build/asan/tests/base long= only=^(tst_reads)$"])

    def test_a_build_that_fails_fails_its_unit(self):
        status, printed = self.verify("asan", "engine/base", "engine/decoder", BROKEN_BUILD="--target tests/base/all")
        self.assertEqual(status, 1, printed)
        self.assertIn("    FAILED: a.cpp", printed)
        self.assertEqual([call for call in self.asked if call.startswith("ctest")], ["ctest build/asan/tests/decoder long= only=."])

    def test_only_the_label_threads(self):
        status, printed = self.verify("tsan", "engine/base", "threads")
        self.assertEqual(status, 0, printed)
        self.assertIn("cmake --build build/tsan --target tst_reads", self.asked)

    def test_no_tests_are_a_failure(self):
        for path in (self.root / "tests/text").glob("tst_*"):
            path.unlink()
        self.commit("Remove the tests of a folder")
        status, printed = self.verify("asan", "tests/text")
        self.assertEqual(status, 1, printed)
        self.assertIn("error: there are no tests in build/asan/tests/text", printed)

    def test_each_table_of_kernels_once(self):
        status, printed = self.verify("reference", WRONG="scalar")
        self.assertEqual((status, self.asked[-2:]), (1, ["--kernels scalar", "--kernels avx2"]), printed)
        status, printed = self.verify("reference")
        self.assertEqual((status, self.asked[-2:]), (0, ["cmake --build build/release --target coterie-cli", "--kernels scalar"]), printed)

    def test_clang_tidy_checks_an_area(self):
        self.write("installers/lib/tidy.py", NOTE)
        self.commit("Note what is checked")
        status, printed = self.verify("tidy", "app/store")
        self.assertEqual((status, self.asked[-1]), (0, "installers/lib/tidy.py build/release app/store"), printed)
        status, printed = self.verify("tidy")
        self.assertEqual((status, self.asked[-1]), (0, "installers/lib/tidy.py build/release"), printed)

    @unittest.skipUnless(pathlib.Path("/usr/include/CLI").exists() and pathlib.Path("/usr/include/nlohmann").exists(), "no headers to build with")
    def test_cross(self):
        self.write("tests/cross/check_cross.py", NOTE)
        self.commit("Note what is checked")
        status, printed = self.verify("cross", "aarch64")
        self.assertEqual(status, 0, printed)
        self.assertIn("cmake --build build/cross-aarch64", self.asked)
        self.assertRegex(self.asked[-1], "--runner qemu-aarch64 .* build/cross-aarch64/bin/coterie-cli ")

    def test_format(self):
        self.write("app/a.cpp", "MISTAKE")
        status, printed = self.dev("lint", "--yes")
        self.assertEqual(status, 1, printed)
        self.assertIn("./installers/dev format", printed)
        status, printed = self.dev("format")
        self.assertEqual((status, self.asked[0][:15]), (0, "clang-format -i"), printed)
        self.write("app/a.cpp", "")
        self.assertEqual(self.dev("lint")[0], 0)

    def test_stopped_and_continued(self):
        self.write("tests/base/tst_reads.cpp", "STOP")
        self.commit("Stop here")
        status, printed = self.verify("asan", "engine/base", "engine/decoder")
        self.assertEqual(status, 130, printed)
        self.assertIn("verify was stopped: 0 passed, 0 kept from before, 0 failed, 2 not run", printed)
        self.assertIn("The same call continues with asan tests/base.", printed)
        status, printed = self.verify("asan", "engine/base", "engine/decoder")
        self.assertEqual(status, 0, printed)
        self.assertEqual([call for call in self.asked if call.startswith("ctest")],
                         ["ctest build/asan/tests/base long= only=^(tst_reads)$", "ctest build/asan/tests/decoder long= only=."])


if __name__ == "__main__":
    unittest.main()
