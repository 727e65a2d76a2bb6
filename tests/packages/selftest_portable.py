#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The script of the portable folder that links it into a person's own folders and takes it away again, its choice of libraries, and the bill of materials
of a package."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SOURCES = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCES / "installers/lib"))
import portable  # noqa: E402
FILES = ["bin/coterie", "bin/coterie-cli", "share/mime/packages/coterie.xml", "share/icons/hicolor/scalable/apps/coterie.svg", "share/man/man1/coterie.1.gz",
         "share/man/man1/coterie-cli.1.gz", "share/bash-completion/completions/coterie", "share/bash-completion/completions/coterie-cli",
         "share/fish/vendor_completions.d/coterie.fish", "share/fish/vendor_completions.d/coterie-cli.fish"]


class Portable(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.home = pathlib.Path(self.place.name, "home")
        self.home.mkdir()
        self.unpack("a folder, für $me 100% back\\slash")

    def unpack(self, name):
        self.tree = pathlib.Path(self.place.name, name)
        for file in FILES:
            (self.tree / file).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / file).write_text("#!/bin/sh\necho ran\n", encoding="utf-8")
            (self.tree / file).chmod(0o755)
        (self.tree / "share/applications").mkdir()
        shutil.copy(SOURCES / "resources/desktop/coterie.desktop", self.tree / "share/applications")
        shutil.copy(SOURCES / "resources/desktop/coterie.xml", self.tree / "share/mime/packages")
        shutil.copy(SOURCES / "resources/desktop/install.sh", self.tree)

    def install(self, *words, tools=(), more=()):
        """Runs the script with the tools that every system has, and these; PATH has more folders."""
        environment = {"HOME": str(self.home), "PATH": ":".join([self.tools(tools), *more])}
        return subprocess.run(["/bin/sh", str(self.tree / "install.sh"), *words], env=environment, text=True, capture_output=True)

    def tools(self, more):
        folder = pathlib.Path(self.place.name, "tools")
        folder.mkdir(exist_ok=True)
        for name in ("dirname", "mkdir", "rmdir", "ln", "rm", "mv", "readlink", "awk", "sed", "grep", *more):
            if not (folder / name).exists():
                (folder / name).symlink_to(shutil.which(name))
        return str(folder)

    def links(self):
        return {path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if path.is_symlink() or path.is_file()}

    def entry(self):
        return (self.home / ".local/share/applications/coterie.desktop").read_text(encoding="utf-8")

    def test_links_come_and_go(self):
        done = self.install()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.links()), len(FILES) + 1)
        self.assertEqual(subprocess.run([self.home / ".local/bin/coterie"], text=True, capture_output=True).stdout, "ran\n")
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(self.links(), set())

    def test_it_says_if_the_shell_will_not_find_the_command(self):
        self.assertIn("\nYour shell does not look there yet", self.install().stdout)
        self.assertNotIn("Your shell", self.install(more=[str(self.home / ".local/bin")]).stdout)

    def test_the_menu_entry_names_the_place(self):
        self.install()
        place = str(self.tree).replace("\\", 4 * "\\").replace("$", "\\\\$").replace("%", "%%")
        self.assertIn(f'\nExec="{place}/bin/coterie" %f\n', self.entry())
        self.assertNotIn("TryExec", self.entry())
        self.assertIn("\nMimeType=application/x-gguf;\n", self.entry())

    def test_a_moved_folder_is_linked_again(self):
        self.install()
        self.unpack("moved")
        self.assertEqual(self.install().returncode, 0)
        self.assertIn("/moved/bin/coterie", self.entry())
        self.assertEqual(os.readlink(self.home / ".local/bin/coterie"), str(self.tree / "bin/coterie"))

    def test_links_of_a_moved_folder_go(self):
        self.install()
        old = self.tree
        self.tree = old.rename(old.with_name("moved"))
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(self.links(), set())

    def test_links_of_another_folder_stay(self):
        self.install()
        before = self.links()
        self.unpack("another")
        self.assertEqual(self.install("--remove").returncode, 0)
        self.assertEqual(self.links(), before)

    @unittest.skipUnless(shutil.which("update-mime-database") and shutil.which("update-desktop-database"), "the desktop's tools are not here")
    def test_lists_of_the_desktop_go(self):
        lists = ["update-mime-database", "update-desktop-database"]
        self.install(tools=lists)
        self.assertIn("application/x-gguf:*.gguf", (self.home / ".local/share/mime/globs").read_text(encoding="utf-8"))
        self.assertIn(".local/share/applications/mimeinfo.cache", self.links())
        self.assertEqual(self.install("--remove", tools=lists).returncode, 0)
        self.assertEqual(self.links(), set())

    @unittest.skipUnless(shutil.which("update-mime-database"), "the desktop's tools are not here")
    def test_lists_of_other_programs_stay(self):
        other = self.home / ".local/share/mime/packages/other.xml"
        other.parent.mkdir(parents=True)
        other.write_text((SOURCES / "resources/desktop/coterie.xml").read_text(encoding="utf-8").replace("gguf", "other"), encoding="utf-8")
        self.install(tools=["update-mime-database"])
        self.install("--remove", tools=["update-mime-database"])
        self.assertIn("x-other", (self.home / ".local/share/mime/globs2").read_text(encoding="utf-8"))

    def test_other_files_stay(self):
        other = self.home / ".local/bin/coterie"
        other.parent.mkdir(parents=True)
        other.write_text("mine", encoding="utf-8")
        done = self.install()
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"error: {other} is there already", done.stderr)
        other.unlink()
        other.symlink_to("/elsewhere")
        self.assertIn(f"error: {other} is there already", self.install().stderr)
        self.install("--remove")
        self.assertEqual(os.readlink(other), "/elsewhere")

    def test_a_wrong_word(self):
        done = self.install("--delete")
        self.assertEqual((done.returncode, self.links()), (1, set()))
        self.assertIn("it knows --remove", done.stderr)


