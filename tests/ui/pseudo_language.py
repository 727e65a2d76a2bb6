#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a catalogue of a language that nobody speaks: every text of the English catalogue stands in brackets, so that a text without them was never
looked up. Sentences of the scripted engine, which no real catalogue has, are added.

    pseudo_language.py --catalogue coterie_en.ts --sentences FILE... --out pseudo.ts
"""
import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "house"))
from engine_texts import BEFORE_ERROR, literals  # noqa: E402 (the folder must be known first)

BEGIN, END = "\u27e6", "\u27e7"


def add(context, source):
    message = ElementTree.SubElement(context, "message")
    ElementTree.SubElement(message, "source").text = source
    translation = ElementTree.SubElement(message, "translation")
    translation.text = BEGIN + source + END



def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--catalogue", type=pathlib.Path, required=True)
    parser.add_argument("--sentences", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    tree = ElementTree.parse(options.catalogue)
    known = set()
    for context in tree.getroot().findall("context"):
        for message in context.findall("message"):
            translation, source = message.find("translation"), message.findtext("source")
            known.add((context.findtext("name"), source))
            for form in translation.findall("numerusform") or [translation]:
                form.text = BEGIN + source + END
    context = ElementTree.SubElement(tree.getroot(), "context")
    ElementTree.SubElement(context, "name").text = "Engine"
    for path in options.sentences:
        for before, literal in literals(path.read_text(encoding="utf-8")):
            if " " in literal and ("Engine", literal) not in known and (BEFORE_ERROR.search(before[-2000:]) or "otes = {" in before[-400:]):
                known.add(("Engine", literal))
                add(context, literal)
    tree.write(options.out, encoding="utf-8", xml_declaration=True)


if __name__ == "__main__":
    main()
