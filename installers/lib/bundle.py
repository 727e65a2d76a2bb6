#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bundle for macOS: joins the trees of two processors, and checks that a bundle is whole. It needs macOS for the joining alone.

    bundle.py merge TREE TREE BUNDLE --lipo PROGRAM     each tree is a bundle that `cmake --install` made
    bundle.py check BUNDLE [--deployed]                 --deployed: macdeployqt has added Qt
"""
import argparse
import os
import pathlib
import plistlib
import shutil
import struct
import subprocess
import sys
from xml.parsers import expat

# Mach-O, MH_MAGIC_64 in either order of bytes (Apple's mach-o/loader.h).
MACH_O = {bytes.fromhex("feedfacf"), bytes.fromhex("cffaedfe")}
KEYS = ["CFBundlePackageType", "CFBundleIdentifier", "CFBundleName", "CFBundleExecutable", "CFBundleIconFile", "CFBundleShortVersionString", "CFBundleVersion",
        "LSMinimumSystemVersion", "NSHighResolutionCapable", "CFBundleDocumentTypes", "UTImportedTypeDeclarations"]
# Elements of an icon by their size in pixels; 16 and 32 have no PNG of their own.
ICONS = {"is32", "s8mk", "il32", "l8mk", "ic07", "ic08", "ic09", "ic10", "ic11", "ic12", "ic13", "ic14"}


def fail(what):
    sys.exit(f"error: {what}")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def merge(first, second, bundle, lipo):
    """A program is joined, and everything else must be the same for both processors."""
    if files(first) != files(second):
        fail(f"the trees differ: {sorted(files(first) ^ files(second))}")
    shutil.rmtree(bundle, ignore_errors=True)
    for name in sorted(files(first)):
        target = bundle / name
        target.parent.mkdir(parents=True, exist_ok=True)
        content = (first / name).read_bytes()
        if content[:4] in MACH_O:
            subprocess.run([lipo, "-create", str(first / name), str(second / name), "-output", str(target)], check=True)
            target.chmod(0o755)
        elif content == (second / name).read_bytes():
            shutil.copy2(first / name, target)
        else:
            fail(f"{name} is another file for the other processor")


def elements(icon):
    """The types of an icon's elements. A damaged icon ends the program."""
    if icon[:4] != b"icns" or struct.unpack(">I", icon[4:8])[0] != len(icon):
        fail("the icon is not whole")
    at, found = 8, set()
    while at < len(icon):
        name, size = struct.unpack(">4sI", icon[at:at + 8])
        if size < 8 or at + size > len(icon):
            fail(f"the icon's element {name} is not whole")
        found.add(name.decode("latin-1"))
        at += size
    return found


def check(bundle, deployed):
    contents = bundle / "Contents"
    try:
        info = plistlib.loads((contents / "Info.plist").read_bytes())
    except (OSError, plistlib.InvalidFileException, expat.ExpatError, ValueError) as problem:
        fail(f"Info.plist can't be read: {problem}")
    missing = [key for key in KEYS if not info.get(key)]
    if missing:
        fail(f"Info.plist lacks {missing}")
    types = {one["UTTypeIdentifier"] for one in info["UTImportedTypeDeclarations"]
             if "gguf" in one["UTTypeTagSpecification"]["public.filename-extension"]}
    if not types.intersection(info["CFBundleDocumentTypes"][0]["LSItemContentTypes"]):
        fail("Info.plist does not open files that end in .gguf")
    for name in (info["CFBundleExecutable"], "coterie-cli"):
        if not os.access(contents / "MacOS" / name, os.X_OK):
            fail(f"the program {name} is missing")
    wanted = [contents / "Resources" / name for name in (info["CFBundleIconFile"], "guide.gguf", "licences/coterie.txt", "licences/qt.txt")]
    if deployed:
        wanted += [contents / name for name in ("PlugIns/platforms/libqcocoa.dylib", "Resources/qt.conf")]
    for file in wanted:
        if not file.is_file():
            fail(f"{file.relative_to(bundle)} is missing")
    lacking = ICONS - elements(wanted[0].read_bytes())
    if lacking:
        fail(f"the icon lacks {sorted(lacking)}")


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    merging = commands.add_parser("merge")
    for name in ("first", "second", "bundle"):
        merging.add_argument(name, type=pathlib.Path)
    merging.add_argument("--lipo", required=True)
    checking = commands.add_parser("check")
    checking.add_argument("bundle", type=pathlib.Path)
    checking.add_argument("--deployed", action="store_true")
    options = parser.parse_args()
    if options.command == "merge":
        merge(options.first, options.second, options.bundle, options.lipo)
    else:
        check(options.bundle, options.deployed)


if __name__ == "__main__":
    main()
