#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installed trees of macOS and Windows are whole, and so are their icons and the bundle. It runs on any system, with empty programs, and with stand-ins
for the tools of macOS.

    selftest_layout.py --cmake CMAKE
"""
import argparse
import json
import os
import pathlib
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).parents[2]
for place in ("installers/lib", "resources/icons"):
    sys.path.insert(0, str(SOURCES / place))
import bundle  # noqa: E402
import icon_files  # noqa: E402
import identity  # noqa: E402
from install_tree import CLI, PROGRAM  # noqa: E402  the tree of Linux

CMAKE = "cmake"
SVG = SOURCES / "resources/icons/coterie.svg"
RSVG = shutil.which("rsvg-convert")
TOP = (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")
VERSION = re.search(r"^project\(.* VERSION ([0-9.]+)", TOP, re.MULTILINE)[1]
LEAST = re.search(r"CMAKE_OSX_DEPLOYMENT_TARGET ([0-9.]+)", TOP)[1]
# Files that only desktops of Linux read: Info.plist and the installer have the same in another form.
LINUX_ONLY = re.compile(r"share/(applications|metainfo|mime|icons|man|bash-completion|zsh|fish)/|share/coterie/licences/liburing\.txt")


def install(folder, system):
    """Installs the empty programs as on that system; returns the tree."""
    made, tree = folder / f"build-{system}", folder / system
    subprocess.run([CMAKE, "-S", SOURCES / "tests/packages/layout", "-B", made, "-G", "Ninja", f"-DSYSTEM={system}", f"-DCOTERIE_VERSION={VERSION}",
                    f"-DCMAKE_OSX_DEPLOYMENT_TARGET={LEAST}"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([CMAKE, "--build", made], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([CMAKE, "--install", made, "--prefix", tree], check=True, stdout=subprocess.DEVNULL)
    return tree


class Trees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.mac, cls.windows = install(cls.folder, "APPLE"), install(cls.folder, "WIN32")

    def expect_places(self, tree, places, own):
        """Every file of Linux's tree has its place, and nothing else is there."""
        wanted = {re.sub(r"^(bin|share/coterie)/", lambda match: places[match[1]], name) for name in CLI | PROGRAM if not LINUX_ONLY.match(name)}
        self.assertEqual(bundle.files(tree), wanted | own)

    def test_macos_has_every_file(self):
        icon = {"Contents/Resources/coterie.icns"} if RSVG else set()
        self.expect_places(self.mac, {"bin": "Contents/MacOS/", "share/coterie": "Contents/Resources/"}, icon | {"Contents/Info.plist"})

    def test_windows_has_every_file(self):
        self.expect_places(self.windows, {"bin": "", "share/coterie": ""}, {"licences/gcc.txt", "licences/mingw.txt"})

    def test_info(self):
        info = plistlib.loads((self.mac / "Contents/Info.plist").read_bytes())
        self.assertEqual(info["CFBundleIdentifier"], identity.read()["id"])
        self.assertEqual((info["CFBundleShortVersionString"], info["LSMinimumSystemVersion"]), (VERSION, LEAST))
        self.assertIs(info["NSHighResolutionCapable"], True)
        self.assertNotIn("@", (self.mac / "Contents/Info.plist").read_text(encoding="utf-8"))

    @unittest.skipUnless(RSVG, "there is no rsvg-convert, which draws the icon")
    def test_a_whole_bundle_passes(self):
        bundle.check(self.mac, deployed=False)
        with self.assertRaisesRegex(SystemExit, "libqcocoa"):
            bundle.check(self.mac, deployed=True)

    @unittest.skipUnless(RSVG, "there is no rsvg-convert, which draws the icon")
    def test_each_damage_is_found(self):
        contents = "Contents/"
        info = (self.mac / "Contents/Info.plist").read_text(encoding="utf-8")
        icon = (self.mac / "Contents/Resources/coterie.icns").read_bytes()
        for name, content, said in ((contents + "Info.plist", info.replace("<dict>", "<dict", 1).encode(), "can't be read"),
                                    (contents + "Info.plist", info.replace("NSHighResolutionCapable", "NSHigh").encode(), "NSHighResolutionCapable"),
                                    (contents + "Info.plist", info.replace("<string>gguf", "<string>ggml").encode(), "gguf"),
                                    (contents + "MacOS/coterie-cli", None, "coterie-cli"), (contents + "Resources/guide.gguf", None, "guide.gguf"),
                                    (contents + "Resources/licences/qt.txt", None, "licences/qt.txt"), (contents + "Resources/coterie.icns", icon[:-1], "whole"),
                                    (contents + "Resources/coterie.icns", icon.replace(b"ic14", b"ic15"), "ic14")):
            with self.subTest(said), tempfile.TemporaryDirectory() as place:
                tree = pathlib.Path(place, "Coterie.app")
                shutil.copytree(self.mac, tree)
                if content is None:
                    (tree / name).unlink()
                else:
                    (tree / name).write_bytes(content)
                with self.assertRaisesRegex(SystemExit, said):
                    bundle.check(tree, deployed=False)


