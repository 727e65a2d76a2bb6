#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over files of a build, and over each text of a file only once: a file that was clean is left out until it, a header of it,
its flags, the checks or clang-tidy change.

    installers/lib/tidy.py BUILD [FOLDER ...]      no folder: every source of engine/ and app/

What was clean is remembered in $XDG_CACHE_HOME/coterie/tidy (default ~/.cache). Exits with 1 if a file is not clean, after all were checked.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CLEAN = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "coterie" / "tidy"
GCC_ALONE = re.compile(r" -Winvalid-pch| -include \S+/cmake_pch\.hxx")  # a precompiled header, which clang-tidy can't read
JOINED = re.compile(r'^#include "(.+)"$', re.MULTILINE)
LEFT_OUT = {"-o", "-MF", "-MT", "-MQ"}  # with the word that follows


def preprocessor(entry: dict) -> list[str]:
    """The command that writes what the compiler reads, with comments: some of them switch checks off."""
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if re.search(r"(\+\+|g\+\+-\d+|clang)$", word)):]  # without ccache
    kept, skip = [], False
    for word in words:
        if not skip and word not in LEFT_OUT and word not in ("-c", "-MD"):
            kept.append(word)
        skip = not skip and word in LEFT_OUT
    return [*kept, "-E", "-C", "-P"]


def sources(entries: list[dict]) -> dict[str, dict]:
    """The command of each source by its name. The build may compile several sources as one, a file that includes them: each has the flags of that file."""
    found: dict[str, dict] = {}
    for entry in entries:
        command = GCC_ALONE.sub("", entry["command"])
        joined = JOINED.findall(Path(entry["file"]).read_text()) if "/Unity/unity_" in entry["file"] else []
        for name in joined or [entry["file"]]:
            found.setdefault(name, entry | {"file": name, "command": command.replace(entry["file"], name)})  # a test may compile a source once more
    return found


def key(entry: dict, about: bytes) -> str:
    command = preprocessor(entry)
    text = subprocess.run(command, cwd=entry["directory"], capture_output=True, check=True).stdout
    return hashlib.sha256(about + (" ".join(command).encode() + text).replace(str(ROOT).encode(), b"")).hexdigest()


def check(entry: dict, database: Path, about: bytes) -> tuple[str, str]:
    """Returns "known", "clean", or "bad" with the words of clang-tidy."""
    stamp = CLEAN / key(entry, about)
    if stamp.exists():
        return "known", ""
    done = subprocess.run(["clang-tidy", "-quiet", "-extra-arg=-Wno-unknown-warning-option", "-extra-arg=-Wthread-safety", "-p", database, entry["file"]], capture_output=True, text=True)
    if done.returncode:
        return "bad", done.stdout + done.stderr
    stamp.touch()
    return "clean", ""


def main() -> int:
    build, areas = Path(sys.argv[1]).resolve(), [Path(name).resolve() for name in sys.argv[2:]]
    entries = sources(json.loads((build / "compile_commands.json").read_text()))
    database = build / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    ours = re.compile(rf"{re.escape(str(ROOT))}/(engine|app|gpu)/.*\.cpp$")
    own = [name for name in sorted(entries) if ours.match(name)]
    empty = [area for area in areas if not any(Path(name).is_relative_to(area) for name in own)]
    if not own or empty:
        print(f"error: {build} compiles no source of {', '.join(map(str, empty)) or 'engine/, app/ or gpu/'}; clang-tidy needs its flags; see that a CMakeLists.txt names it")
        return 1
    chosen = [entries[name] for name in own if not areas or any(Path(name).is_relative_to(area) for area in areas)]
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    about = version + (ROOT / ".clang-tidy").read_bytes()
    CLEAN.mkdir(parents=True, exist_ok=True)
    counts = {"known": 0, "clean": 0, "bad": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        for result, words in threads.map(lambda entry: check(entry, database, about), chosen):
            counts[result] += 1
            if words:
                print(words, flush=True)
    print(f"clang-tidy: {counts['clean']} files clean, {counts['known']} that were clean before, {counts['bad']} not clean")
    return counts["bad"] != 0


if __name__ == "__main__":
    sys.exit(main())
