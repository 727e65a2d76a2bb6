#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the house that a program can see: borders between folders, linked libraries, registered tests, paths in documents, sizes, numbers,
comments.

    check_house.py --source FOLDER [--engine-program build/release/bin/coterie-cli] [--build build/release]

--build also compares the tests in the source with those that CTest knows in that build folder. Prints one line for each finding, then their number;
exits with 1 if there is any. selftest_house.py breaks each rule once.
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from source_text import code_of, comments, function_lengths, python_function_lengths, qml_function_lengths

# A condition with a macro of the compiler, or with one that Qt derives from it.
COMPILERS_MACRO = re.compile(r"#if(def)?\b.*\b(__\w+|_WIN32|_M_\w+|Q_OS_\w+)")
# The folders that each folder of the engine may include besides itself. A new arrow is a decision: it is written here, and points to a line above.
ENGINE_ARROWS = {
    "base": "",
    "gguf": "base",
    "kernels": "base gguf",
    "experts": "base gguf",
    "model": "base gguf kernels experts",
    "decoder": "base gguf kernels experts model",
    "prompt": "base gguf",
    "records": "base experts decoder prompt",
    "sampling": "base gguf",
    "session": "base gguf kernels experts model decoder prompt records sampling",
}
# The same for the rooms of app/.
APP_ARROWS = {
    "export": "",
    "common": "",
    "store": "common",
    "text": "",
    "markdown": "store text",
    "exchange": "store",
    "look": "export text",
    "tools": "store",
    "settings": "common tools",
    "engine_link": "export common store text tools",
    "models": "common settings engine_link",
    "chats": "common store text markdown exchange tools settings engine_link",
    "inspector": "export common store text look settings engine_link models chats",
    "shell": "common store settings engine_link models chats inspector",
    "cli": "export",
    "main": "common models shell cli",
}
# The engine's headers that app/ may include: (folder of app/, header, reason). Everything else of the engine is reached through the session.
APP_DOORS = [
    ("", "session/session.h", "the door: every call, option, figure and error of a conversation with a model"),
    ("", "session/packed_files.h", "packed files are made and removed without an open model"),
    ("", "base/result.h", "errors are values on both sides of the border"),
    ("", "base/number_text.h", "numbers in files have points, whatever the user's language is"),
    ("", "base/files.h", "our own files are also written beside, synced and renamed"),
    ("", "base/mutex.h", "clang checks the locks of both sides"),
    ("", "base/memory.h", "the gauges show the memory of the process and of the machine"),
    ("", "records/token_bytes.h", "the tokens of an answer are kept with its trace"),
    ("", "prompt/parts.h", "a message is a list of parts, from the parser to the database and the view"),
    ("store", "prompt/answer_parser.h", "answers that older versions stored as text with tags are read once more"),
    ("", "records/trace_log.h", "traces are recorded, kept, shown and written to files"),
    ("", "prompt/utf8_stream.h", "a trace's tokens are written as whole characters"),
    ("inspector", "records/expert_statistics.h", "the inspector counts and compares what experts did"),
    ("", "experts/expert_index.h", "one numbering of the experts of all layers"),
    ("inspector", "session/layer_info.h", "the grid says what mixes the tokens in a layer"),
    ("inspector", "experts/expert_store.h", "the states of experts, as the session writes them"),
    ("cli", "base/hash.h", "bench prints a hash of the logits"),
    ("cli", "base/threads.h", "bench reads memory with as many threads as the engine"),
    ("cli", "kernels/kernels.h", "kernels lists the tables, bench reads memory with them"),
    ("cli", "experts/replay.h", "replay runs eviction policies without a model"),
    ("cli", "sampling/sampling_limits.h", "the ranges of options are shown in the help and in errors"),
    ("cli", "gguf/token_id.h", "agreement compares tokens"),
    ("cli", "prompt/chat_template.h", "render is a template without a model"),
    ("cli", "records/expert_statistics.h", "experts compares domains by the window's statistics"),
    ("cli", "base/power/energy.h", "experts prints joules a token"),
    ("cli", "prompt/json_text.h", "the numbers of a call's arguments are printed with the digits that the model wrote"),
    ("chats", "prompt/json_text.h", "the question before a tool runs shows the arguments with the digits that the model wrote"),
    ("cli", "prompt/utf8.h", "experts reads texts that must be UTF-8"),
]
LONGEST_FILE = 800
CROWDED = 25  # sources in one folder of engine/ or app/
LONGEST_FUNCTION = 60
README_LINES, README_COLUMNS = 150, 120
SOURCES = {".cpp", ".h", ".qml", ".py", ".sh", ".comp"}
COMMENTED = SOURCES | {".cmake", ".mjs", ".ps1"}
IGNORED = {"build", ".git", ".cache", "__pycache__", "node_modules"}
# These ask the C library's or the C++ locale how numbers are written, and Qt sets the first to the user's. std::to_chars and std::from_chars ask none.
BY_LOCALE = re.compile(r"\b(?:v?[sf]?n?printf|v?[sf]?scanf|atof|strto(?:f|d|ld)|sto(?:f|d|ld)|setlocale|[io]?stringstream|put_money|put_time)\b")
SETS_LOCALE = "app/main/window_program.cpp"  # a point for the libraries in the window's process
# A comment that begins so is seldom a sentence: the subject or the verb is missing.
FRAGMENT = re.compile(r"(?:Of|What|Where|That|But for|Nor)\b", re.IGNORECASE)


