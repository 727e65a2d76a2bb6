#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installed tree is whole, and the programs work wherever it is: it is installed, moved into a folder whose name has spaces and letters outside
ASCII, made read-only, and both programs run there as a user who can't write to it.

    install_tree.py --cmake CMAKE --build FOLDER
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "installers/lib"))
import identity  # noqa: E402  the name of the program and its publisher

NOBODY = 65534
ICONS = [16, 22, 24, 32, 48, 64, 128, 256, 512]


def manual_files(program):
    return {f"share/man/man1/{program}.1.gz", f"share/bash-completion/completions/{program}", f"share/zsh/site-functions/_{program}",
            f"share/fish/vendor_completions.d/{program}.fish"}


def licences(*names):
    return {f"share/coterie/licences/{name}.txt" for name in ("coterie", *names)}


CLI = {"bin/coterie-cli"} | licences("cli11", "ggml", "json", "liburing", "unicode") | manual_files("coterie-cli")
PROGRAM = {"bin/coterie", "share/coterie/guide.gguf", "share/applications/coterie.desktop",
           f"share/metainfo/{identity.read()['id']}.metainfo.xml", "share/mime/packages/coterie.xml",
           "share/icons/hicolor/scalable/apps/coterie.svg"} | manual_files("coterie") | licences(
               "cli11", "dejavu", "ggml", "inter", "json", "liburing", "md4c", "pdfium", "qt", "sqlite", "sqlitecpp", "texgyre", "unicode", "zlib")
# Licences of the libraries that the programs load, by the beginning of the library's name; the others are the system's own.
LOADED = {"libQt6Pdf": "pdfium", "libQt6": "qt", "libsqlite3": "sqlite", "libSQLiteCpp": "sqlitecpp", "libmd4c": "md4c", "liburing": "liburing", "libz.so": "zlib"}
SYSTEM = ("ld-linux", "libc.so", "libm.so", "libgcc_s.so", "libstdc++.so", "libatomic.so", "libpthread.so", "libdl.so", "librt.so", "libGL.so", "libEGL.so",
          "libOpenGL.so", "libGLX.so", "libvulkan.so")


def expect(condition, what):
    if not condition:
        sys.exit(f"error: {what}")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def state(folder):
    """Everything that a program could have changed."""
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in [folder, *folder.rglob("*")]}


def install(options, folder, *component):
    subprocess.run([options.cmake, "--install", str(options.build), "--prefix", str(folder), *component], check=True, stdout=subprocess.DEVNULL)


def expected_program(options):
    """The window's files; the icons in fixed sizes only where the build could make them."""
    made = {f"share/icons/hicolor/{size}x{size}/apps/coterie.png" for size in ICONS}
    cache = (options.build / "CMakeCache.txt").read_text(encoding="utf-8")
    return PROGRAM if "COTERIE_RSVG_CONVERT-NOTFOUND" in cache else PROGRAM | made


def check_components(options, folder):
    program = expected_program(options)
    for name, wanted in {"cli": CLI, "program": program}.items():
        place = folder / name
        install(options, place, "--component", name)
        expect(files(place) == wanted, f"the component {name} differs: {sorted(files(place) ^ wanted)}")
    install(options, folder / "first place")
    expect(files(folder / "first place") == CLI | program, f"the tree differs: {sorted(files(folder / 'first place') ^ (CLI | program))}")


def check_program_files(tree, options):
    """A program must find nothing by the place where it was built, and its bytes must not depend on that place."""
    for name in ("coterie", "coterie-cli"):
        content = (tree / "bin" / name).read_bytes()
        for what, place in (("build folder", options.build), ("sources", pathlib.Path(__file__).resolve().parents[2])):
            expect(os.fsencode(place) not in content, f"{name} contains the path of its {what}")
    page = gzip.decompress((tree / "share/man/man1/coterie-cli.1.gz").read_bytes()).decode()
    for word in (r"\-\-version", ".SS generate", r"\-\-memory", ".SH EXIT STATUS"):
        expect(word in page, f"the manual page of coterie-cli lacks {word}")


