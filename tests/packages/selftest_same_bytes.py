#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPack gives the same bytes in any folder, and the script that compares the packages of two clones finds what differs. Nothing is compiled.

    selftest_same_bytes.py --cmake CMAKE
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).parents[2]
CMAKE = "cmake"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(Coterie VERSION 1.2.3 LANGUAGES NONE)
set(CMAKE_INSTALL_DATADIR share)
set(COTERIE_PACKAGE deb)
set(PROJECT_SOURCE_DIR "${SOURCES}")
include("${SOURCES}/cmake/CoterieIdentity.cmake")
install(DIRECTORY "${SOURCES}/resources/licences/" DESTINATION share/coterie/licences COMPONENT program)
include("${SOURCES}/cmake/CoteriePackages.cmake")
"""
# A script in the place of installers/package. It packs one file, whose contents are those of the variable.
STANDIN = """#!/bin/sh
set -e
mkdir -p build/packages/tree
printf '%s' "{contents}" >build/packages/tree/file
tar --create --directory build/packages --sort=name --mtime=@0 --owner=0 --group=0 tree | xz >"build/packages/$1.tar.xz"
rm -r build/packages/tree
"""


class Archives(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    @unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "dpkg's tools are not here")
    def test_cpack(self):
        made = []
        for turn, name in enumerate(("one", "another/and-longer")):
            folder = self.folder / name
            folder.mkdir(parents=True)
            (folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
            environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "TZ": ("UTC", "Pacific/Kiritimati")[turn]}
            subprocess.run([CMAKE, "-S", folder, "-B", folder / "build", f"-DSOURCES={SOURCES}", "-DCMAKE_INSTALL_PREFIX=/usr"], check=True, env=environment,
                           stdout=subprocess.DEVNULL)
            subprocess.run([pathlib.Path(shutil.which(CMAKE)).with_name("cpack"), "--config", folder / "build/CPackConfig.cmake", "-B", folder / "packages",
                            "-D", f"CPACK_OUTPUT_FILE_PREFIX={folder / 'packages'}"], check=True, env=environment, stdout=subprocess.DEVNULL)
            made.append([path.read_bytes() for path in sorted((folder / "packages").glob("*.deb"))])
        self.assertEqual(len(made[0]), 1)
        self.assertEqual(made[0], made[1])

    def run_script(self, contents):
        """Runs the script in a repository whose packages have these contents."""
        sources = self.folder / "sources"
        for name in ("tests/packages", "installers"):
            (sources / name).mkdir(parents=True)
        shutil.copy(SOURCES / "tests/packages/same_bytes", sources / "tests/packages")
        (sources / "installers/package").write_text(STANDIN.format(contents=contents), encoding="utf-8")
        (sources / "installers/package").chmod(0o755)
        git = ["git", "-C", str(sources), "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
        for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "All"]):
            subprocess.run([*git, *words], check=True)
        return subprocess.run([sources / "tests/packages/same_bytes", "portable"], text=True, capture_output=True)

    def test_the_same(self):
        done = self.run_script("contents")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\nsame: portable\.tar\.xz, SHA-256 [0-9a-f]{64}\npassed\n$")

    def test_the_place_of_the_build(self):
        done = self.run_script("$PWD")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\ndiffers: portable.tar.xz: tree/file\n", done.stdout)

    def test_the_time_zone(self):
        self.assertIn("\ndiffers: portable.tar.xz: tree/file\n", self.run_script("${TZ:-none}").stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default=CMAKE)
    known, rest = parser.parse_known_args()
    CMAKE = known.cmake
    unittest.main(argv=[parser.prog, *rest])