@functools.cache
def files(source):
    """The files of the checkout; what a build made is not looked at."""
    found = []
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in IGNORED]
        found += [path for path in (pathlib.Path(folder, name) for name in names) if path.is_file()]
    return sorted(found)


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match[2], match[1] == '"'


def arrows(source):
    """An include stays in its room or follows an arrow of the tables; engine/ sees neither Qt nor Vulkan; gpu/ sees the engine alone; app/ goes through the
    engine's doors."""
    for path in files(source):
        parts = path.relative_to(source).parts
        if path.suffix not in {".cpp", ".h"} or parts[0] not in {"engine", "gpu", "app"}:
            continue
        for number, target, quoted in includes(path):
            where, first = f"{path.relative_to(source)}:{number}", target.split("/")[0]
            if quoted and ".." in target.split("/"):
                yield f"{where}: includes {target}; write the path from {parts[0]}/, so that its room is seen"
            elif parts[0] in {"engine", "gpu"} and re.match(r"Q[A-Z]|Qt", target):
                yield f"{where}: {parts[0]} includes Qt's {target}"
            elif parts[0] == "engine" and first in {"vulkan", "app", "ui", "gpu"}:
                yield f"{where}: engine includes {target}"
            elif parts[0] == "engine" and first in ENGINE_ARROWS and not may_include(ENGINE_ARROWS, parts[1], first):
                yield f"{where}: {parts[1]} includes {target}, to which no arrow leads (ENGINE_ARROWS in check_house.py)"
            elif parts[0] == "gpu" and quoted and first not in ENGINE_ARROWS and not (path.parent / target).exists() and not (source / "gpu" / target).exists():
                yield f"{where}: gpu includes {target}, which is neither its own nor the engine's"
            elif parts[0] == "app" and first in ENGINE_ARROWS and not any(
                    target == door and (not folder or parts[1] == folder) for folder, door, _ in APP_DOORS):
                yield f"{where}: app includes {target}, which is no door of the engine (APP_DOORS in check_house.py lists them)"
            elif parts[0] == "app" and (source / "app" / target).exists() and not may_include(APP_ARROWS, parts[1], first):
                yield f"{where}: {parts[1]} includes {target}, to which no arrow leads (APP_ARROWS in check_house.py)"


def may_include(table, room, other):
    """Whether a file of this room may include a header of the other one."""
    return other == room or other in table.get(room, "").split()


def upward(table):
    """The arrows of a table that point to a room below."""
    names = list(table)
    return [(room, other) for room in names for other in table[room].split() if names.index(other) >= names.index(room)]


def rooms(source):
    """A folder of engine/ or app/ holds no more sources than a person overlooks, and its README leads to each of its files, or names a small folder within it."""
    by_folder = {}
    for path in files(source):
        parts = path.relative_to(source).parts
        if parts[0] in {"engine", "app"} and len(parts) > 2 and path.suffix in {".cpp", ".h", ".mm"}:
            by_folder.setdefault(path.parent, []).append(path)
    for folder, inside in by_folder.items():
        where, count = folder.relative_to(source), sum(path.suffix != ".h" for path in inside)
        if count > CROWDED:
            yield f"{where}: {count} sources; at most {CROWDED}, then a room of its own"
        if (folder / "README.md").exists():
            for path in sorted(set(inside) - led_to(folder / "README.md", inside)):
                yield f"{path.relative_to(source)}: {where}/README.md does not lead to it"
        elif not (folder.parent / "README.md").exists() or f"`{folder.name}/`" not in (folder.parent / "README.md").read_text(encoding="utf-8"):
            yield f"{where}: has no README.md, and that of the folder above does not name it"


