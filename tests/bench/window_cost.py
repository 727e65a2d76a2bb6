#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the window with a long chat and many chats.

    window_cost.py BENCH_WINDOW [--rounds 3] [--messages 10000] [--chats 5000] [--write]

Prints a Markdown table of medians over rounds, beside what each step may cost; --write keeps it in RESULTS.md. Needs an idle machine.
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

import results

QUIET = "an item more or less is a message that is partly in view"


def measure(program: Path, options: argparse.Namespace) -> dict:
    call = [str(program), "--messages", str(options.messages), "--chats", str(options.chats)]
    lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line["step"]: line for line in map(json.loads, (line for line in lines if line.startswith("{")))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--messages", type=int, default=10000)
    parser.add_argument("--chats", type=int, default=5000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rounds = [measure(options.program, options) for _ in range(options.rounds)]

    def figure(step: str, name: str) -> str:
        values = [one[step][name] for one in rounds]
        return f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"

    start, hits = rounds[0]["to the start"], rounds[0]["search"]["hits"]
    rows = [
        (f"a chat of {options.messages:,} messages: from the click to its last page, ms", figure("last page", "shown_ms"), "50"),
        ("the longest time that the GUI thread is busy with it, ms", figure("last page", "longest_block_ms"), "16"),
        ("the same when it is opened again: to its last page, ms", figure("last page", "again_shown_ms"), "50"),
        ("the longest time that the GUI thread is busy with it, ms", figure("last page", "again_longest_block_ms"), "16"),
        (f"to its start by {start['keys']:,} presses of PageUp: busy for one press, median, ms", figure("to the start", "median_block_ms"), "16"),
        ("the same, 99 of 100 presses, ms", figure("to the start", "p99_block_ms"), "16"),
        ("the same, longest, ms", figure("to the start", "longest_block_ms"), "16"),
        ("items in the list at the end, and at most on the way", f"{start['items_at_the_end']}, {start['items_at_most']}", "the same"),
        (f"{options.chats:,} chats: what the list does for a finished answer, CPU ms", figure("finished answer", "median_ms"), "2"),
        (f"search of {options.chats:,} chats: {hits:,} hits after, ms", figure("search", "found_ms"), ""),
        ("the longest time that the GUI thread is busy with it, ms", figure("search", "longest_block_ms"), "16"),
    ]
    table = "\n".join(["| step | median (lowest to highest) | wanted, at most |", "| --- | ---: | ---: |"] + [f"| {' | '.join(row)} |" for row in rows])
    print(table)
    if options.write:
        results.write("A long chat and many chats", table, f"{options.rounds} rounds; software rendering, 1100 x 760 pixels; {QUIET}")


if __name__ == "__main__":
    main()
