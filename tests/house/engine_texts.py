#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the sentences of the engine's and the store's errors and notes for translators, as a header that lupdate reads.

    engine_texts.py --source FOLDER [--write]

A sentence's English pattern is its id (engine/base/sentence.h). Without --write the list app/common/engine_texts.h is compared with the source, and the
program exits with 1 if it is not up to date. A literal counts as a sentence if it is an argument of Sentence(...) or of an error, or if it has a
space and begins with a letter or a place ("%1"); names of templates' functions and what only a template's author sees are left out.
"""
import argparse
import pathlib
import re
import sys

from source_text import CPP_TOKEN

LIST = "app/common/engine_texts.h"
# (folder or file, whether every literal that reads like a sentence is one)
SOURCES = [("engine", True), ("app/store", True), ("app/exchange", True), ("app/engine_link/attached_file.cpp", True), ("app/engine_link/pdf_text_none.cpp", True),
           ("app/engine_link/pdf_text_qt.cpp", True), ("app/engine_link/engine_worker.cpp", False), ("app/engine_link/record_keeper.cpp", False),
           ("app/engine_link/memory_outlook.cpp", False)]
LEFT_OUT = ["engine/prompt/jinja", "app/exchange/markdown.cpp"]
SENTENCE = re.compile(r"(?:[A-Za-z]|%1)[^\n{}<>|=_\\/]* ")
# SQL, assembly, addresses, and texts that go on.
NO_SENTENCE = re.compile(r"[A-Z]{3,} |.*(?: = \?|\(%|://|\bIN \(| $|\($)")
BEFORE_ERROR = re.compile(r"(?:Sentence\w*\s*[({]|\{\s*(?:engine::)?ErrorKind::)[^;]*$")
FOR_US = re.compile(r"static_assert\([^;]*,\s*$|\bthrow [^;]*$")
HEAD = """// SPDX-License-Identifier: Apache-2.0
// The English sentences of errors and notes, for lupdate: tests/house/engine_texts.py --write makes this file.
#pragma once

#include <QtGlobal>

namespace coterie::app {

// clang-format off
inline constexpr const char* kEngineTexts[] = {
"""
TAIL = """};
// clang-format on

} // namespace coterie::app
"""


def literals(text):
    """Yields (text before, literal) with neighbouring literals joined."""
    parts, start, end = [], 0, 0
    for match in CPP_TOKEN.finditer(text):
        if match["text"] is None:
            continue
        gap = CPP_TOKEN.sub("", text[end:match.start()])
        if parts and gap.strip():
            yield text[:start], "".join(parts)
            parts = []
        if match[0].startswith('"'):
            start = start if parts else match.start()
            parts.append(match[0][1:-1])
        end = match.end()
    if parts:
        yield text[:start], "".join(parts)


def sentences(source):
    found = set()
    for name, prose in SOURCES:
        place = source / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            relative = path.relative_to(source).as_posix()
            if path.suffix not in {".cpp", ".h"} or any(relative == left or relative.startswith(left + "/") for left in LEFT_OUT):
                continue
            text = re.sub(r"^\s*#.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            for before, literal in literals(text):
                near = before[-2000:]
                reads = prose and SENTENCE.match(literal) and not NO_SENTENCE.match(literal)
                if literal not in {"", "%1"} and (reads or BEFORE_ERROR.search(near)) and not FOR_US.search(near):
                    found.add(literal)
    return found


def listing(source):
    lines = [f'    QT_TRANSLATE_NOOP("Engine", "{text}"),\n' for text in sorted(sentences(source))]
    return HEAD + "".join(lines) + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    path, wanted = options.source / LIST, listing(options.source)
    if options.write:
        path.write_text(wanted, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != wanted:
        print(f"{LIST} is not up to date: run tests/house/engine_texts.py --source . --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
