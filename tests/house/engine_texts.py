# SPDX-License-Identifier: Apache-2.0
"""Finds the sentences of errors and notes of the engine, the graphics processor and the store, so that resources/translations/catalogue.py has them.

A sentence's English pattern is its id (engine/base/sentence.h). A literal counts as a sentence if it is an argument of Sentence(...) or of an error, or
if it has a space and begins with a letter or a place ("%1"); names of templates' functions and what only a template's author sees are left out.
"""
import re

from source_text import CPP_TOKEN

# (folder or file, whether every literal that reads like a sentence is one)
SOURCES = [("engine", True), ("gpu", False), ("app/store", True), ("app/exchange", True), ("app/engine_link/attached_file.cpp", True),
           ("app/engine_link/pdf_text_none.cpp", True), ("app/engine_link/pdf_text_qt.cpp", True), ("app/engine_link/engine_worker.cpp", False), ("app/engine_link/record_keeper.cpp", False),
           ("app/engine_link/memory_outlook.cpp", False), ("app/chats/chat_edits.cpp", False)]
LEFT_OUT = ["engine/prompt/jinja", "app/exchange/markdown.cpp"]
SENTENCE = re.compile(r"(?:[A-Za-z]|%1)[^\n{}<>|=_\\/]* ")
# SQL, assembly, addresses, and texts that go on.
NO_SENTENCE = re.compile(r"[A-Z]{3,} |[a-z]\.\w+, |.*(?: = \?|\(%|://|\bIN \(| $|\($)")
BEFORE_ERROR = re.compile(r"(?:Sentence\w*\s*[({]|\{\s*(?:engine::)?ErrorKind::)[^;]*$")
FOR_US = re.compile(r"static_assert\([^;]*,\s*$|\bthrow [^;]*$")


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
    """Returns the sentences as a source that lupdate reads."""
    lines = [f'    QT_TRANSLATE_NOOP("Engine", "{text}"),\n' for text in sorted(sentences(source))]
    return "const char* const texts[] = {\n" + "".join(lines) + "};\n"