class Libraries(unittest.TestCase):
    # libGL belongs to the system, and libdriver is needed by libGL alone.
    NEEDS = {"program": ["libwindow.so.6", "libGL.so.1", "libc.so.6"], "/usr/lib/libwindow.so.6": ["libtext.so.2", "libc.so.6"],
             "/usr/lib/libtext.so.2": ["libc.so.6"], "/usr/lib/libGL.so.1": ["libdriver.so.3"]}
    PLACES = ["libwindow.so.6", "libGL.so.1", "libtext.so.2", "libdriver.so.3"]

    def run_tool(self, tool, *arguments):
        if tool == "readelf":
            return "".join(f" 0x01 (NEEDED)             Shared library: [{name}]\n" for name in self.NEEDS[str(arguments[-1])])
        places = "".join(f"\t{name} => /usr/lib/{name} (0x00007f00)\n" for name in self.PLACES)
        return f"\tlinux-vdso.so.1 (0x00007ffc)\n{places}\tlibc.so.6 => /lib/libc.so.6 (0x00007f01)\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f02)\n"

    def needed(self):
        with mock.patch.object(portable, "run", self.run_tool):
            return portable.needed_libraries(["program"])

    def test_what_is_taken(self):
        self.assertEqual(self.needed(), {name: pathlib.Path("/usr/lib", name) for name in ("libwindow.so.6", "libtext.so.2")})

    def test_a_missing_library_is_named(self):
        self.PLACES = ["libGL.so.1"]
        with self.assertRaisesRegex(SystemExit, "needs libwindow.so.6, which is not here"):
            self.needed()


@unittest.skipUnless(shutil.which("dpkg-query"), "the packages of the portable folder are Debian's")
class Bill(unittest.TestCase):
    def test_what_is_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            package, contains = pathlib.Path(folder, "coterie.tar.xz"), pathlib.Path(folder, "packages")
            package.write_bytes(b"package")
            contains.write_text("libqt6core6\nfonts-inter\n", encoding="utf-8")
            texts = []
            for _ in range(2):
                subprocess.run([sys.executable, "-B", SOURCES / "installers/lib/bill.py", package, "--version", "1.2", "--contains", contains,
                                "--depends", "libc6 (>= 2.36), libgl1 | libgl"], check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
                texts.append(pathlib.Path(f"{package}.spdx.json").read_text(encoding="utf-8"))
        self.assertEqual(texts[0], texts[1])
        bill = json.loads(texts[0])
        names = {part["SPDXID"]: part["name"] for part in bill["packages"]}
        relations = {(relation["relationshipType"], names.get(relation["relatedSpdxElement"])) for relation in bill["relationships"]}
        self.assertTrue({("DESCRIBES", "coterie"), ("CONTAINS", "libqt6core6"), ("CONTAINS", "nlohmann-json3-dev"), ("DEPENDS_ON", "libc6"),
                         ("DEPENDS_ON", "libgl1"), ("CONTAINS", "Codebooks of ggml and llama.cpp"), ("CONTAINS", "Unicode Character Database")} <= relations)
        licences = {part["name"]: part["licenseDeclared"] for part in bill["packages"]}
        self.assertEqual([licences[name] for name in ("coterie", "libcli11-dev", "Unicode Character Database", "libqt6core6")],
                         ["Apache-2.0", "BSD-3-Clause", "Unicode-DFS-2016", "NOASSERTION"])
        self.assertEqual(len(names), len(bill["packages"]))
        self.assertEqual(bill["creationInfo"]["created"], "2023-11-14T22:13:20Z")
        self.assertEqual(bill["packages"][0]["checksums"][0]["checksumValue"], hashlib.sha256(b"package").hexdigest())


if __name__ == "__main__":
    unittest.main()
