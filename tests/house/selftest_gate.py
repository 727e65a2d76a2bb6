#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gate (.ci/run) names each test that needed more than one try. CTest runs four made-up tests, as the gate runs all, and the gate's own function reads
its output."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

GATE = (pathlib.Path(__file__).resolve().parents[2] / ".ci/run").read_text(encoding="utf-8")
# Each fails until its file has that many lines.
TESTS = {"tst_steady": 1, "tst_second_try": 2, "tst_third.try-2": 3, "tst_broken": 9}


@unittest.skipUnless(shutil.which("ctest"), "ctest is not here")
class Gate(unittest.TestCase):
    def unsteady(self, log):
        function = re.search(r"^unsteady\(\) \{\n.*?^\}\n", GATE, re.MULTILINE | re.DOTALL)[0]
        return subprocess.run(["bash", "-c", f"{function}unsteady {log}"], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()

    def test_unsteady_tests_are_named(self):
        repeat = re.search(r"--repeat \S+", GATE)[0]
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "CTestTestfile.cmake").write_text("".join(
                f"add_test({name} /bin/sh -c \"echo >>{name}; test $(wc -l <{name}) -ge {tries}\")\n" for name, tries in TESTS.items()), encoding="utf-8")
            for jobs in ("1", "3"):
                for name in TESTS:
                    (folder / name).unlink(missing_ok=True)
                done = subprocess.run(["ctest", "-j", jobs, *repeat.split()], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                (folder / "log").write_text(done.stdout, encoding="utf-8")
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(self.unsteady(folder / "log"), ["unsteady: tst_second_try", "unsteady: tst_third.try-2"], done.stdout)

    def test_nothing_is_said_last_but_that(self):
        self.assertRegex(GATE, r'\nunsteady "\$log"\nstep "done"\n$')


if __name__ == "__main__":
    unittest.main()
