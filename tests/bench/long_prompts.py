#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures longer chunks where experts come from disk: a long prompt in chunks of 256 tokens and in those that the program chooses, in turns. The table
has medians over rounds.

    tests/bench/long_prompts.py build/release/bin/coterie-cli MODEL@BUDGET ... [--tokens 3000] [--rounds 5] [--write]

Needs an idle machine. Bytes don't depend on its speed. The rate of the disk is that of plain reads past the page cache, measured between the rounds.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import results
from before_after import Case, case
from measuring import median, run_json, short

FIRST = 32  # tokens of the answer whose hits are reported


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: Path(text).resolve())
    parser.add_argument("cases", type=case, nargs="+", metavar="MODEL@BUDGET")
    parser.add_argument("--tokens", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    return parser.parse_args()


def disk_rate(model: Path) -> float:
    """Bytes per second of a plain read of a part of the file, past the page cache."""
    size, piece = 1 << 30, 16 << 20
    start = time.monotonic()
    subprocess.run(["dd", f"if={model}", "of=/dev/null", f"bs={piece}", "iflag=direct", f"count={size // piece}"], check=True, stderr=subprocess.DEVNULL)
    return min(size, os.path.getsize(model)) / (time.monotonic() - start)


def bench(arguments: argparse.Namespace, one: Case, records: Path, chunk: int) -> dict:
    """chunk: 0 for the one that the program chooses."""
    forced = ["--chunk", chunk] if chunk else []
    found = run_json([arguments.program, "bench", one.model, "--json", "--memory", one.budget, "--context", 2 * arguments.tokens, "--data-dir", records,
                      "--prompt-tokens", arguments.tokens, "--generate", FIRST + 1, "--runs", 1, *forced])
    return found | {"seconds": arguments.tokens / found["prefill_tps"]}


def row(one: Case, label: str, rounds: list[dict]) -> str:
    spread = f"{short(median(rounds, 'seconds'))} ({short(min(r['seconds'] for r in rounds))} to {short(max(r['seconds'] for r in rounds))})"
    return (f"| {one.name()} | {label} | {median(rounds, 'prompt_disk_bytes') / 1e9:.1f} | {spread} | {median(rounds, 'prompt_io_wait_share') * 100:.0f} % "
            f"| {short(median(rounds, 'decode_tps'))} | {median(rounds, 'hit_rate') * 100:.1f} % |")


def main() -> None:
    arguments = parse()
    lines = [f"| model, budget | chunk | GB from disk | seconds: median (lowest to highest) | waiting | first {FIRST} tokens/s | their hits |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    rates = []
    with tempfile.TemporaryDirectory() as scratch:
        for one in arguments.cases:
            usual, longer = [], []
            for number in range(arguments.rounds):
                for chunk in (256, 0) if number % 2 == 0 else (0, 256):
                    (usual if chunk else longer).append(bench(arguments, one, Path(scratch), chunk))
                rates.append(disk_rate(one.model))
            if len({r["logits_hash"] for r in usual + longer}) != 1:
                raise SystemExit(f"error: {one.name()}: the answers differ; report this as a bug")
            lines += [row(one, "256", usual), row(one, f"{longer[0]['chunk']}", longer)]
    table = "\n".join(lines)
    note = f"A prompt of {arguments.tokens} tokens; the disk gave {statistics.median(rates) / 1e9:.2f} GB/s (median) to a plain read between the rounds."
    print(f"{note}\n\n{table}")
    if arguments.write:
        results.write("Long prompts", f"{note}\n\n{table}", "all rows have the same logits")


if __name__ == "__main__":
    main()