def check_licences(tree, programs=("coterie", "coterie-cli")):
    """Whatever a program loads beside the system's own libraries has its licence in the tree."""
    if not shutil.which("readelf"):
        return
    texts = {path.stem for path in (tree / "share/coterie/licences").iterdir()}
    for program in programs:
        dynamic = subprocess.run(["readelf", "--dynamic", "--wide", str(tree / "bin" / program)], check=True, capture_output=True, text=True).stdout
        for library in re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic):
            name = next((text for begin, text in LOADED.items() if library.startswith(begin)), None)
            expect(library.startswith(SYSTEM) or name in texts, f"{program} loads {library}, whose licence is not in the tree")


def check_desktop_files(tree):
    """The validators of desktops accept what they will read."""
    share = tree / "share"
    for command in (["desktop-file-validate", share / "applications/coterie.desktop"],
                    ["appstreamcli", "validate", "--no-net", share / f"metainfo/{identity.read()['id']}.metainfo.xml"]):
        if shutil.which(command[0]):
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            expect(done.returncode == 0 and "error" not in done.stdout, f"{command[0]} says: {done.stdout}{done.stderr}")
    type_ = ElementTree.parse(share / "mime/packages/coterie.xml").getroot()[0].get("type")
    entry = (share / "applications/coterie.desktop").read_text(encoding="utf-8")
    expect(f"MimeType={type_};" in entry.splitlines(), f"the desktop file does not name the type {type_}")


def complete(tree, line):
    """Returns the words that bash offers at the end of the line."""
    words = line.split(" ")
    script = f"source '{tree}/share/bash-completion/completions/{words[0]}'; COMP_WORDS=({' '.join(word or chr(39) * 2 for word in words)}); " \
             f"COMP_CWORD={len(words) - 1}; _{words[0].replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout.split()


def check_completions(tree):
    if not shutil.which("bash"):
        return
    for line, wanted in {"coterie-cli gen": ["generate"], "coterie-cli generate --top": ["--top-k", "--top-p"], "coterie --screen": ["--screenshot"], "coterie --del": ["--delete-all-data"],
                         "coterie-cli bench --evi": ["--eviction"]}.items():
        offered = complete(tree, line)
        expect(sorted(offered) == wanted, f"bash completes '{line}' with {offered}")


def check_programs(tree, home):
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software",
                   "XDG_RUNTIME_DIR": str(home)}
    as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}

    def run(*command):
        done = subprocess.run([str(part) for part in command], env=environment, cwd=home, capture_output=True, text=True, **as_user)
        expect(done.returncode == 0, f"{command} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    cli, window, guide = tree / "bin/coterie-cli", tree / "bin/coterie", tree / "share/coterie/guide.gguf"
    for program in (cli, window):
        expect(run(program, "--version").startswith(program.name + " "), f"{program.name} has no version")
    expect(json.loads(run(cli, "info", guide, "--json")), "coterie-cli can't read the demo model")
    # The window opens the demo model by itself if it finds it; alone it shows another page.
    run(window, "--data-dir", home / "data", "--screenshot", home / "with.png")
    with_guide = (home / "with.png").read_bytes()
    (tree.parent / "without").mkdir(mode=0o755)
    lone = tree.parent / "without" / "coterie"
    shutil.copy2(window, lone)
    run(lone, "--data-dir", home / "other", "--screenshot", home / "without.png")
    expect(with_guide[1:4] == b"PNG" and with_guide != (home / "without.png").read_bytes(), "the window looks the same with and without the demo model")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coterie-install-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        check_components(options, folder)
        tree = folder / "Zweiter Ort \u00f6\u65e5" / "Coterie 1"
        tree.parent.mkdir()
        shutil.move(folder / "first place", tree)
        home = folder / "home"
        home.mkdir()
        if os.getuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        subprocess.run(["chmod", "-R", "a-w", str(tree)], check=True)
        before = state(tree)
        check_program_files(tree, options)
        check_completions(tree)
        check_licences(tree)
        check_desktop_files(tree)
        check_programs(tree, home)
        expect(state(tree) == before, "a program has written into the installed tree")
        subprocess.run(["chmod", "-R", "u+w", str(tree)], check=True)
    print("passed")


if __name__ == "__main__":
    main()
