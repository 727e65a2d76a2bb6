#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the engine's probabilities with llama.cpp's on the same file and tokens.

    npm install --ignore-scripts --prefix tests/peer
    tests/peer/compare.py build/release/bin/coterie-cli MODEL [--tokens 600] [--context N] [--set KEY=VALUE]

--set and --peer-model change only llama.cpp's input: a key of the file, or another file (a whole model beside a split
one). Prints one JSON object; exits with 1 if the largest difference in log-probability is above --tolerance.
"""
import argparse
import array
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("model")
    parser.add_argument("--tokens", type=int, default=600)
    parser.add_argument("--positions", type=int, default=64, help="how many positions are compared, evenly spread")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--context", type=int, default=0)
    parser.add_argument("--kernels", default="auto")
    parser.add_argument("--kv-cache", default="f16")
    parser.add_argument("--peer-model")
    parser.add_argument("--peer-kv")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--tolerance", type=float, default=math.inf)
    return parser.parse_args()


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed ({done.returncode}): {(done.stderr.strip() or done.stdout.strip()).splitlines()[0]}")
    return done.stdout


def random_tokens(count, vocabulary, seed):
    """A linear congruential generator (Numerical Recipes' constants): the same tokens everywhere."""
    tokens = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        tokens.append((seed >> 8) % vocabulary)
    return tokens


def floats(path):
    values = array.array("f")
    values.frombytes(pathlib.Path(path).read_bytes())
    return values


def log_softmax(logits):
    largest = max(logits)
    total = math.log(math.fsum(math.exp(x - largest) for x in logits))
    return [x - largest - total for x in logits]


def differences(ours, theirs, positions, vocabulary):
    worst, divergences, same = 0.0, [], 0
    for row in range(positions):
        mine = log_softmax(ours[row * vocabulary:(row + 1) * vocabulary])
        other = theirs[row * vocabulary:(row + 1) * vocabulary]
        same += max(range(vocabulary), key=mine.__getitem__) == max(range(vocabulary), key=other.__getitem__)
        divergence = 0.0
        for a, q in zip(mine, other):
            if q <= 0:
                continue
            worst = max(worst, abs(a - math.log(q)))
            divergence += q * (math.log(q) - a)
        divergences.append(divergence)
    return {"worst_log_probability": round(worst, 6), "mean_kl": sum(divergences) / positions,
            "same_best": f"{same}/{positions}"}


def main():
    args = parse()
    info = json.loads(run([args.cli, "info", args.model, "--json"]))
    tokens = random_tokens(args.tokens, info["vocabulary"], args.seed)
    step = max(1, args.tokens // args.positions)
    positions = list(range(step - 1, args.tokens, step))
    context = args.context or max(512, args.tokens + 8)
    with tempfile.TemporaryDirectory() as folder:
        asked, ours, theirs = (f"{folder}/{name}" for name in ("tokens.json", "ours.f32", "theirs.f32"))
        pathlib.Path(asked).write_text(json.dumps({"tokens": tokens, "positions": positions}))
        command = [args.cli, "logits", args.model, "--tokens", asked, "--out", ours, "--kernels", args.kernels]
        command += ["--context", str(args.context)] if args.context else []
        command += ["--kv-cache", args.kv_cache] if args.kv_cache != "f16" else []
        run(command)
        command = ["node", str(HERE / "probabilities.mjs"), args.peer_model or args.model, asked, theirs,
                   "--context", str(context), "--kv", args.peer_kv or args.kv_cache]
        for pair in args.set:
            command += ["--set", pair]
        peer = json.loads(run(command).strip().splitlines()[-1])
        report = {"model": pathlib.Path(args.model).name, "architecture": info["architecture"], "tokens": args.tokens,
                  "peer": peer["engine"], "kernels": args.kernels, "kv_cache": args.kv_cache,
                  **differences(floats(ours), floats(theirs), len(positions), peer["vocabulary"])}
    print(json.dumps(report))
    sys.exit(report["worst_log_probability"] > args.tolerance)


main()
