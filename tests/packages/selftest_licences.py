#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every work of others that the programs contain is named wherever its licence wants it: in the rules of installation, in Debian's notice, and in the bill
of materials of a package. The window takes its list from the folder of the texts itself."""
import pathlib
import re
import sys
import unittest

SOURCES = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCES / "installers/lib"))
import bill  # noqa: E402
from install_tree import CLI, PROGRAM  # noqa: E402

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((SOURCES / "resources/licences").glob("*.txt"))}
RULES = (SOURCES / "cmake/CoterieInstall.cmake").read_text(encoding="utf-8")
NOTICE = (SOURCES / "installers/deb/copyright").read_text(encoding="utf-8")
WINDOWS_ONLY = {"gcc", "mingw"}
LOADED = {"md4c", "pdfium", "qt", "sqlite", "zlib"}  # Debian's own packages of these have their licences
FONTS = {"dejavu", "inter", "texgyre"}
NAMES_IN_NOTICE = {"cli11": "CLI11/*", "ggml": "engine/kernels/codebooks/numbers.h", "json": "json/*", "liburing": "liburing/*",
                   "sqlitecpp": "SQLiteCpp/*", "unicode": "engine/prompt/unicode_table.cpp"}


def installed(component):
    return set(re.search(rf"^coterie_install_licences\({component} ([a-z0-9 ]+)\)", RULES, re.MULTILINE)[1].split())


def expected(tree):
    return {pathlib.PurePosixPath(name).stem for name in tree if name.startswith("share/coterie/licences/")} - {"coterie"}


class Licences(unittest.TestCase):
    def test_the_form_of_the_texts(self):
        for name, text in TEXTS.items():
            title, licence, empty, rest = text.split("\n", 3)
            self.assertTrue(title and licence and rest.strip() and not empty, name)

    def test_a_package_has_every_text(self):
        self.assertEqual(installed("program"), set(TEXTS))
        self.assertEqual(expected(PROGRAM), set(TEXTS) - WINDOWS_ONLY)

    def test_the_command_line_alone_has_those_of_the_engine(self):
        self.assertEqual(installed("cli") - WINDOWS_ONLY, expected(CLI))
        self.assertLess(installed("cli"), installed("program"))

    def test_debians_notice_names_what_is_compiled_in(self):
        self.assertEqual(set(NAMES_IN_NOTICE), set(TEXTS) - WINDOWS_ONLY - LOADED - FONTS)
        for place in NAMES_IN_NOTICE.values():
            self.assertIn(f"\nFiles: {place}\nCopyright: ", NOTICE)
            self.assertTrue(not place.startswith("engine/") or (SOURCES / place).is_file(), place)

    def test_the_bill_lists_what_is_compiled_in(self):
        self.assertEqual(set(bill.COMPILED_IN), set(NAMES_IN_NOTICE))
        built_with = (SOURCES / "installers/lib/packages.sh").read_text(encoding="utf-8")
        for part, origin in zip(bill.parts_of(bill.COMPILED_IN), bill.COMPILED_IN.values()):
            self.assertRegex(part["licenseDeclared"], r"^[A-Za-z0-9.-]+$")
            self.assertIn(origin, built_with)


if __name__ == "__main__":
    unittest.main()
