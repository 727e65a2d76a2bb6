#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The description for software centres: with the address of the pictures it shows each of them, without one it names none, and both are valid.

    selftest_appstream.py --cmake CMAKE
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SOURCES = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCES / "installers/lib"))
import identity  # noqa: E402

CMAKE = "cmake"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
PICTURES = "https://example.invalid/pictures"
SCRIPT = """set(PROJECT_SOURCE_DIR "${SOURCES}")
set(PROJECT_VERSION 1.2.3)
include("${SOURCES}/cmake/CoterieIdentity.cmake")
include("${SOURCES}/cmake/CoterieAppStream.cmake")
coterie_write_metainfo("${OUT}")
"""


class Description(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        for name in ("cmake/CoterieIdentity.cmake", "cmake/CoterieAppStream.cmake", "resources/desktop/metainfo.xml.in", "resources/desktop/identity.txt"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCES / name, self.folder / name)
        (self.folder / "write.cmake").write_text(SCRIPT, encoding="utf-8")

    def made(self, *lines):
        """Writes the description with these lines in place of the line about pictures; returns it when the desktop's validator, if it is here, takes it."""
        file = self.folder / "resources/desktop/identity.txt"
        kept = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("pictures =")]
        file.write_text("\n".join([*kept, *lines, ""]), encoding="utf-8")
        out = self.folder / f"{identity.read()['id']}.metainfo.xml"
        subprocess.run([CMAKE, f"-DSOURCES={self.folder}", f"-DOUT={out}", "-P", self.folder / "write.cmake"], check=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
        self.assertNotIn("@", out.read_text(encoding="utf-8"))
        if shutil.which("appstreamcli"):
            done = subprocess.run(["appstreamcli", "validate", "--no-net", out], text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stdout)
        return ElementTree.parse(out).getroot()

    def test_without_an_address(self):
        self.assertIsNone(self.made().find("screenshots"))

    def test_with_an_address(self):
        shown = self.made(f"pictures = {PICTURES}").findall("screenshots/screenshot")
        self.assertEqual([one.get("type") for one in shown], ["default"] + [None] * (len(shown) - 1))
        for one in shown:
            address, name = one.find("image").text.rsplit("/", 1)
            self.assertEqual(address, PICTURES)
            self.assertTrue((SOURCES / "resources/pictures" / name).is_file(), name)
            self.assertRegex(one.find("caption").text, r"^[A-Z].{5,98}[a-z]$")

    def test_version_and_day(self):
        release = self.made().find("releases/release")
        self.assertEqual(dict(release.attrib), {"version": "1.2.3", "date": "2023-11-14"})

    def test_the_summary_is_in_the_languages_of_the_menu_entry(self):
        entry = (SOURCES / "resources/desktop/coterie.desktop").read_text(encoding="utf-8")
        self.assertEqual({one.get(LANGUAGE) for one in self.made().findall("summary")}, {None, *re.findall(r"^Comment\[(\w+)\]", entry, re.MULTILINE)})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default=CMAKE)
    known, rest = parser.parse_known_args()
    CMAKE = known.cmake
    unittest.main(argv=[sys.argv[0], *rest])
