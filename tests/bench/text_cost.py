#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the GUI thread for four new tokens of an answer.

    text_cost.py BENCH_TEXT [--before OLD_BENCH_TEXT --old-commit HASH] [--rounds 3] [--updates 60] [--write]

Prints a Markdown table of means over all rounds, with --before beside those of an older build, in turns; --write keeps it in RESULTS.md.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

import results

KINDS = ["prose", "code", "line", "table", "list", "formulas", "mixed"]


def measure(program, options):
    call = [str(program), "--updates", str(options.updates), "--sizes", options.sizes, "--kinds", options.kinds]
    lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def table_of(figures, options):
    def mean(side, kind, size):
        return statistics.mean(line["mean_ms"] for line in figures[side, kind, size])

    sizes = [int(size) for size in options.sizes.split(",")]
    rows = ["| text | characters |" + (" before, ms |" if options.before else "") + " mean, ms | slowest update, ms | beside the shortest |",
            "| --- | ---: |" + (" ---: |" if options.before else "") + " ---: | ---: | ---: |"]
    for kind in options.kinds.split(","):
        for size in sizes:
            slowest = max(line["max_ms"] for line in figures["new", kind, size])
            ratio = mean("new", kind, size) / mean("new", kind, sizes[0])
            before = f" {mean('old', kind, size):.2f} |" if options.before else ""
            rows.append(f"| {kind} | {size:,} |{before} {mean('new', kind, size):.2f} | {slowest:.2f} | {ratio:.2f}x |")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--old-commit", default="the commit before")
    options = parser.parse_args()
    programs = {"new": options.program} if not options.before else {"old": options.before, "new": options.program}
    figures = {}
    for _ in range(options.rounds):
        for side, program in programs.items():
            for line in measure(program, options):
                figures.setdefault((side, line["kind"], line["characters"]), []).append(line)
    table = table_of(figures, options)
    print(table)
    if options.write:
        beside = f" in turns with {options.old_commit}" if options.before else ""
        note = (f"means of {options.rounds} rounds of {options.updates} updates{beside}; an update is four tokens of "
                "four characters, from the pieces to the last frame that they cause; software rendering, 900 x 700 pixels; "
                f"about {max(0, os.getloadavg()[1] - 1):.0f} other processes were running")
        results.write("GUI-thread CPU for four new tokens", table, note)


if __name__ == "__main__":
    main()
