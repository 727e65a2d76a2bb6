# SPDX-License-Identifier: Apache-2.0
"""Keeps tests/bench/RESULTS.md: each program that measures writes one section of it, with commit, date, machine and command."""

import datetime
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "RESULTS.md"


def commit() -> str:
    """The short hash of the checkout's commit; says so if files differ from it."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", "-C", str(FOLDER), *arguments], capture_output=True, text=True).stdout.strip()

    changed = " with changes that are not committed" if git("status", "--porcelain", "--untracked-files=no") else ""
    return (git("rev-parse", "--short", "HEAD") or "unknown") + changed


def machine() -> str:
    """Processor, number of hardware threads and size of the memory."""
    processor, memory = platform.processor() or platform.machine(), ""
    try:
        processor = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())[1]
        kibibytes = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1])
        memory = f", {kibibytes / 2**20:.0f} GiB of memory"
    except (OSError, TypeError):
        pass  # not Linux, or a processor without a name there: the less exact name stays
    return f"{processor}, {os.cpu_count()} threads{memory}, {platform.system()}"


def command() -> str:
    """How the program was called, with the names of files but not their folders, which say nothing to others."""
    words = [Path(sys.argv[0]).resolve().relative_to(FOLDER.parent.parent).as_posix()]
    return " ".join(words + [Path(word).name if "/" in word else f'"{word}"' if " " in word else word for word in sys.argv[1:]])


def replaced(text: str, title: str, body: str) -> str:
    """The document with the section of this title replaced, or added at the end."""
    section = f"## {title}\n\n{body.strip()}\n"
    start = re.search(rf"^## {re.escape(title)}$", text, re.MULTILINE)
    if not start:
        return f"{text.rstrip()}\n\n{section}"
    following = re.search(r"^## ", text[start.end():], re.MULTILINE)
    rest = "\n" + text[start.end() + following.start():] if following else ""
    return text[:start.start()] + section + rest


def write(title: str, body: str, note: str = "") -> None:
    """Writes the section: where its figures come from, then the body. The file is replaced as a whole."""
    facts = f"Commit {commit()}; {datetime.date.today().isoformat()}; {machine()}{'; ' + note if note else ''}.  \n`{command()}`"
    scratch = RESULTS.with_suffix(".part")
    scratch.write_text(replaced(RESULTS.read_text(encoding="utf-8"), title, f"{facts}\n\n{body}"), encoding="utf-8")
    scratch.replace(RESULTS)