@unittest.skipUnless(RSVG, "there is no rsvg-convert, which draws the icon")
class Icons(unittest.TestCase):
    @staticmethod
    def drawn(size):
        return icon_files.draw(RSVG, SVG, size)

    def test_icns(self):
        icon = icon_files.icns(self.drawn)
        self.assertEqual(bundle.elements(icon), bundle.ICONS)
        at, data = 8, {}
        while at < len(icon):
            name, size = struct.unpack(">4sI", icon[at:at + 8])
            data[name.decode()] = icon[at + 8:at + size]
            at += size
        for name, size in icon_files.ICNS_PNG:
            self.assertEqual(struct.unpack(">II", data[name.decode()][16:24]), (size, size))
        for colours, mask, size in icon_files.ICNS_RUNS:
            flat = b"".join(icon_files.pixels(self.drawn(size)))
            self.assertEqual(data[mask.decode()], flat[3::4])
            self.assertEqual(self.unpacked(data[colours.decode()]), flat[0::4] + flat[1::4] + flat[2::4])

    @staticmethod
    def unpacked(packed):
        out, at = bytearray(), 0
        while at < len(packed):
            count = packed[at]
            if count < 128:
                out += packed[at + 1:at + 2 + count]
                at += count + 2
            else:
                out += packed[at + 1:at + 2] * (count - 125)
                at += 2
        return bytes(out)

    def test_runs(self):
        for values in (b"", b"a", b"aab", b"aaab" * 50, b"a" * 500, bytes(range(256)) * 2, b"a" * 130 + b"ab" * 70):
            self.assertEqual(self.unpacked(icon_files.runs(values)), values)

    def test_ico(self):
        icon = icon_files.ico(self.drawn)
        count = struct.unpack("<HHH", icon[:6])[2]
        sizes = []
        for entry in range(count):
            width, height, _, _, planes, bits, size, offset = struct.unpack("<BBBBHHII", icon[6 + 16 * entry:22 + 16 * entry])
            self.assertEqual((width, planes, bits), (height, 1, 32))
            sizes.append(width)
            image = icon[offset:offset + size]
            if width == 0:
                self.assertEqual(image, self.drawn(256))
                continue
            self.assertEqual(struct.unpack("<Iii", image[:12]), (40, width, width * 2))
            rows = [image[40 + y * width * 4:40 + (y + 1) * width * 4] for y in range(width)]
            drawn = [b"".join(bytes((row[x + 2], row[x + 1], row[x], row[x + 3])) for x in range(0, width * 4, 4)) for row in icon_files.pixels(self.drawn(width))]
            self.assertEqual(rows[::-1], drawn)
            self.assertEqual(len(image), 40 + width * width * 4 + (width + 31) // 32 * 4 * width)
        self.assertEqual(sizes, icon_files.ICO_BITMAPS + [0])


# Programs of macOS, as far as the script uses them. cmake installs the tree that lies beside it.
STANDINS = {
    "uname": "echo Darwin",
    "brew": "[ $1 != list ] || printf '%s\\n' cmake librsvg ninja python",
    "cmake": "while [ $# -gt 0 ]; do case $1 in --prefix) mkdir -p \"$2\"; cp -R \"$TREE/.\" \"$2\"; case $2 in *x86_64*) sed -i 's/arm64/x86_64/' "
             "\"$2\"/Contents/MacOS/*;; esac; shift;; esac; shift; done",
    "lipo": "cat \"$2\" \"$3\" >\"$5\"",
    "codesign": "echo \"$@\" >>\"$CALLS\"",
    "hdiutil": "echo \"$@\" >>\"$CALLS\"; for last in \"$@\"; do :; done; tar -cf \"$last\" -C build/package-macos/disk .",
    "qt/bin/macdeployqt": "mkdir -p \"$1/Contents/PlugIns/platforms\"; : >\"$1/Contents/PlugIns/platforms/libqcocoa.dylib\"; : >\"$1/Contents/Resources/qt.conf\"",
    "vcpkg/vcpkg": "echo vcpkg \"$@\" >>\"$CALLS\"",
}
TOOLS = ["bash", "env", "cat", "cp", "mkdir", "rm", "ln", "sed", "wc", "tar", "dirname", "grep", "cut", "sha256sum", "stat", "tail", "python3"]


class MacScript(unittest.TestCase):
    """The script for macOS with stand-ins for that system's programs."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.sources, self.tools, self.calls = self.folder / "sources", self.folder / "tools", self.folder / "calls"
        shutil.copytree(SOURCES / "installers", self.sources / "installers")
        shutil.copytree(SOURCES / "resources/licences", self.sources / "resources/licences")
        (self.sources / "resources/desktop").mkdir()
        shutil.copy(identity.FILE, self.sources / "resources/desktop")
        shutil.copy(SOURCES / "CMakeLists.txt", self.sources)
        for name, text in STANDINS.items():
            (self.tools / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tools / name).write_text(f"#!/bin/sh\nset -e\n{text}\n", encoding="utf-8")
            (self.tools / name).chmod(0o755)
        for name in TOOLS:
            (self.tools / name).symlink_to(shutil.which(name))
        self.tree = self.folder / "tree"
        for name, content in self.files().items():
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree / name).write_bytes(content)

    @staticmethod
    def files():
        info = (SOURCES / "resources/macos/Info.plist.in").read_text(encoding="utf-8")
        icon = b"".join(name.encode() + struct.pack(">I", 8) for name in sorted(bundle.ICONS))
        program = bytes.fromhex("cffaedfe") + b" for arm64\n"
        return {"Contents/Info.plist": info.encode(), "Contents/MacOS/coterie": program, "Contents/MacOS/coterie-cli": program,
                "Contents/Resources/coterie.icns": b"icns" + struct.pack(">I", len(icon) + 8) + icon, "Contents/Resources/guide.gguf": b"GGUF",
                "Contents/Resources/licences/coterie.txt": b"ours", "Contents/Resources/licences/qt.txt": b"theirs"}

    def run_script(self, *words, **environment):
        environment = {"PATH": str(self.tools), "TREE": str(self.tree), "CALLS": str(self.calls), "VCPKG_ROOT": str(self.tools / "vcpkg"), **environment}
        return subprocess.run([self.sources / "installers/package", "macos", *words], env=environment, text=True, capture_output=True)

    def test_a_disk_image_is_made(self):
        done = self.run_script("--qt", str(self.tools / "qt"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"coterie-{VERSION}-macos.dmg", done.stdout)
        image = self.folder / "image"
        image.mkdir()
        subprocess.run(["tar", "-xf", self.sources / f"build/packages/coterie-{VERSION}-macos.dmg", "-C", image], check=True)
        self.assertEqual(os.readlink(image / "Applications"), "/Applications")
        self.assertEqual(bundle.files(image / "Coterie.app"), set(self.files()) | {"Contents/PlugIns/platforms/libqcocoa.dylib", "Contents/Resources/qt.conf"})
        program = (image / "Coterie.app/Contents/MacOS/coterie").read_bytes()
        self.assertTrue(b"arm64" in program and b"x86_64" in program)
        calls = self.calls.read_text(encoding="utf-8")
        for part in ("--triplet arm64-osx", "--triplet x64-osx", "--sign - ", "create -volname Coterie"):
            self.assertIn(part, calls)

    def test_it_has_a_bill_of_materials(self):
        self.run_script("--qt", str(self.tools / "qt"))
        bill = json.loads((self.sources / f"build/packages/coterie-{VERSION}-macos.dmg.spdx.json").read_text(encoding="utf-8"))
        licences = {part["name"]: part["licenseDeclared"] for part in bill["packages"]}
        self.assertEqual((licences["Qt"], licences["SQLiteCpp"], licences["SQLite"]), ("LGPL-3.0-only", "MIT", "NOASSERTION"))
        self.assertNotIn("liburing", licences)

    def test_the_identity_signs(self):
        self.run_script("--qt", str(self.tools / "qt"), COTERIE_MAC_IDENTITY="Somebody")
        self.assertIn("--sign Somebody --options runtime", self.calls.read_text(encoding="utf-8"))

    def test_what_is_missing_is_said(self):
        for words, environment, said in (((), {}, "name an official one"), (("--qt", str(self.tools / "qt")), {"VCPKG_ROOT": ""}, "vcpkg")):
            done = self.run_script(*words, **environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, rf"^error: [^\n]*{said}[^\n]*\n$")

    def test_elsewhere_it_refuses(self):
        (self.tools / "uname").write_text("#!/bin/sh\necho Linux\n", encoding="utf-8")
        done = self.run_script("--qt", str(self.tools / "qt"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^error: a bundle for macOS can't be made here; [^\n]*\n$")
        self.assertFalse((self.sources / "build").exists())

    def test_a_file_that_differs_stops_it(self):
        (self.tools / "cmake").write_text((self.tools / "cmake").read_text(encoding="utf-8").replace("MacOS/*", "Resources/guide.gguf"), encoding="utf-8")
        (self.tree / "Contents/Resources/guide.gguf").write_bytes(b"GGUF arm64")
        done = self.run_script("--qt", str(self.tools / "qt"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Contents/Resources/guide.gguf is another file", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", default=CMAKE)
    known, rest = parser.parse_known_args()
    CMAKE = known.cmake
    unittest.main(argv=[sys.argv[0], *rest])
