#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflow for hosted runners, as far as it can be checked without one: it is well-formed, calls what exists, holds no key, and names no host."""
import pathlib
import re
import subprocess
import sys
import unittest

try:
    import yaml
except ImportError:
    sys.exit(77)  # Python's YAML is not installed: CTest counts this as skipped

SOURCES = pathlib.Path(__file__).parents[2]
FILE = SOURCES / ".github/workflows/packages.yml"
SECRET = re.compile(r"\$\{\{\s*secrets\.(\w+)\s*\}\}")


class Workflow(unittest.TestCase):
    def setUp(self):
        self.text = FILE.read_text(encoding="utf-8")
        self.jobs = yaml.safe_load(self.text)["jobs"]
        self.steps = [step for job in self.jobs.values() for step in job["steps"]]
        self.commands = "\n".join(step.get("run", "") for step in self.steps)

    def test_three_systems(self):
        systems = {job["runs-on"].split("-")[0] for job in self.jobs.values()}
        self.assertEqual(systems, {"ubuntu", "macos", "windows"})
        self.assertEqual(yaml.safe_load(self.text)["permissions"], {"contents": "read"})

    def test_it_calls_what_exists(self):
        usage = subprocess.run([SOURCES / "installers/package", "--help"], text=True, capture_output=True, check=True).stdout
        kinds = set(re.findall(r"installers/package ([a-z]+) ", usage))
        called = set(re.findall(r"\./installers/package (\w+)", self.commands))
        self.assertEqual(called, kinds)
        for script in re.findall(r"(?<![\w/])\./([\w/.-]+)", self.commands):
            self.assertTrue((SOURCES / script).is_file(), script)

    def test_needs_and_artifacts_fit(self):
        made = {step["with"]["name"] for step in self.steps if "upload-artifact" in step.get("uses", "")}
        taken = {step["with"]["name"] for step in self.steps if "download-artifact" in step.get("uses", "")}
        self.assertLessEqual(taken, made)
        for job in self.jobs.values():
            self.assertIn(job.get("needs", "linux"), self.jobs)

    def test_keys_are_secrets_that_the_readme_names(self):
        names = set(SECRET.findall(self.text))
        readme = (SOURCES / "installers/README.md").read_text(encoding="utf-8")
        self.assertTrue(names)
        for name in names:
            self.assertRegex(name, r"^COTERIE_[A-Z_]+$")
            self.assertIn(f"`{name}`", readme)
        self.assertEqual(SECRET.findall(self.commands), [], "a secret belongs into env, where the shell does not read it as a command")
        self.assertIsNone(re.search(r"BEGIN [A-Z ]*PRIVATE KEY|[A-Za-z0-9+/]{80,}", self.text))

    def test_no_host_is_named(self):
        self.assertNotIn("://", self.text)
        self.assertEqual(re.findall(r"\b[\w-]+\.(?:org|com|net|io|dev)\b", self.text), [])

    def test_commands_are_shell(self):
        for step in self.steps:
            if "run" in step and step.get("shell") is None:
                done = subprocess.run(["bash", "-n"], input=step["run"], text=True, capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), step["run"])


if __name__ == "__main__":
    unittest.main()
