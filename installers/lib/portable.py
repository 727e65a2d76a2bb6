#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts what the programs load beside them, so that the tree runs on systems without Qt.

    portable.py --tree FOLDER --sources FOLDER --qt-qml FOLDER --qt-plugins FOLDER --scanner QMLIMPORTSCANNER --packages FILE

The tree is what `cmake --install` made. Into lib/coterie come the QML modules that the window imports, the plug-ins of Qt that it uses, and the libraries
that all of these need; into share/coterie the fonts, and the licences of the packages from which files were taken. Libraries that belong to a system's
graphics, display, C and C++ stay the system's own: a driver that is loaded into the program needs those with which it was built. The file gets the names
of the packages.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

LIBRARIES = pathlib.Path("lib/coterie")
PLUGINS = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqwayland-egl.so", "platforms/libqwayland-generic.so",
           "platforminputcontexts/*.so", "xcbglintegrations/*.so", "wayland-decoration-client/*.so", "wayland-graphics-integration-client/*.so",
           "wayland-shell-integration/*.so"]
# These are imported by C++ code of Qt, where the scanner can't see them.
HIDDEN_MODULES = ["QtQuick/Dialogs/quickimpl", "Qt/labs/folderlistmodel", "QtQuick/Window", "QtCore"]
# The window has the style Basic; tools that draw windows want the others, and what stands in designer.
UNUSED_FOLDERS = {"Fusion", "Imagine", "Material", "Universal", "+Fusion", "+Imagine", "+Material", "+Universal", "designer"}
OF_THE_SYSTEM = re.compile(
    r"ld-linux.*|lib(c|m|dl|pthread|rt|resolv|stdc\+\+|gcc_s|z|expat|zstd)\.so.*|lib(EGL|GL|GLX|OpenGL|GLdispatch|drm|gbm|vulkan)\.so.*|"
    r"lib(X11|X11-xcb|Xau|Xdmcp|Xext|xcb)\.so.*|libxcb-(glx|dri2|dri3|present|sync|shm|xfixes)\.so.*|libwayland-.*|linux-vdso.*")
FONTS = {"Inter": ["Regular", "Italic", "Medium", "MediumItalic", "SemiBold", "SemiBoldItalic", "Bold", "BoldItalic"],
         "DejaVuSans": ["", "Bold"], "DejaVuSansMono": ["", "Bold"], "texgyrepagella": ["math"]}


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, text=True, stdout=subprocess.PIPE).stdout


class Collection:
    """The files that were copied from the system, by the place from which they came."""

    def __init__(self, tree):
        self.tree, self.origins = tree, set()

    def take(self, file, place):
        """Copies the file that this name leads to into tree/place."""
        target = self.tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.resolve(), target)
        target.chmod(0o644)
        if ".so" in file.suffixes:  # Debian's modules look for libraries where Debian has none; without a path of their own they use the program's
            run("patchelf", "--remove-rpath", target)
        self.origins.add(file)
        self.origins.add(file.resolve())
        return target

    def take_module(self, source, place):
        """Copies one QML module, without the modules in folders below it."""
        for file in sorted(source.rglob("*")):
            folders = file.relative_to(source).parents
            other = UNUSED_FOLDERS.intersection(file.parts) or any((source / up / "qmldir").exists() for up in folders if str(up) != ".")
            if file.is_file() and file.suffix != ".qmltypes" and not other:
                self.take(file, place / file.relative_to(source))


def imported_modules(scanner, sources, qml):
    """The folders of the modules that these sources and those modules import, relative to Qt's folder of modules."""
    found, waiting = {qml / module for module in HIDDEN_MODULES if (qml / module).exists()}, [sources / "ui"]
    waiting += sorted(found)
    while waiting:
        for module in json.loads(run(scanner, "-rootPath", waiting.pop(), "-importPath", qml)):
            folder = pathlib.Path(module["path"]) if module.get("path") else None
            wanted = module["type"] == "module" and folder and qml in folder.parents and not UNUSED_FOLDERS.intersection(folder.parts)
            if wanted and folder not in found:
                found.add(folder)
                waiting.append(folder)
    return sorted(folder.relative_to(qml) for folder in found)


def needed_libraries(files):
    """The libraries that these programs and libraries load, by name. Those of the system are left out, and with them what only they load: a library of
    this system must not take the place of the one with which they were built."""
    needed, waiting = {}, list(files)
    while waiting:
        file = waiting.pop()
        places = dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", file), re.MULTILINE))
        for name in re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "--dynamic", "--wide", file)):
            if OF_THE_SYSTEM.fullmatch(name) or name in needed:
                continue
            if name not in places:
                sys.exit(f"error: {file} needs {name}, which is not here")
            needed[name] = pathlib.Path(places[name])
            waiting.append(needed[name])
    return needed


def take_fonts(collection, place):
    for family, cuts in FONTS.items():
        for cut in cuts:
            name = f"{family}-{cut}" if cut else family
            files = [file for folder in ("/usr/share/fonts", "/usr/share/texmf/fonts") for file in sorted(pathlib.Path(folder).rglob(f"{name}.[ot]tf"))]
            if not files:
                sys.exit(f"error: the font {name} is not installed")
            collection.take(files[0], pathlib.Path(place) / files[0].name)


def take_licences(collection):
    """Each Debian package says in its file "copyright" who may copy it, and how, and leaves long texts to files that only Debian has. Returns the packages."""
    origins = {re.sub("^/usr(?=/lib)", "", str(path)) for path in collection.origins} | {str(path) for path in collection.origins}
    packages, texts = set(), set()
    licences = collection.tree / "share/coterie/licences"
    (licences / "common-licenses").mkdir(parents=True, exist_ok=True)
    for line in subprocess.run(["dpkg-query", "--search", *sorted(origins)], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines():
        names, separator, _ = line.partition(": /")
        if separator:
            packages.update(name.split(":")[0] for name in names.split(", "))
    for package in sorted(packages):
        notice = pathlib.Path("/usr/share/doc", package, "copyright")
        if not notice.exists():
            sys.exit(f"error: {package} has no {notice}, and its files can't be handed on without one")
        shutil.copyfile(notice, licences / f"{package}.txt")
        texts.update(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", notice.read_text(encoding="utf-8")))
    for text in sorted(texts):
        shutil.copyfile(pathlib.Path("/usr/share/common-licenses", text), licences / "common-licenses" / text)
    return packages


def main():
    parser = argparse.ArgumentParser()
    for option in ("tree", "sources", "qt-qml", "qt-plugins", "scanner", "packages"):
        parser.add_argument(f"--{option}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    collection = Collection(options.tree)
    for module in imported_modules(options.scanner, options.sources, options.qt_qml):
        collection.take_module(options.qt_qml / module, LIBRARIES / "qml" / module)
    for pattern in PLUGINS:
        files = sorted(options.qt_plugins.glob(pattern))
        if not files:
            sys.exit(f"error: there is no plug-in {pattern} in {options.qt_plugins}")
        for file in files:
            collection.take(file, LIBRARIES / "plugins" / file.relative_to(options.qt_plugins))
    programs = [options.tree / "bin/coterie", options.tree / "bin/coterie-cli"]
    for name, path in sorted(needed_libraries(programs + sorted((options.tree / LIBRARIES).rglob("*.so"))).items()):
        collection.take(path, LIBRARIES / name)
    take_fonts(collection, "share/coterie/fonts")
    options.packages.write_text("\n".join(sorted(take_licences(collection))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