def led_to(readme, inside):
    """The files of a folder that its README names, and those to which they lead: a file leads to what it includes, a header to the sources that
    implement it, which include it first."""
    text = readme.read_text(encoding="utf-8")
    included = {path: [pathlib.PurePath(target).name for _, target, quoted in includes(path) if quoted] for path in inside}
    reached = {path for path in inside if re.search(rf"(?<![\w.]){re.escape(path.name)}\b", text)}
    left = list(reached)
    while left:
        path = left.pop()
        for other in inside:
            implements = path.suffix == ".h" and other.suffix != ".h" and included[other][:1] == [path.name]
            if other not in reached and (implements or other.name in included[path]):
                reached.add(other)
                left.append(other)
    return reached


def links(source):
    """gpu/ links the engine and the system's libraries, nothing of the window."""
    for path in files(source):
        if path.relative_to(source).parts[0] == "gpu" and path.name == "CMakeLists.txt":
            for name in re.findall(r"\b(?:coterie_(?:app|ui|store|fakes)|Qt6::\w+)\b", path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(source)}: gpu links {name}, which is not the engine's"


def linked(program):
    """The headless program holds the whole engine: what it loads, the engine pulls in."""
    if not program or not shutil.which("ldd"):
        return
    loaded = subprocess.run(["ldd", str(program)], capture_output=True, text=True).stdout
    for name in re.findall(r"lib(?:Qt\w*|vulkan)[^\s]*", loaded):
        yield f"{program.name} loads {name}: the engine must pull in neither Qt nor Vulkan"


def registrations(source):
    """A test that the CMakeLists.txt beside it does not name never runs, nor does a folder of tests without one."""
    tests = source / "tests"
    area_list = (tests / "CMakeLists.txt").read_text(encoding="utf-8") if (tests / "CMakeLists.txt").exists() else ""
    for folder in sorted({tests / path.relative_to(tests).parts[0] for path in files(source) if path.is_relative_to(tests) and path.suffix == ".cpp"}):
        if folder.is_dir() and not (folder / "CMakeLists.txt").exists():
            yield f"{folder.relative_to(source)}: has no CMakeLists.txt, so nothing builds it"
        elif folder.is_dir() and area_list and "GLOB" not in area_list and not re.search(rf"\b{folder.name}\b", area_list):
            yield f"{folder.relative_to(source)}: tests/CMakeLists.txt does not know it"
    for path in files(source):
        if path.match("tst_*.cpp") or path.match("tst_*.qml"):
            near = [folder / "CMakeLists.txt" for folder in path.parents if folder.is_relative_to(source)][:2]
            lists = "\n".join(one.read_text(encoding="utf-8") for one in near if one.exists())
            by_folder = path.suffix == ".qml" and "QUICK_TEST_SOURCE_DIR" in lists
            if not by_folder and not re.search(rf"\b{re.escape(path.stem)}\b", lists):
                yield f"{path.relative_to(source)}: no CMakeLists.txt names it, so it never runs"


def known_to_ctest(source, build):
    """The same from the other side: CTest is asked which tests it would run."""
    if not build:
        return
    shown = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True)
    names = {test["name"] for test in json.loads(shown.stdout)["tests"]} if shown.returncode == 0 else set()
    for path in files(source):
        if path.match("tst_*.cpp") and path.stem not in names:
            yield f"{path.relative_to(source)}: CTest does not run it in {build}"


def documents(source):
    """A path or a file's name in backticks, and the target of a link, must exist: from the document's folder or from the top; a bare name also below them."""
    paths = files(source)
    for path in paths:
        if path.name not in {"README.md", "CONTRIBUTING.md"}:
            continue
        text, where = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL), path.relative_to(source)
        named = re.findall(r"`([A-Za-z0-9_./-]+)`", text) + [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)
                                                            if "://" not in target and not target.startswith("#")]
        for name in named:
            if name.startswith(("build/", "../shared", "/", "-")) or "NAME" in name or not ("/" in name or re.search(r"\.(?:cpp|h|qml|py|md|mjs|sh|cmake|comp|txt|ps1)$", name)):
                continue
            below = "/" not in name and any(other.name == name and other.is_relative_to(path.parent) for other in paths)
            inside = (path.parent / name).resolve().is_relative_to(source)
            if not below and not (inside and (path.parent / name).exists()) and not (source / name).exists():
                yield f"{where}: names {name}, which is not there"


def doors(source):
    """A document that calls session.h the only door of the engine is wrong as long as APP_DOORS has others."""
    for path in files(source):
        if path.name in {"README.md", "CONTRIBUTING.md"} or (path.suffix == ".h" and path.relative_to(source).parts[0] in {"app", "engine"}):
            text = " ".join(path.read_text(encoding="utf-8").replace("//", " ").split())
            for sentence in re.findall(r"[^.]*session\.h\b`?[^.]*\.", text):
                if len(APP_DOORS) > 1 and re.search(r"session\.h`? alone\b|\b(?:only|nothing but|alone) [^,;]*session\.h", sentence, re.IGNORECASE):
                    yield f"{path.relative_to(source)}: says that session.h is the only door; APP_DOORS has {len(APP_DOORS)}: {sentence.strip()[:80]}"


