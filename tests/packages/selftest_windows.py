#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of the packages for Windows that need no Windows: the programs' resources, what is put beside them, the installer's texts and lists of files,
and the zip.

    selftest_windows.py --cmake CMAKE
"""
import argparse
import json
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
from unittest import mock

import selftest_layout
from selftest_layout import SOURCES, VERSION

sys.path.insert(0, str(SOURCES / "installers/lib"))
import identity  # noqa: E402
import portable  # noqa: E402
import windows_installer  # noqa: E402
import windows_tree  # noqa: E402

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


class Tree(unittest.TestCase):
    """Puts what the programs load beside them, with a table in place of objdump and of the scanner of imports."""
    NEEDS = {"coterie.exe": ["KERNEL32.dll", "QT6QUICK.dll"], "Qt6Quick.dll": ["Qt6Core.dll"], "Qt6Core.dll": ["libstdc++-6.dll", "USER32.dll"],
             "qwindows.dll": ["Qt6Gui.dll", "Qt6Core.dll"]}
    QT = ["bin/Qt6Core.dll", "bin/Qt6Gui.dll", "bin/Qt6Quick.dll", "bin/Qt6Unused.dll", "bin/libstdc++-6.dll", "plugins/platforms/qwindows.dll",
          "plugins/platforms/qoffscreen.dll", "plugins/platforms/qminimal.dll", "plugins/imageformats/qjpeg.dll", "qml/QtQuick/qmldir",
          "qml/QtQuick/plugins.qmltypes", "qml/QtQuick/qtquick2plugin.dll", "qml/QtTest/qmldir", "qml/QtCore/qmldir"]

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        for name in ["tree/coterie.exe", *(f"qt/{name}" for name in self.QT)]:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).touch()

    def run_tool(self, tool, *arguments):
        if str(tool) == "objdump":
            return "".join(f"\tDLL Name: {name}\n" for name in self.NEEDS.get(arguments[-1].name, []))
        imported = arguments[1] == self.folder / "sources/ui"
        return json.dumps([{"type": "module", "name": "QtQuick", "path": str(self.folder / "qt/qml/QtQuick")}] if imported else [])

    def fill(self):
        words = ["windows_tree.py", "--scanner", "scanner", "--objdump", "objdump"]
        for option, folder in (("tree", "tree"), ("sources", "sources"), ("qt", "qt")):
            words += [f"--{option}", str(self.folder / folder)]
        fonts = lambda collection, place: collection.take(self.folder / "qt/bin/Qt6Core.dll", pathlib.Path(place, "a font"))  # noqa: E731
        with mock.patch.object(sys, "argv", words), mock.patch.object(portable, "run", self.run_tool), mock.patch.object(portable, "take_fonts", fonts):
            windows_tree.main()

    def test_what_is_taken(self):
        self.fill()
        self.assertEqual([str(file) for file in windows_installer.files(self.folder / "tree")],
                         ["Qt6Core.dll", "Qt6Gui.dll", "Qt6Quick.dll", "coterie.exe", "fonts/a font", "libstdc++-6.dll", "plugins/imageformats/qjpeg.dll",
                          "plugins/platforms/qoffscreen.dll", "plugins/platforms/qwindows.dll", "qml/QtCore/qmldir", "qml/QtQuick/qmldir",
                          "qml/QtQuick/qtquick2plugin.dll", "qt.conf"])

    def test_a_missing_library_is_named(self):
        (self.folder / "qt/bin/libstdc++-6.dll").unlink()
        with self.assertRaisesRegex(SystemExit, r"Qt6Core.dll needs libstdc\+\+-6.dll, which is not in "):
            self.fill()

    def test_a_missing_plug_in_is_named(self):
        (self.folder / "qt/plugins/imageformats/qjpeg.dll").unlink()
        with self.assertRaisesRegex(SystemExit, r"there is no plug-in imageformats/\*.dll in "):
            self.fill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default=selftest_layout.CMAKE)
    known, rest = parser.parse_known_args()
    selftest_layout.CMAKE = known.cmake
    unittest.main(argv=[sys.argv[0], *rest])
