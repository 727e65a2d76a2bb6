#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks each rule of check_house.py once, in a folder made for it, and sees that it is found: a check that can't fail is a defect."""
import pathlib
import tempfile
import unittest

import check_house

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class EachRuleFindsItsBreach(unittest.TestCase):
    def found(self, **contents):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            for name, text in contents["files"].items():
                path = source / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(check_house.findings(source))

    def assertFinds(self, word, files):
        found = self.found(files=files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(word, found[0])

    def test_clean(self):
        self.assertEqual(self.found(files={"engine/gguf/a.h": SPDX + '#include "base/result.h"\n'}), [])

    def test_arrow_up_inside_engine(self):
        self.assertFinds("lies above", {"engine/gguf/a.cpp": SPDX + '#include "session/session.h"\n'})

    def test_engine_includes_qt(self):
        self.assertFinds("Qt", {"engine/base/a.cpp": SPDX + "#include <QString>\n"})

    def test_engine_includes_vulkan(self):
        self.assertFinds("vulkan", {"engine/base/a.cpp": SPDX + "#include <vulkan/vulkan.h>\n"})

    def test_forgotten_test(self):
        self.assertFinds("never runs", {"tests/base/tst_lost.cpp": SPDX, "tests/base/CMakeLists.txt": "coterie_test(tst_other)\n"})

    def test_dead_path(self):
        self.assertFinds("not there", {"README.md": "See `engine/gone.h`.\n"})

    def test_no_licence_line(self):
        self.assertFinds("SPDX", {"app/a.cpp": "int a;\n"})

    def test_not_ascii(self):
        self.assertFinds("ASCII", {"app/a.cpp": SPDX + "// caf\u00e9\n"})

    def test_long_file(self):
        self.assertFinds("801 lines", {"app/a.cpp": SPDX + "\n" * 800})

    def test_left_over(self):
        self.assertFinds("left over", {"app/a.cpp": SPDX + "// TODO later\n"})


if __name__ == "__main__":
    unittest.main()
