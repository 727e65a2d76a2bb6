#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coterie's speed beside llama.cpp's on the same files, cores and tokens: in turns, medians over rounds.

    tests/peer/speed.py build/release/bin/coterie-cli MODEL [MODEL ...]

Needs an idle machine, and llama.cpp's released build: npm install --ignore-scripts --no-package-lock --prefix tests/peer
"""

import argparse
import json
import os
import statistics
import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
FIGURES = ("load_s", "first_token_s", "prefill_tps", "decode_tps", "peak_rss")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="coterie-cli")
    parser.add_argument("models", type=Path, nargs="+", help="GGUF files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--generate", type=int, default=64)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--ours", default="", help='more options for coterie-cli bench, such as "--kernels avx2 --head full"')
    return parser.parse_args()


def run(command: list) -> dict:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: {command[0]} failed; {done.stderr.strip()[-300:]}; see the message")
    return json.loads(done.stdout.splitlines()[-1] if done.stdout.count("\n{") else done.stdout)


def sizes(arguments: argparse.Namespace) -> list:
    return ["--prompt-tokens", arguments.prompt_tokens, "--generate", arguments.generate, "--threads", arguments.threads]


def ours(arguments: argparse.Namespace, model: Path) -> dict:
    found = run([arguments.program, "bench", model, "--runs", 1, "--json", *sizes(arguments), *arguments.ours.split()])
    return found | {"first_token_s": found["load_s"] + found["first_token_s"]}


def theirs(arguments: argparse.Namespace, model: Path) -> dict:
    return run(["node", FOLDER / "speed.mjs", model, *sizes(arguments)])


def measure(arguments: argparse.Namespace, model: Path) -> tuple[list[dict], list[dict]]:
    """In turns, so that a slow minute of the machine is shared."""
    rounds: tuple[list[dict], list[dict]] = ([], [])
    for _ in range(arguments.rounds):
        rounds[0].append(ours(arguments, model))
        rounds[1].append(theirs(arguments, model))
    return rounds


def spread(rounds: list[dict], figure: str) -> str:
    values = [one[figure] for one in rounds]
    scale, unit = (2**20, " MiB") if figure == "peak_rss" else (1, "")
    middle, low, high = (f(values) / scale for f in (statistics.median, min, max))
    digits = 0 if middle >= 100 else 1 if middle >= 10 else 2
    return f"{middle:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"


def report(model: Path, mine: list[dict], peer: list[dict]) -> None:
    share = statistics.median(one["read_gbps"] / one["memory_gbps"] for one in mine if one.get("read_gbps") and one.get("memory_gbps"))
    print(f"\n{model.name}: kernels {mine[0]['kernels']}, {mine[0]['threads']} threads, beside {peer[0]['engine']}\n")
    print("| median of rounds (lowest to highest) | Coterie | llama.cpp | ratio |\n| --- | ---: | ---: | ---: |")
    for figure in FIGURES:
        medians = [statistics.median(one[figure] for one in rounds) for rounds in (mine, peer)]
        ratio = medians[0] / medians[1] if figure.endswith("tps") else medians[1] / medians[0]
        print(f"| {figure} | {spread(mine, figure)} | {spread(peer, figure)} | {ratio:.2f}x |")
    print(f"| share of the measured bandwidth in decode | {share:.0%} | | |", flush=True)


def main() -> None:
    arguments = parse()
    for model in arguments.models:
        report(model, *measure(arguments, model))


if __name__ == "__main__":
    main()
