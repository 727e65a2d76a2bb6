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


class End(unittest.TestCase):
    """The gate itself, with made-up commands in place of the linters and tests."""

    def run_gate(self, status):
        lines = ["1/2 Test #1: tst_twice ....***Failed 0.1 sec", "    Test #1: tst_twice ....   Passed 0.1 sec"]
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            dev = ["#!/bin/sh", '[ "$1" = lint ] && exit', *(f"echo '{line}'" for line in lines), f"exit {status}"]
            for name, text in ((".ci/run", GATE), ("installers/dev", "\n".join(dev))):
                (folder / name).parent.mkdir()
                (folder / name).write_text(text, encoding="utf-8")
                (folder / name).chmod(0o755)
            return subprocess.run(["bash", str(folder / ".ci/run")], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def test_unsteady_tests_are_named_last(self):
        for status in (0, 8):  # also if another test failed for good
            done = self.run_gate(status)
            self.assertEqual(done.returncode, status)
            self.assertEqual("== done" in done.stdout, status == 0)
            self.assertEqual(done.stdout.splitlines()[-1], "unsteady: tst_twice")


if __name__ == "__main__":
    unittest.main()
