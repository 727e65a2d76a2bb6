#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the English catalogue of the window's texts, coterie_en.ts, as lupdate finds them in app/ and ui/, and of the engine's sentences, as
tests/house/engine_texts.py finds them.

    catalogue.py --source FOLDER --lupdate PROGRAM [--write]

A text is its own English translation, except for those with a number (%n), whose two forms are written by hand into coterie_en.ts. Without --write
the catalogue is compared with the source: the program names texts that were added or removed, plurals without both forms, and texts that lupdate
can't extract, and exits with 1 if there is any. Other languages are translated from this catalogue.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "house"))
import engine_texts  # noqa: E402 (the folder must be known first)

CATALOGUE = "resources/translations/coterie_en.ts"
FOLDERS = [("app", {".cpp", ".h"}), ("ui", {".qml"})]
LEFT_OUT = {"app/cli"}  # the command line is English
PLURALS = 2  # forms of English: one, and any other number
HEAD = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- The English texts of the window. The target coterie-translations writes this file; only plurals are written by hand. -->
<TS version="2.1" language="en" sourcelanguage="en">
"""


def sources(folder):
    for top, endings in FOLDERS:
        for path in sorted(folder.joinpath(top).rglob("*")):
            relative = path.relative_to(folder).as_posix()
            if path.suffix in endings and not any(relative.startswith(left + "/") for left in LEFT_OUT):
                yield path


def extracted(folder, lupdate):
    """Returns what lupdate finds, as XML, and its complaints."""
    with tempfile.TemporaryDirectory() as place:
        out, names, sentences = (pathlib.Path(place, name) for name in ("found.ts", "files.lst", "sentences.cpp"))
        sentences.write_text(engine_texts.listing(folder), encoding="utf-8")
        # Without the path of includes lupdate does not find classes whose headers are in another folder.
        names.write_text("\n".join([f"-I{folder / 'app'}", str(sentences), *(str(path) for path in sources(folder))]), encoding="utf-8")
        command = [lupdate, "-locations", "none", "-source-language", "en", "-target-language", "en", f"@{names}", "-ts", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode or not out.exists():
            sys.exit(f"lupdate failed:\n{done.stdout}{done.stderr}")
        complaints = [line for line in done.stderr.splitlines() if line.strip()]
        return ElementTree.parse(out).getroot(), complaints


def key(context, message):
    return context.findtext("name"), message.findtext("source"), message.findtext("comment") or ""


def written_plurals(path):
    """Returns the plural forms of the catalogue, by text."""
    forms = {}
    if path.exists():
        for context in ElementTree.parse(path).getroot().findall("context"):
            for message in context.findall("message"):
                forms[key(context, message)] = [form.text or "" for form in message.findall("translation/numerusform")]
    return forms


def entry(context, message, plurals):
    source, comment, numerus = message.findtext("source"), message.findtext("comment"), message.get("numerus") == "yes"
    lines = ['    <message numerus="yes">' if numerus else "    <message>", f"        <source>{escape(source)}</source>"]
    if comment:
        lines.append(f"        <comment>{escape(comment)}</comment>")
    if numerus:
        forms = plurals.get(key(context, message)) or [""] * PLURALS
        unfinished = "" if len(forms) == PLURALS and all(forms) else ' type="unfinished"'
        lines.append(f"        <translation{unfinished}>" + "".join(f"<numerusform>{escape(form)}</numerusform>" for form in forms) + "</translation>")
    else:
        lines.append(f"        <translation>{escape(source)}</translation>")
    return lines + ["    </message>"]


def catalogue(found, plurals):
    lines = []
    for context in sorted(found.findall("context"), key=lambda one: one.findtext("name")):
        lines += ["<context>", f"    <name>{context.findtext('name')}</name>"]
        for message in sorted(context.findall("message"), key=lambda one: key(context, one)):
            lines += entry(context, message, plurals)
        lines.append("</context>")
    return (HEAD + "\n".join(lines) + "\n</TS>\n").encode("ascii", "xmlcharrefreplace")


def differences(before, after):
    """Yields the texts that only one of two catalogues has, and the plurals of the second that are not finished."""
    texts = [{key(context, message) for context in root.findall("context") for message in context.findall("message")} for root in (before, after)]
    yield from (f"{context}: added: {text}" for context, text, _ in sorted(texts[1] - texts[0]))
    yield from (f"{context}: removed: {text}" for context, text, _ in sorted(texts[0] - texts[1]))
    for context in after.findall("context"):
        for message in context.findall("message"):
            if message.find("translation").get("type") == "unfinished":
                yield f"{context.findtext('name')}: a plural form is missing: {message.findtext('source')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--lupdate", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    path = options.source / CATALOGUE
    found, complaints = extracted(options.source, options.lupdate)
    wanted = catalogue(found, written_plurals(path))
    before = ElementTree.fromstring(path.read_bytes() if path.exists() else b"<TS/>")
    findings = complaints + list(differences(before, ElementTree.fromstring(wanted)))
    if options.write:
        path.write_bytes(wanted)
    elif not findings and path.read_bytes() != wanted:
        findings = ["the catalogue is not as it would be written now"]
    print(*findings, sep="\n")
    if findings and not options.write:
        print(f"{CATALOGUE} is not up to date: build the target coterie-translations, then write the plurals that it names")
    sys.exit(bool(findings) and not options.write)


if __name__ == "__main__":
    main()
