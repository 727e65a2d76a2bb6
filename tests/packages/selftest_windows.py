#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of the packages for Windows that need no Windows: the programs' resources, the installer's texts and lists of files, and the zip.

    selftest_windows.py --cmake CMAKE
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
import zipfile

import selftest_layout
from selftest_layout import SOURCES, VERSION

sys.path.insert(0, str(SOURCES / "installers/lib"))
import identity  # noqa: E402
import windows_installer  # noqa: E402

LANGUAGES = {"ENGLISH", "GERMAN", "FRENCH", "SPANISH", "ITALIAN", "PORTUGUESE"}
SETTINGS = {"dpiAware": "true/pm", "dpiAwareness": "PerMonitorV2, PerMonitor", "longPathAware": "true", "activeCodePage": "UTF-8"}
WINDRES = shutil.which("x86_64-w64-mingw32-windres")
MAKENSIS = shutil.which("makensis")


class Resources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        cls.tree = selftest_layout.install(cls.folder, "WIN32")
        cls.made = cls.folder / "build-WIN32/windows"

    def test_manifest(self):
        for program in ("coterie", "coterie-cli"):
            root = ElementTree.parse(self.made / f"{program}.manifest").getroot()
            said = {element.tag.split("}")[1]: element for element in root.iter()}
            self.assertEqual({name: said[name].text for name in SETTINGS}, SETTINGS)
            self.assertEqual(said["requestedExecutionLevel"].get("level"), "asInvoker")
            own = root[0]
            self.assertEqual((own.get("name"), own.get("version")), (f"{identity.read()['id']}.{program}", f"{VERSION}.0"))

    def test_version(self):
        for program in ("coterie", "coterie-cli"):
            text = (self.made / f"{program}.rc").read_text(encoding="utf-8")
            self.assertIn("FILEVERSION " + f"{VERSION}.0".replace(".", ","), text)
            self.assertIn(f'"{program}.exe"', text)
            self.assertNotIn("@", text)

    @unittest.skipUnless(WINDRES and selftest_layout.RSVG, "there is no windres for Windows, or nothing that draws the icon")
    def test_windres_takes_them(self):
        for program in ("coterie", "coterie-cli"):
            out = self.folder / f"{program}.o"
            subprocess.run([WINDRES, self.made / f"{program}.rc", out], check=True)
            content = out.read_bytes()
            self.assertIn("ProductVersion".encode("utf-16-le"), content)
            self.assertIn(b"longPathAware", content)
            self.assertIn(selftest_layout.Icons.drawn(256), content)

    @unittest.skipUnless(MAKENSIS and selftest_layout.RSVG, "there is no makensis, or nothing that draws the icon")
    def test_the_same_tree_makes_the_same_packages(self):
        made = []
        for turn in range(2):
            tree, out = self.folder / f"tree {turn}", self.folder / f"packages {turn}"
            shutil.copytree(self.tree, tree)
            for name in sorted(tree.rglob("*"), reverse=turn == 1):
                os.utime(name, (turn, turn))
            out.mkdir()
            subprocess.run([sys.executable, "-B", SOURCES / "installers/lib/windows_installer.py", "--tree", tree, "--version", VERSION,
                            "--icon", self.folder / "build-WIN32/resources/icons/coterie.ico", "--out", out / "coterie.exe", "--zip", out / "coterie.zip"],
                           check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
            made.append({path.name: path.read_bytes() for path in out.iterdir()})
        self.assertEqual(made[0].keys(), {"coterie.exe", "coterie.zip"})
        self.assertEqual(made[0], made[1])


class Installer(unittest.TestCase):
    def test_each_text_is_in_all_languages(self):
        texts = {}
        for name, language, text in re.findall(r'^LangString (\w+) \${LANG_(\w+)} "(.+)"$', (SOURCES / "installers/windows/texts.nsh").read_text(encoding="utf-8"),
                                               re.MULTILINE):
            self.assertNotIn(language, texts.setdefault(name, {}))
            texts[name][language] = text
        for name, languages in texts.items():
            self.assertEqual(languages.keys(), LANGUAGES, name)
        script = windows_installer.SCRIPT.read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r"\$\((\w+)\)", script)), texts.keys())
        self.assertEqual({language.upper() for language in re.findall(r'MUI_LANGUAGE "(\w+)"', script)}, LANGUAGES)

    def test_exactly_the_files_of_the_tree(self):
        with tempfile.TemporaryDirectory() as place:
            tree = pathlib.Path(place, "$tree")
            for name in ("coterie.exe", "qml/QtQuick/a.dll", "qml/QtQuick/Controls/b.dll", "licences/$own.txt"):
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).touch()
            text = windows_installer.script(tree)
        for line in (r'SetOutPath "$INSTDIR"', r'SetOutPath "$INSTDIR\qml\QtQuick\Controls"', '"/oname=coterie.exe" ', r'Delete "$INSTDIR\licences\$$own.txt"'):
            self.assertIn(line, text)
        self.assertIn("$$tree/qml/QtQuick/a.dll", text)
        removed = re.findall(r'RMDir "\$INSTDIR\\(.+)"', text)
        self.assertEqual(removed, ["qml\\QtQuick\\Controls", "qml\\QtQuick", "licences", "qml"])
        self.assertEqual(text.count("  File "), text.count("  Delete "))

    def test_the_zip(self):
        with tempfile.TemporaryDirectory() as place:
            tree = pathlib.Path(place, "tree")
            (tree / "licences").mkdir(parents=True)
            (tree / "coterie.exe").write_bytes(b"program")
            (tree / "licences/a.txt").write_bytes(b"text")
            options = argparse.Namespace(tree=tree, version="1.2", zip=pathlib.Path(place, "a.zip"))
            windows_installer.make_zip(options, 0)
            with zipfile.ZipFile(options.zip) as archive:
                self.assertEqual(archive.namelist(), ["Coterie 1.2/coterie.exe", "Coterie 1.2/licences/a.txt"])
                self.assertEqual(archive.read("Coterie 1.2/coterie.exe"), b"program")

    def test_without_a_qt_it_refuses(self):
        done = subprocess.run([SOURCES / "installers/package", "windows", "--qt", "nowhere"], text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^error: a package for Windows can't be made; there is no Qt for Windows in nowhere; [^\n]+\n$")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default=selftest_layout.CMAKE)
    known, rest = parser.parse_known_args()
    selftest_layout.CMAKE = known.cmake
    unittest.main(argv=[sys.argv[0], *rest])
