#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifest of the Flatpak: no network, no files but those that a person chooses, and everything that it names is there."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCES / "installers/lib"))
import flatpak  # noqa: E402
import identity  # noqa: E402
from install_tree import PROGRAM  # noqa: E402

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Manifest(unittest.TestCase):
    def setUp(self):
        self.made = flatpak.manifest(COMMIT)

    def test_written(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", SOURCES / "installers/lib/flatpak.py", "--commit", COMMIT, "--out", folder], text=True,
                                  capture_output=True, check=True)
            path = pathlib.Path(done.stdout.strip())
            self.assertEqual(path, pathlib.Path(folder, identity.read()["id"] + ".json"))
            self.assertEqual(json.loads(path.read_text(encoding="utf-8")), self.made)
        self.assertNotIn("@", json.dumps(self.made))

    def test_no_network_and_no_files(self):
        for more in ("--share=network", "--filesystem=home", "--filesystem=host:ro", "--socket=session-bus", "--talk-name=org.example", "--device=all"):
            text = flatpak.MANIFEST.read_text(encoding="utf-8").replace('"--share=ipc",', f'"--share=ipc", "{more}",')
            with self.assertRaisesRegex(SystemExit, more):
                flatpak.manifest(COMMIT, text)

    def test_what_it_renames_is_installed(self):
        names = {pathlib.PurePosixPath(name).name for name in PROGRAM}
        for key in ("rename-desktop-file", "rename-mime-file"):
            self.assertIn(self.made[key], names)
        self.assertIn(self.made["rename-icon"] + ".svg", names)
        self.assertIn(f"bin/{self.made['command']}", PROGRAM)

    def test_no_source_comes_from_a_network(self):
        self.assertNotIn("://", json.dumps(self.made))
        for module in self.made["modules"]:
            self.assertEqual([source["type"] in {"dir", "git"} and "path" in source for source in module["sources"]], [True])

    def test_every_library_is_a_module(self):
        """The libraries that the build looks for are modules, or belong to the runtime."""
        found = set()
        for path in [*SOURCES.glob("cmake/*.cmake"), *SOURCES.glob("engine/**/CMakeLists.txt"), *SOURCES.glob("app/**/CMakeLists.txt")]:
            text = path.read_text(encoding="utf-8")
            found.update(name.lower() for name in re.findall(r"find_package\((\w+)[^)]*REQUIRED", text))
        modules = {module["name"].replace("nlohmann-json3", "nlohmann_json") for module in self.made["modules"]}
        runtime = {"qt6", "qt6linguisttools", "threads", "python3", "sqlite3"}
        self.assertEqual(found - modules - runtime, set())


if __name__ == "__main__":
    unittest.main()
