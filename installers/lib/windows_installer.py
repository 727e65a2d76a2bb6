#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the two packages for Windows from a tree: the installer, by makensis, and a zip with the same files.

    windows_installer.py --tree FOLDER --version VERSION --icon FILE.ico --out INSTALLER.exe [--zip FILE.zip]

The tree is what `cmake --install` made, with what the programs load. All files get the time of SOURCE_DATE_EPOCH, so that the same tree gives the same
bytes.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time
import zipfile

import identity

SCRIPT = pathlib.Path(__file__).parents[1] / "windows/coterie.nsi"
PROGRAM_MODE = 0o100644 << 16  # the mode of an ordinary file, as zip files keep it
OLDEST = 315532800  # 1980-01-01: times in zip files begin there


def files(tree):
    return sorted(path.relative_to(tree) for path in tree.rglob("*") if path.is_file())


def windows(path):
    """The path as NSIS has it in quotes: a dollar begins a variable."""
    return str(path).replace("/", "\\").replace("$", "$$")


def script(tree):
    """The macros that put exactly these files into their places and take them away again."""
    names = files(tree)
    folders = sorted({parent for name in names for parent in name.parents if parent != pathlib.PurePath(".")}, key=lambda path: (-len(path.parts), str(path)))
    lines = ["!macro InstallFiles"]
    for folder in sorted({name.parent for name in names}, key=str):
        lines.append(f'  SetOutPath "$INSTDIR{chr(92) + windows(folder) if str(folder) != "." else ""}"')
        lines += [f'  File "/oname={windows(name.name)}" "{str(tree.resolve() / name).replace("$", "$$")}"' for name in names if name.parent == folder]
    lines += ["!macroend", "!macro RemoveFiles"]
    lines += [f'  Delete "$INSTDIR\\{windows(name)}"' for name in names]
    lines += [f'  RMDir "$INSTDIR\\{windows(folder)}"' for folder in folders]
    return "\n".join([*lines, "!macroend", ""])


def make_installer(options, moment):
    for name in files(options.tree):
        os.utime(options.tree / name, (moment, moment))
    included = options.out.with_suffix(".nsh")
    included.write_text(script(options.tree), encoding="utf-8")
    size = sum((options.tree / name).stat().st_size for name in files(options.tree))
    values = {"VERSION": options.version, "PUBLISHER": identity.read()["publisher"], "KIBIBYTES": size // 1024 + 1, "ICON": options.icon.resolve(),
              "FILES": included.resolve(), "OUT": options.out.resolve()}
    done = subprocess.run(["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *(f"-D{name}={value}" for name, value in values.items()), str(SCRIPT)],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    included.unlink()
    if done.returncode != 0:
        sys.exit(f"error: makensis could not make the installer:\n{done.stdout}")


def make_zip(options, moment):
    """The files in a folder with the program's name and version."""
    stamp = time.gmtime(max(moment, OLDEST))[:6]
    with zipfile.ZipFile(options.zip, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in files(options.tree):
            entry = zipfile.ZipInfo(f"Coterie {options.version}/{name.as_posix()}", stamp)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, PROGRAM_MODE, 3
            archive.writestr(entry, (options.tree / name).read_bytes())


def main():
    parser = argparse.ArgumentParser()
    for option in ("tree", "icon", "out"):
        parser.add_argument(f"--{option}", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--zip", type=pathlib.Path)
    options = parser.parse_args()
    moment = int(os.environ["SOURCE_DATE_EPOCH"])
    make_installer(options, moment)
    if options.zip:
        make_zip(options, moment)


if __name__ == "__main__":
    main()
