#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of coterie-cli: decode, prefill, and opening to the first token. Both run in turns;
the table has medians over rounds.

    tests/bench/before_after.py OLD NEW MODEL[@BUDGET] ... [--rounds 7] [--least 0.98] [--in-window] [--write --old-commit HASH]

With --in-window OLD and NEW are bench_answer: the decode rate of answers in the window, whose pane of activity is closed. An old commit that has no
bench_answer builds it with bench_answer.cpp, gui_clock.h and window_bench.h of tests/bench, and its lines in CMakeLists.txt from this one.

smallthinker-4b.gguf@1GiB runs a model in that budget. Needs an idle machine. Each build keeps its records in a scratch folder of its own, which an
unmeasured run fills first: head predictors are derived and the disk is measured there. Exits with 1 if a ratio is below --least.
"""

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

import results
from measuring import median, run_json, short

FIGURES = (("decode_tps", "decode, tokens/s", True), ("prefill_tps", "prefill, tokens/s", True), ("opened_s", "opening to the first token, s", False))
PROCESS_RUNS = 3  # runs of one process: the first reads experts, the median finds them in memory


class Case(NamedTuple):
    model: Path
    budget: str

    def name(self) -> str:
        return f"{self.model.stem}, {self.budget}" if self.budget else self.model.stem


def case(text: str) -> Case:
    model, _, budget = text.partition("@")
    return Case(Path(model), budget)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=lambda text: Path(text).resolve(), help="coterie-cli before the change")
    parser.add_argument("new", type=lambda text: Path(text).resolve(), help="coterie-cli after it")
    parser.add_argument("cases", type=case, nargs="+", metavar="MODEL[@BUDGET]")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--generate", type=int, default=64)
    parser.add_argument("--short", type=int, default=8, help="tokens of the prompt that opening to the first token is measured with")
    parser.add_argument("--warm-up", type=int, default=384, help="tokens of the unmeasured run: enough states for a derived head predictor to be accepted")
    parser.add_argument("--in-window", action="store_true", help="OLD and NEW are bench_answer")
    parser.add_argument("--threads", type=int, default=2, help="threads of the engine with --in-window")
    parser.add_argument("--least", type=float, default=0.0, help="the lowest ratio that is no failure")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    parser.add_argument("--old-commit", default="unknown", help="the commit of OLD, for the table's heading")
    return parser.parse_args()


def bench(program: Path, records: Path, one: Case, *options: object) -> dict:
    budget = ["--memory", one.budget] if one.budget else []
    return run_json([program, "bench", one.model, "--json", "--data-dir", records, *budget, *options])


def window(arguments: argparse.Namespace, program: Path, one: Case) -> dict:
    """One round of one build of bench_answer. It has a data folder of its own, and warms up by itself."""
    budget = ["--memory", mebibytes(one.budget)] if one.budget else []
    found = run_json([program, "--model", one.model, "--sides", "closed", "--rounds", PROCESS_RUNS, "--threads", arguments.threads, *budget,
                      "--tokens", arguments.generate, "--warm-up", arguments.warm_up])
    return {"decode_tps": found["closed_tps"], "logits_hash": found["answer_hash"]}


def mebibytes(budget: str) -> int:
    """The budget as bench_answer takes it."""
    number, unit = float(budget[:-3]), budget[-3:]
    return round(number * {"MiB": 1, "GiB": 1024}[unit])


def measure(arguments: argparse.Namespace, program: Path, records: Path, one: Case) -> dict:
    """One round of one build: a process for the rates, another for opening."""
    if arguments.in_window:
        return window(arguments, program, one)
    rates = bench(program, records, one, "--prompt-tokens", arguments.prompt_tokens, "--generate", arguments.generate, "--runs", PROCESS_RUNS)
    opening = bench(program, records, one, "--prompt-tokens", arguments.short, "--generate", 1, "--runs", 1)
    return rates | {"opened_s": opening["load_s"] + opening["first_token_s"]}


def compare(arguments: argparse.Namespace, one: Case, scratch: Path) -> tuple[list[dict], list[dict]]:
    """In turns, and the one that begins changes too, so that a slow minute of the machine hits both."""
    builds = [(arguments.old, scratch / "old"), (arguments.new, scratch / "new")]
    for program, records in builds:
        records.mkdir(exist_ok=True)
        if arguments.in_window:
            continue
        bench(program, records, one, "--prompt-tokens", arguments.short, "--generate", arguments.warm_up, "--runs", 2)
    rounds: tuple[list[dict], list[dict]] = ([], [])
    for number in range(arguments.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            rounds[which].append(measure(arguments, *builds[which], one))
    return rounds


def spread(rounds: list[dict], figure: str) -> str:
    values = [one[figure] for one in rounds]
    return f"{short(statistics.median(values))} ({short(min(values))} to {short(max(values))})"


def rows(one: Case, old: list[dict], new: list[dict]) -> list[tuple[str, float]]:
    found = []
    for figure, label, more_is_better in FIGURES:
        if figure not in old[0]:
            continue
        ratio = median(new, figure) / median(old, figure)
        ratio = ratio if more_is_better else 1 / ratio
        found.append((f"| {one.name()} | {label} | {spread(old, figure)} | {spread(new, figure)} | {ratio:.3f}x |", ratio))
    return found


def main() -> None:
    arguments = parse()
    lines = ["| model, budget | figure: median (lowest to highest) | before | after | ratio |", "| --- | --- | ---: | ---: | ---: |"]
    print(*lines, sep="\n", flush=True)
    ratios, bandwidths = [], []
    with tempfile.TemporaryDirectory(prefix="coterie-before-after-") as scratch:
        for one in arguments.cases:
            old, new = compare(arguments, one, Path(scratch))
            if {run["logits_hash"] for run in old} != {run["logits_hash"] for run in new}:
                print(f"note: {one.name()}: the two builds do not compute the same {'answers' if arguments.in_window else 'logits'}")
            bandwidths += [run["memory_gbps"] for run in old + new if run.get("memory_gbps")]
            for line, ratio in rows(one, old, new):
                print(line, flush=True)
                lines.append(line)
                ratios.append(ratio)
    what = f"answers of {arguments.generate} tokens" if arguments.in_window else f"a prompt of {arguments.prompt_tokens} tokens"
    note = f"before: commit {arguments.old_commit}; {arguments.rounds} rounds in turns, {what}"
    if bandwidths:
        note += f"; memory read at {short(min(bandwidths))} to {short(max(bandwidths))} GB/s"
    if arguments.write:
        results.write("Before and after, in the window" if arguments.in_window else "Before and after", "\n".join(lines) + "\n\nA ratio above 1 means that the build after is faster.", note)
    if min(ratios) < arguments.least:
        raise SystemExit(f"error: a ratio is {min(ratios):.3f}; {arguments.least} was asked for; measure again on an idle machine, then find the cause")


if __name__ == "__main__":
    main()
