#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""installers/windows-qt with programs in the place of debootstrap, apt and chroot that note how they are called. Nothing is compiled and nothing fetched."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
INSIDE = SOURCES / "installers/lib/windows_qt_inside.sh"
STAGES = ["tools", "sources", "unpack", "base-configure", "base-build", "declarative-configure", "declarative-build", "sqlite", "sqlitecpp", "md4c", "runtime"]
VERSION = "6.8.2+dfsg"

# Root, with every package installed.
PROGRAMS = {
    "id": "echo ${USER_NUMBER:-0}",
    "dpkg-query": f"""case "$*" in *Upstream*) printf '%s' "${{TOOLS_VERSION:-{VERSION}}}" ;; *) for word; do echo "$word installed"; done ;; esac""",
    "apt-get": """[ "$1" != indextargets ] || echo "mirror:/debian trixie main"
        case $1 in source)
            echo "source $3" >>"$CALLS"
            case $3 in $LACKING) exit 100 ;; qt6-*/trixie) version=""" + VERSION + """ ;; *) version=1.0 ;; esac
            touch "${3%/*}_$version.orig.tar.xz"
            # A mirror may have the archive and not the description.
            case $3 in qt6-declarative/*) exit 100 ;; esac
        esac""",
    "debootstrap": """echo "debootstrap $4" >>"$CALLS"
        mkdir -p "$3/debootstrap" "$3/etc/apt"
        touch "$3/etc/apt/sources.list"
        [ -z "${STOP_DEBOOTSTRAP:-}" ] || exit 1
        rmdir "$3/debootstrap" """,
    # unshare --mount bash -c SCRIPT in_debian DEBIAN ROOT WORK INTO COMMAND ...
    "unshare": """shift 9
        case "$1" in */windows_qt_inside.sh) echo "stage $2" >>"$CALLS"; [ "$2" != "${BROKEN:-}" ] ;; *) echo "inside $*" >>"$CALLS" ;; esac""",
}


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.checkout = self.folder / "checkout"
        for name in ("windows-qt", "lib/packages.sh", "lib/windows_debian.sh", "lib/windows_qt_inside.sh"):
            target = self.checkout / "installers" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCES / "installers" / name, target)
        programs = self.folder / "programs"
        programs.mkdir()
        for name, text in PROGRAMS.items():
            (programs / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
            (programs / name).chmod(0o755)
        self.calls = self.folder / "calls"
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "CALLS": str(self.calls), "LACKING": "nothing"}
        self.environment.pop("CI", None)

    def run_program(self, command, **environment):
        self.calls.write_text("", encoding="utf-8")
        done = subprocess.run(command, env={**self.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.said = done.stdout
        return done.returncode

    def make(self, *options, **environment):
        return self.run_program([self.checkout / "installers/windows-qt", *options], **environment)

    def called(self):
        return self.calls.read_text(encoding="utf-8").splitlines()


class Outside(Case):
    def test_each_stage_once(self):
        self.assertEqual(self.make(), 0, self.said)
        self.assertEqual(self.called(), ["debootstrap mirror:/debian"] + [f"stage {stage}" for stage in STAGES])
        self.assertEqual(self.make(), 0, self.said)
        self.assertEqual(self.called(), [])

    def test_continues_where_it_failed(self):
        self.assertEqual(self.make(BROKEN="base-build"), 1)
        self.assertIn("error: the stage 'base-build' failed; ", self.said)
        self.assertEqual(self.make("--state"), 0)
        done = STAGES.index("base-build")
        self.assertEqual(self.said.splitlines(), ["done  debian"] + [f"done  {stage}" for stage in STAGES[:done]] + [f"open  {stage}" for stage in STAGES[done:]])
        self.assertEqual(self.make(), 0, self.said)
        self.assertEqual(self.called(), [f"stage {stage}" for stage in STAGES[done:]])

    def test_half_a_debian_is_made_anew(self):
        self.assertEqual(self.make(STOP_DEBOOTSTRAP="1"), 1)
        left = self.checkout / "build/windows-debian/debootstrap/left"
        left.touch()
        self.assertEqual(self.make(), 0, self.said)
        self.assertFalse(left.exists())

    def test_a_debian_that_is_there_is_used(self):
        there = self.folder / "there"
        (there / "etc/apt").mkdir(parents=True)
        (there / "etc/apt/sources.list").touch()
        self.assertEqual(self.make("--debian", str(there), "--work", str(self.folder / "work"), "--into", str(self.folder / "into")), 0, self.said)
        self.assertEqual(self.called(), [f"stage {stage}" for stage in STAGES])
        self.assertTrue((self.folder / "work/done/runtime").exists())
        self.assertFalse((self.checkout / "build/windows-debian").exists())

    def test_a_command_inside(self):
        self.assertEqual(self.make("inside", "cmake", "--version"), 0, self.said)
        self.assertEqual(self.called(), ["inside cmake --version"])

    def test_refusals(self):
        for options, code, words in ((["--jobs", "none"], 2, "--jobs needs a number"), (["--into"], 2, "--into names no folder"), (["--all"], 2, "has no option '--all'")):
            self.assertEqual(self.make(*options), code)
            self.assertIn(f"error: {words}" if words.startswith("--") else words, self.said)
        self.assertEqual(self.make(USER_NUMBER="1000"), 1)
        self.assertIn("needs root", self.said)
        self.assertEqual(self.called(), [])


class Inside(Case):
    """The stages that only fetch and unpack."""

    def stage(self, name, **environment):
        return self.run_program([INSIDE, name, self.folder / "work", self.folder / "into", "1"], **environment)

    def fetched(self):
        return sorted(path.name for path in (self.folder / "work/sources").iterdir())

    def test_stages_are_functions(self):
        text = INSIDE.read_text(encoding="utf-8")
        self.assertEqual([stage for stage in STAGES if not re.search(rf"^{stage}\(\) ", text, re.MULTILINE)], [])

    def test_sources(self):
        self.assertEqual(self.stage("sources"), 0, self.said)
        self.assertIn(f"qt6-declarative_{VERSION}.orig.tar.xz", self.fetched())
        self.assertEqual([call for call in self.called() if call.endswith("/bookworm")], [])
        self.assertEqual(self.stage("sources"), 0, self.said)
        self.assertEqual(self.called(), [])

    def test_what_debian_13_lacks_comes_from_debian_12(self):
        self.assertEqual(self.stage("sources", LACKING="sqlitecpp/trixie"), 0, self.said)
        self.assertIn("source sqlitecpp/bookworm", self.called())

    def test_what_nobody_has(self):
        self.assertEqual(self.stage("sources", LACKING="md4c/*"), 1)
        self.assertIn("source-md4c failed", self.said)

    def test_the_programs_of_qt_have_the_version_of_its_source(self):
        self.assertEqual(self.stage("sources", TOOLS_VERSION="6.4.2+dfsg"), 1)
        self.assertIn("has another version than its programs, 6.4.2+dfsg", self.said)

    def test_folders_of_qt_that_are_left_out(self):
        listed = self.folder / "work/qt6-declarative/src/CMakeLists.txt"
        for name in ("qt6-base", "qt6-declarative", "sqlite3", "sqlitecpp", "md4c"):
            (self.folder / f"work/{name}/src").mkdir(parents=True)
            (self.folder / f"work/{name}/.unpacked").touch()
        listed.write_text("add_subdirectory(qml)\nif(A)\n    add_subdirectory(effects)\nendif()\nadd_subdirectory(labs)\n", encoding="utf-8")
        wanted = "add_subdirectory(qml)\nif(A)\n    # effects is left out\nendif()\nadd_subdirectory(labs/folderlistmodel)\n"
        for _ in range(2):
            self.assertEqual(self.stage("unpack"), 0, self.said)
            self.assertEqual(listed.read_text(encoding="utf-8"), wanted)


if __name__ == "__main__":
    unittest.main()
