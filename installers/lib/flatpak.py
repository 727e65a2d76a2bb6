#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manifest of the Flatpak from installers/flatpak/manifest.json, whose permissions it checks.

    flatpak.py --commit COMMIT --out FOLDER      writes FOLDER/ID.json

Files reach the program through the portal alone: a person chooses one in the system's own dialog.
"""
import argparse
import json
import pathlib
import sys

import identity

MANIFEST = pathlib.Path(__file__).parents[1] / "flatpak/manifest.json"
# A window on either display, and a graphics processor to draw it and to compute on.
PERMISSIONS = {"--socket=wayland", "--socket=fallback-x11", "--share=ipc", "--device=dri"}


def filled(value, words):
    """The same with each @word@ replaced."""
    if isinstance(value, dict):
        return {key: filled(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, words) for one in value]
    if isinstance(value, str):
        for word, text in words.items():
            value = value.replace(f"@{word}@", text)
    return value


def manifest(commit, text=None):
    made = filled(json.loads(text or MANIFEST.read_text(encoding="utf-8")), {"id": identity.read()["id"], "commit": commit})
    more = set(made["finish-args"]) - PERMISSIONS
    if more:
        sys.exit(f"error: the Flatpak asks for {sorted(more)}, which the program must not have")
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--commit", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    made = manifest(options.commit)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{made['id']}.json"
    path.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
