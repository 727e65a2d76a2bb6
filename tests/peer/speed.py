#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Coterie's speed beside llama.cpp's on the same files, cores and tokens: in turns, medians over rounds.

    tests/peer/speed.py build/release/bin/coterie-cli MODEL [MODEL ...] [--write]

Needs an idle machine, and llama.cpp's released build: npm install --ignore-scripts --no-package-lock --prefix tests/peer
--write puts the tables into tests/bench/RESULTS.md.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "bench"))
import results  # noqa: E402 (found through the line above)
from measuring import median, run_json, short  # noqa: E402 (found through the line above)

# The run that each figure is from: llama.cpp has read everything before its first prompt, Coterie reads what a token needs.
FIGURES = {"load_s": "cold", "first_token_s": "cold", "prefill_tps": "warm", "decode_tps": "warm", "peak_rss": "warm"}
WARM_RUNS = 3  # in one process: the first reads experts, the median finds them in memory
NEAR = 128  # tokens of context that decoding after a long one is compared with


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda text: Path(text).resolve(), help="coterie-cli")
    parser.add_argument("models", type=Path, nargs="+", help="GGUF files")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--generate", type=int, default=64)
    parser.add_argument("--short", type=int, default=8, help="tokens of the prompt that opening to the first token is measured with")
    parser.add_argument("--long", type=int, default=8192, help=f"tokens of context that decoding is measured after, beside {NEAR}; 0: not")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--kernels", default="auto", help="ours, as the command kernels names them")
    parser.add_argument("--peer-kernels", default="", help="llama.cpp's, such as haswell (AVX2) or icelake; default: its own choice")
    parser.add_argument("--touch-memory", action="store_true", help="fill and free as much memory before each run: see tests/bench/README.md")
    parser.add_argument("--write", action="store_true", help="write the tables into RESULTS.md")
    parser.add_argument("--ours", default="", help='more options for coterie-cli bench, such as "--head full"')
    return parser.parse_args()


def touch_memory(arguments: argparse.Namespace, model: Path) -> None:
    """Fills and frees memory in a process of its own, which returns it to this machine, but not yet to the machine's host."""
    if arguments.touch_memory:
        subprocess.run([sys.executable, "-c", f"bytearray(b'x') * {model.stat().st_size + 2**30}"], check=True)


def ours(arguments: argparse.Namespace, model: Path, prompt: int, generate: int, runs: int = 1) -> dict:
    touch_memory(arguments, model)
    found = run_json([arguments.program, "bench", model, "--runs", runs, "--json", "--prompt-tokens", prompt, "--generate", generate,
                      "--threads", arguments.threads, "--kernels", arguments.kernels, *arguments.ours.split()])
    return found | {"first_token_s": found["load_s"] + found["first_token_s"]}


def theirs(arguments: argparse.Namespace, folder: Path, model: Path) -> dict:
    touch_memory(arguments, model)
    return run_json(["node", folder / "speed.mjs", model.resolve(), "--prompt-tokens", arguments.prompt_tokens, "--generate", arguments.generate,
                     "--threads", arguments.threads])


def with_kernels_alone(folder: Path, name: str) -> Path:
    """A copy of llama.cpp's build (links, if the disk allows them) with one set of kernels: it chooses the best that it finds."""
    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    shutil.copy2(FOLDER / "speed.mjs", folder)
    shutil.copy2(FOLDER / "package.json", folder)
    shutil.copytree(FOLDER / "node_modules", folder / "node_modules", symlinks=True, copy_function=link)
    found = list((folder / "node_modules").glob("@node-llama-cpp/*/bins/*/*ggml-cpu-*"))
    kept = [path for path in found if path.stem.endswith(f"ggml-cpu-{name}")]
    if not kept:
        names = sorted({path.stem.split("ggml-cpu-")[1] for path in found})
        raise SystemExit(f"error: llama.cpp has no kernels called '{name}'; its build has {', '.join(names)}; choose one of them")
    for path in set(found) - set(kept):
        path.unlink()
    return folder


