#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what each of the engine's savings brings: runs coterie-cli bench with one of them switched off at a time; a Markdown table of medians.

    tests/bench/ablation.py build/release/bin/coterie-cli MODEL [MODEL ...] [--write]

Needs an idle machine. A saving that a model can't use (one without ReGLU has no neurons to leave out) is left out of its table. --write puts the
tables into RESULTS.md.
"""

import argparse
import os
from pathlib import Path
from typing import Callable, NamedTuple

import results
from measuring import median, run_json, short


class Switch(NamedTuple):
    """One saving that is off, and whether a model uses it, judged by the figures of its full run."""
    name: str
    options: list
    applies: Callable[[dict], bool] = lambda full: True
    slow: bool = False


SWITCHES = (
    Switch("no KV cache", ["--no-kv-cache"], slow=True),
    Switch("one thread", ["--threads", 1], lambda full: full["threads"] > 1),
    Switch("scalar kernels", ["--kernels", "scalar"], lambda full: full["kernels"] != "scalar", slow=True),
    Switch("no sparsity", ["--no-sparsity"], lambda full: full["neurons_active"] is not None),
    Switch("no head predictor", ["--head", "full"], lambda full: full["head_rows"] is not None and full["head_rows"] < 1),
    Switch("no grouping by expert", ["--no-grouping"]),
)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: Path(text).resolve(), help="coterie-cli")
    parser.add_argument("models", type=Path, nargs="+", help="GGUF files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=3, help="in one process, which opens the model and reads its experts once")
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--generate", type=int, default=64)
    parser.add_argument("--slow-generate", type=int, default=8, help="tokens of the runs without a KV cache and with scalar kernels")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--kernels", default="auto")
    parser.add_argument("--write", action="store_true", help="write the tables into RESULTS.md")
    return parser.parse_args()


def bench(arguments: argparse.Namespace, model: Path, switch: Switch | None) -> dict:
    settings = {"--prompt-tokens": arguments.prompt_tokens, "--threads": arguments.threads, "--kernels": arguments.kernels,
                "--generate": arguments.slow_generate if switch and switch.slow else arguments.generate}
    flags = []
    if switch and len(switch.options) == 2:
        settings[switch.options[0]] = switch.options[1]
    elif switch:
        flags = switch.options
    return run_json([arguments.program, "bench", model, "--runs", arguments.runs, "--json", *(part for pair in settings.items() for part in pair), *flags])


def measure(arguments: argparse.Namespace, model: Path) -> tuple[list[dict], list[tuple[Switch, list[dict]]]]:
    """Runs the variants in turns, so that a slow minute of the machine hits all of them."""
    full = [bench(arguments, model, None)]
    switched = [(switch, []) for switch in SWITCHES if switch.applies(full[0])]
    for number in range(arguments.rounds):
        if number > 0:
            full.append(bench(arguments, model, None))
        for switch, rounds in switched:
            rounds.append(bench(arguments, model, switch))
    return full, switched


def row(name: str, rounds: list[dict], full: list[dict]) -> str:
    cells = []
    for figure in ("prefill_tps", "decode_tps"):
        value = median(rounds, figure)
        cells += [short(value), f"{value / median(full, figure):.2f}x"]
    return f"| {name} | {' | '.join(cells)} | {short(median(rounds, 'bytes_per_token') / 2**20)} |"


def main() -> None:
    arguments = parse()
    tables: list[str] = []
    for model in arguments.models:
        full, switched = measure(arguments, model)
        table = [f"{model.name}: kernels {full[0]['kernels']}, {full[0]['threads']} threads, a prompt of {arguments.prompt_tokens} tokens, medians of "
                 f"{arguments.rounds} x {arguments.runs} runs", "",
                 "| switched off | prefill, tokens/s | | decode, tokens/s | | weights read, MiB/token |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
        table += [row("nothing", full, full), *(row(switch.name, rounds, full) for switch, rounds in switched), ""]
        print("", *table, sep="\n", flush=True)
        tables += table
    if arguments.write:
        results.write("Each saving switched off", "\n".join(tables))


if __name__ == "__main__":
    main()
