#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what the programs for Windows load beside them, so that the tree runs on systems without Qt.

    windows_tree.py --tree FOLDER --sources FOLDER --qt FOLDER --scanner QMLIMPORTSCANNER --objdump OBJDUMP

The tree is what `cmake --install` made, and the Qt is that of installers/windows-qt. Libraries come beside the programs, since Windows looks for them
there; the plug-ins of Qt into plugins, the QML modules that the window imports into qml, and the fonts into fonts. qt.conf tells Qt these places.
"""
import argparse
import pathlib
import re
import sys

import portable

PLUGINS = ["platforms/qwindows.dll", "platforms/qoffscreen.dll", "imageformats/*.dll"]
# Libraries with these names are not part of Windows.
OURS = re.compile(r"(qt\d|lib|zlib|sqlite|md4c).*", re.IGNORECASE)
PLACES = "[Paths]\nPrefix=.\nPlugins=plugins\nQmlImports=qml\n"


def needed_libraries(files, folder, objdump):
    """The libraries from this folder which these programs and libraries load. Windows does not distinguish A.DLL from a.dll."""
    there = {file.name.lower(): file for file in folder.glob("*.dll")}
    needed, waiting = {}, list(files)
    while waiting:
        file = waiting.pop()
        for name in re.findall(r"^\s*DLL Name: (\S+)", portable.run(objdump, "-p", file), re.MULTILINE):
            library = there.get(name.lower())
            if library is None and OURS.fullmatch(name):
                sys.exit(f"error: {file} needs {name}, which is not in {folder}")
            if library is not None and library not in needed.values():
                needed[name] = library
                waiting.append(library)
    return sorted(needed.values())


def main():
    parser = argparse.ArgumentParser()
    for option in ("tree", "sources", "qt", "scanner", "objdump"):
        parser.add_argument(f"--{option}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    collection = portable.Collection(options.tree)
    qml = options.qt / "qml"
    for module in portable.imported_modules(options.scanner, options.sources, qml):
        collection.take_module(qml / module, pathlib.Path("qml") / module)
    for pattern in PLUGINS:
        files = sorted((options.qt / "plugins").glob(pattern))
        if not files:
            sys.exit(f"error: there is no plug-in {pattern} in {options.qt / 'plugins'}")
        for file in files:
            collection.take(file, pathlib.Path("plugins") / file.relative_to(options.qt / "plugins"))
    programs = sorted(options.tree.glob("*.exe")) + sorted(options.tree.rglob("*.dll"))
    for library in needed_libraries(programs, options.qt / "bin", options.objdump):
        collection.take(library, library.name)
    portable.take_fonts(collection, "fonts")
    (options.tree / "qt.conf").write_text(PLACES, encoding="ascii")


if __name__ == "__main__":
    main()
