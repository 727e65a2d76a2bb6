#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the GUI thread does for one step of the timeline's slider, for a large model.

    scrub_cost.py BENCH_INSPECTOR [--rounds 3] [--steps 300] [--experts 256] [--lengths 1000,4000] [--write]

Prints a Markdown table of medians over rounds; --write keeps it in RESULTS.md. Needs an idle machine.
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

import results


def measure(program: Path, options: argparse.Namespace) -> dict:
    call = [str(program), "--views", "", "--lengths", options.lengths, "--measured", str(options.measured), "--rate", "1000",
            "--experts", str(options.experts), "--scrub", str(options.steps)]
    lines = subprocess.run(call, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line["tokens"]: line for line in map(json.loads, (line for line in lines if line.startswith("{")))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--experts", type=int, default=256)
    parser.add_argument("--measured", type=int, default=100, help="tokens at the end of the answer that come one by one")
    parser.add_argument("--lengths", default="1000,4000")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rounds = [measure(options.program, options) for _ in range(options.rounds)]

    def figure(tokens: int, name: str) -> str:
        values = [one[tokens][name] for one in rounds]
        return f"{statistics.median(values):,.0f} ({min(values):,.0f} to {max(values):,.0f})"

    head = "| tokens of the answer | median step, us | 99 of 100 steps, us | longest step, us |"
    table = "\n".join([head, "| ---: | ---: | ---: | ---: |"] +
                      [f"| {tokens:,} | {figure(tokens, 'median_us_per_step')} | {figure(tokens, 'p99_us_per_step')} | "
                       f"{figure(tokens, 'most_us_per_step')} |" for tokens in sorted(rounds[0])])
    print(table)
    if options.write:
        results.write("A step of the timeline", table,
                      f"48 layers of {options.experts} experts; CPU time of the GUI thread until the window shows the position; software rendering, "
                      f"1280 x 800 pixels; {options.rounds} rounds; at 30 steps a second one has 33,333 us")


if __name__ == "__main__":
    main()
