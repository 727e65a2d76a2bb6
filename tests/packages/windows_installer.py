#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries the installer for Windows under wine: silently, for one user, into a path with a space and an umlaut; updated, refused while the program runs, and
taken away with and without the chats. The window is a stand-in (window_standin.cpp); coterie-cli is the real one, if it is named.

    windows_installer.py [--cli COTERIE-CLI.exe]      ends with 77 if makensis, wine or the compiler for Windows is not here
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import selftest_layout
from selftest_layout import SOURCES, VERSION

COMPILER = "x86_64-w64-mingw32-g++-posix"
PATIENCE = 300  # seconds; the first start of wine makes its folder
FOLDER = "Mein \u00d6rdner/Coterie"  # below C:
PLACE = "C:\\" + FOLDER.replace("/", "\\")
TYPE = r"HKCU\Software\Classes\.gguf"
ENTRY = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Coterie"


def expect(condition, what):
    if not condition:
        sys.exit(f"error: {what}")


class Wine:
    """A Windows of its own, in a folder."""

    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        # No window is shown, and no screen is needed.
        self.environment = {**os.environ, "WINEPREFIX": str(folder), "WINEARCH": "win64", "WINEDEBUG": "-all", "DISPLAY": "", "LANG": "C.UTF-8",
                            "WINEDLLOVERRIDES": "mscoree=;mshtml="}
        self.run("wineboot", "-i")
        self.drive = folder / "drive_c"
        users = [path for path in (self.drive / "users").iterdir() if path.name != "Public"]
        self.roaming = users[0] / "AppData/Roaming"
        self.menu = self.roaming / "Microsoft/Windows/Start Menu/Programs/Coterie.lnk"

    def start(self, *call):
        return subprocess.Popen([self.program, *map(str, call)], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *call):
        """Runs a program to its end; returns its exit code and what it printed."""
        process = self.start(*call)
        out = process.communicate(timeout=PATIENCE)[0].decode("cp437")  # the code page of a console
        return process.returncode, out

    def value(self, key, name):
        """A text of the registry, nothing if it is not there. name: empty for the key's own value."""
        code, out = self.run("reg", "query", key, *(["/v", name] if name else ["/ve"]))
        lines = [line.split("REG_SZ", 1)[1].strip() for line in out.splitlines() if "REG_SZ" in line]
        return lines[0] if code == 0 and lines and lines[0] != "(value not set)" else None

    def files(self):
        return {path.relative_to(self.drive).as_posix() for path in self.drive.rglob("*") if not path.is_dir() and "/windows/" not in f"/{path}/".replace(str(self.drive), "")
                and "Temp" not in path.parts}


def wait_until_it_runs(wine, process):
    deadline = time.monotonic() + PATIENCE
    while not (wine.roaming / "running").exists():
        expect(process.poll() is None and time.monotonic() < deadline, "the program did not start")
        time.sleep(0.1)
    (wine.roaming / "running").unlink()


def make_tree(folder, options):
    """The tree of Windows with programs that run there; returns it with its icon."""
    tree = selftest_layout.install(folder, "WIN32")
    for program in ("coterie", "coterie-cli"):
        (tree / program).unlink()
    standin = folder / "coterie.exe"
    subprocess.run([COMPILER, "-static", "-mwindows", "-o", standin, SOURCES / "tests/packages/window_standin.cpp"], check=True)
    shutil.copy(standin, tree / "coterie.exe")
    shutil.copy(options.cli or standin, tree / "coterie-cli.exe")
    return tree, folder / "build-WIN32/resources/icons/coterie.ico"