def measure(arguments: argparse.Namespace, folder: Path, model: Path, trained: int) -> dict[str, list[dict]]:
    """Runs both engines in turns, so that a slow minute of the machine hits both. A long context is left out if the model was trained for less."""
    far = arguments.long if 0 < arguments.long <= trained - arguments.generate else 0
    rounds: dict[str, list[dict]] = {"warm": [], "theirs": [], "cold": [], "short": [], "near": [], "far": []}
    for _ in range(arguments.rounds):
        rounds["warm"].append(ours(arguments, model, arguments.prompt_tokens, arguments.generate, WARM_RUNS))
        rounds["theirs"].append(theirs(arguments, folder, model))
        rounds["cold"].append(ours(arguments, model, arguments.prompt_tokens, 1))
        rounds["short"].append(ours(arguments, model, arguments.short, 1))
        if far:
            rounds["near"].append(ours(arguments, model, NEAR, arguments.generate, WARM_RUNS))
            rounds["far"].append(ours(arguments, model, far, arguments.generate))
    return rounds


def spread(rounds: list[dict], figure: str) -> str:
    values = [one[figure] for one in rounds]
    scale, unit = (2**20, " MiB") if figure == "peak_rss" else (1, "")
    middle, low, high = (short(f(values) / scale) for f in (statistics.median, min, max))
    return f"{middle}{unit} ({low} to {high})"


def report(arguments: argparse.Namespace, model: Path, size: int, rounds: dict[str, list[dict]]) -> list[str]:
    mine, peer = rounds["warm"], rounds["theirs"]
    kernels = arguments.peer_kernels or "of its own choice"
    lines = [f"{model.name}: kernels {mine[0]['kernels']}, {mine[0]['threads']} threads, beside {peer[0]['engine']} with kernels {kernels}", "",
             "| median of rounds (lowest to highest) | Coterie | llama.cpp | ratio |", "| --- | ---: | ---: | ---: |"]
    for figure, state in FIGURES.items():
        a, b = median(rounds[state], figure), median(peer, figure)
        lines.append(f"| {figure} | {spread(rounds[state], figure)} | {spread(peer, figure)} | {a / b if figure.endswith('tps') else b / a:.2f}x |")
    opened, loaded = median(rounds["short"], "first_token_s"), median(peer, "load_s")
    lines.append(f"| opening: ours to the first token after {arguments.short}, theirs without one | {spread(rounds['short'], 'first_token_s')} | "
          f"{spread(peer, 'load_s')} | {loaded / opened:.2f}x |")
    beyond = [f"{(median(side, 'peak_rss') - size) / 2**20:+.0f} MiB" for side in (mine, peer)]
    lines.append(f"| peak_rss beyond the file's {size / 2**20:.0f} MiB | {beyond[0]} | {beyond[1]} | |")
    shares = [one["read_gbps"] / one["memory_gbps"] for one in mine if one.get("read_gbps") and one.get("memory_gbps")]
    if shares:
        lines.append(f"| share of the measured bandwidth in decode | {statistics.median(shares):.0%} | | |")
    if rounds["far"]:
        near, far = (median(rounds[name], "decode_tps") for name in ("near", "far"))
        lines.append(f"| decode_tps after {arguments.long} tokens, beside {short(near)} after {NEAR} | {spread(rounds['far'], 'decode_tps')} | | {far / near:.2f}x |")
    return [*lines, ""]


def main() -> None:
    arguments = parse()
    tables: list[str] = []
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix=".kernels-") as scratch:
        folder = with_kernels_alone(Path(scratch), arguments.peer_kernels) if arguments.peer_kernels else FOLDER
        for model in arguments.models:
            info = run_json([arguments.program, "info", model, "--json"])
            table = report(arguments, model, info["file_bytes"], measure(arguments, folder, model, info["trained_context"]))
            print("", *table, sep="\n", flush=True)
            tables += table
    if arguments.write:
        results.write("Beside llama.cpp", "\n".join(tables))


if __name__ == "__main__":
    main()