def words(source):
    """These words are free for what a person is told; code emits, reports, shows or refreshes."""
    for path in files(source):
        where = path.relative_to(source)
        if path.suffix in {".cpp", ".h"} and where.parts[0] in {"engine", "app"}:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.search(r"\b(?:told|untold|tell[A-Z]\w*)\b|\btell\(", line):
                    yield f"{where}:{number}: tell or told: write emitted, reported, shown or refreshed"


def front_page(source):
    """README.md is one screen or two: figures stand in tests/bench/RESULTS.md."""
    path = source / "README.md"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if len(lines) > README_LINES:
        yield f"README.md: {len(lines)} lines; at most {README_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > README_COLUMNS:
            yield f"README.md:{number}: {len(line)} characters; at most {README_COLUMNS}"


def functions(source):
    """A function is no longer than a person reads at once. A table of a test's rows (name_data) may be."""
    lengths = {".cpp": function_lengths, ".h": function_lengths, ".qml": qml_function_lengths, ".py": python_function_lengths}
    for path in files(source):
        if path.suffix not in lengths:
            continue
        for name, line, count in lengths[path.suffix](path.read_text(encoding="utf-8")):
            if count > LONGEST_FUNCTION and not name.endswith("_data"):
                yield f"{path.relative_to(source)}:{line}: {name}() has {count} lines; at most {LONGEST_FUNCTION}"


def hidden_tests(source):
    """A test that moc does not see never runs, and moc knows no macro of the compiler. CMakeLists.txt can define one of its own."""
    for path in files(source):
        where = path.relative_to(source).as_posix()
        if not where.startswith("tests/") or path.suffix not in {".cpp", ".h"}:
            continue
        conditions = None # those around a line of a class with tests: whether moc takes them for false
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "Q_OBJECT" in line:
                conditions = []
            elif conditions is None or line == "};":
                conditions = None
            elif line.startswith("#if"):
                conditions.append(bool(COMPILERS_MACRO.match(line)))
            elif line.startswith("#endif"):
                conditions.pop()
            elif any(conditions) and re.match(r"    void \w+\(", line):
                yield f"{where}:{number}: moc does not see {line.strip().rstrip(' {')}, because it knows no macro of the compiler"


def numbers(source):
    """A number in a file has a point, whatever the user's language is."""
    for path in files(source):
        where = path.relative_to(source).as_posix()
        if path.suffix not in {".cpp", ".h"} or not where.startswith(("app/", "engine/", "gpu/")) or where == SETS_LOCALE:
            continue
        for number, line in enumerate(code_of(path.read_text(encoding="utf-8")).split("\n"), 1):
            for word in BY_LOCALE.findall(line):
                yield f"{where}:{number}: {word} writes or reads numbers by the locale; engine/base/number_text.h doesn't"


def plain_comments(source):
    """A comment is a sentence, or a phrase that begins with its noun."""
    for path in files(source):
        where = path.relative_to(source).as_posix()
        if path.suffix not in COMMENTED and path.name not in {"CMakeLists.txt", "dev", "run"}:
            continue
        for line, words in comments(path.read_text(encoding="utf-8"), path.name):
            if FRAGMENT.match(words):
                yield f"{where}:{line}: begins with a fragment: {words.splitlines()[0][:70]}"


def headers(source):
    """SPDX line first, ASCII, no longer than a person reads, nothing left over."""
    for path in files(source):
        where = path.relative_to(source)
        if path.suffix not in SOURCES:
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(lines[:2]):
            yield f"{where}: no SPDX line at its top"
        if where.parts[0] not in {"resources", "tests"} and not text.isascii():
            yield f"{where}: not ASCII"
        if len(lines) > LONGEST_FILE and "generated by" not in "\n".join(lines[:6]).lower():
            yield f"{where}: {len(lines)} lines; at most {LONGEST_FILE}"
        for number, line in enumerate(lines, 1):
            if where.parts[0] != "tests" and re.search(r"\b(TODO|FIXME|XXX|HACK)\b", line):
                yield f"{where}:{number}: left over: {line.strip()[:80]}"


def findings(source, program=None, build=None):
    for rule in (arrows, links, rooms, registrations, documents, doors, words, front_page, headers, functions, hidden_tests, numbers, plain_comments):
        yield from rule(source)
    yield from linked(program)
    yield from known_to_ctest(source, build)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--engine-program", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    options = parser.parse_args()
    found = list(findings(options.source.resolve(), options.engine_program, options.build))
    print(*found, f"{len(found)} finding(s)", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