def make_installer(folder, tree, icon, version):
    out = folder / f"coterie-{version}.exe"
    subprocess.run([sys.executable, "-B", SOURCES / "installers/lib/windows_installer.py", "--tree", tree, "--version", version, "--icon", icon, "--out", out],
                   check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return out


def install(wine, installer, *options):
    # /D is the last one, and has no quotes even if it has spaces. Wine would put such a word into quotes, but not two words.
    return wine.run(installer, "/S", *options, *f"/D={PLACE}".split(" "))[0]


def check_installed(wine, tree):
    place = wine.drive / FOLDER
    wanted = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    there = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    expect(there == wanted | {"uninstall.exe"}, f"the installed files differ: {sorted(there ^ (wanted | {'uninstall.exe'}))}")
    for name in wanted:
        expect((place / name).read_bytes() == (tree / name).read_bytes(), f"{name} is not as it was")
    expect(wine.menu.exists(), "the start menu has no entry")
    expect(wine.value(ENTRY, "DisplayName") == "Coterie", "the list of programs has no entry")
    command = wine.value(r"HKCU\Software\Classes\Coterie.gguf\shell\open\command", "")
    expect(command == f'"{PLACE}\\coterie.exe" "%1"', f"a .gguf file would be opened by {command}")


def uninstall(wine, *options):
    """Waits for its end, for which it must not copy itself away first: so it can't delete itself."""
    code = wine.run(f"{PLACE}\\uninstall.exe", "/S", *options, *f"_?={PLACE}".split(" "))[0]
    if code == 0:
        (wine.drive / FOLDER / "uninstall.exe").unlink()
    return code


def check_removed(wine, before, stays=()):
    left = wine.files() - before - {path.relative_to(wine.drive).as_posix() for path in stays}
    expect(not left, f"these files stayed: {sorted(left)}")
    expect(all(path.exists() for path in stays), "the chats are gone")
    for key in (ENTRY, r"HKCU\Software\Coterie", r"HKCU\Software\Classes\Coterie.gguf", TYPE):
        expect(wine.run("reg", "query", key)[0] != 0, f"{key} is still in the registry")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", type=pathlib.Path)
    options = parser.parse_args()
    wine64 = shutil.which("wine64") or "/usr/lib/wine/wine64"
    if not (shutil.which("makensis") and shutil.which(COMPILER) and pathlib.Path(wine64).exists() and selftest_layout.RSVG):
        print("skipped: this needs makensis, wine, mingw-w64 and rsvg-convert")
        sys.exit(77)
    # wine's server writes its registry a moment after the last program has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        try_all(pathlib.Path(place), wine64, options)


def try_first(wine, tree, installer):
    expect(install(wine, installer) == 0, "it could not be installed")
    check_installed(wine, tree)
    expect(wine.value(TYPE, "") is None, "it took the file type without being asked")


def try_update(wine, tree, installer):
    """Nothing of the older version stays, except the choices that were made for it."""
    (tree / "licences/qt.txt").unlink()
    (tree / "licences/more.txt").write_text("new", encoding="utf-8")
    expect(install(wine, installer(tree), "/GGUF") == 0, "it could not be updated")
    check_installed(wine, tree)
    expect(wine.value(TYPE, "") == "Coterie.gguf", "it did not take the file type")
    expect(install(wine, installer(tree)) == 0, "it could not be updated once more")
    check_installed(wine, tree)
    expect(wine.value(TYPE, "") == "Coterie.gguf", "an update let the file type go")


def try_while_open(wine, tree, installer):
    running = wine.start(f"{PLACE}\\coterie.exe", "--wait")
    try:
        wait_until_it_runs(wine, running)
        expect(install(wine, installer) != 0, "it was installed over the running program")
        check_installed(wine, tree)
        expect(uninstall(wine) != 0, "the running program was taken away")
    finally:
        wine.run("taskkill", "/f", "/im", "coterie.exe")
        running.wait(PATIENCE)


def try_removal(wine, before, installer, chats):
    chats.parent.mkdir(parents=True, exist_ok=True)
    chats.write_text("chats", encoding="utf-8")
    expect(uninstall(wine) == 0, "it could not be taken away")
    check_removed(wine, before, [chats])
    expect(install(wine, installer) == 0, "it could not be installed again")
    expect(uninstall(wine, "/CHATS") == 0, "it could not be taken away with the chats")
    check_removed(wine, before)


def try_all(folder, wine64, options):
    tree, icon = make_tree(folder, options)
    wine = Wine(folder / "wine", wine64)
    before = wine.files()
    first = make_installer(folder, tree, icon, VERSION)
    print("installing")
    try_first(wine, tree, first)
    code, out = wine.run(f"{PLACE}\\coterie-cli.exe", "--version")
    expect(code == 0 and (not options.cli or out.startswith(f"coterie-cli {VERSION}")), f"coterie-cli says: {out}")
    print("updating")
    try_update(wine, tree, lambda changed: make_installer(folder, changed, icon, "9.9.9"))
    print("while it runs")
    try_while_open(wine, tree, make_installer(folder, tree, icon, "9.9.10"))
    print("taking it away")
    try_removal(wine, before, first, wine.roaming / "Coterie/chats.db")
    print("passed")


if __name__ == "__main__":
    main()
