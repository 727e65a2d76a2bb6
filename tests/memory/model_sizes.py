#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks coterie-cli which published models fit into the memory of usual machines, and writes the table of resources/models.md.

    tests/memory/model_sizes.py build/release/bin/coterie-cli [--only NAME ...] [--write]

Each model is a file with its real metadata and tensors and a hole in place of its weights (published_models.py, sparse_model.py), which takes a few
megabytes of disk for a moment; `info` plans from the header alone. Needs a file system with sparse files. Prints the table, then how much the files differ
from the published ones whose size is known. Fails if `info` finds a problem other than too little memory, or a row of another size than a published file.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import published_models
import sparse_model

PAGE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "models.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
BUDGETS = {8: 5, 16: 12, 32: 27}  # memory of a machine, and what Coterie may have of it, in GiB
WINDOW = 256  # MiB of that which are left to the window; the process of `info` has none
CONTEXT = 8192
THREADS = 8  # as usual machines have; each needs some working space
LARGEST_DIFFERENCE = 0.06  # from a published file; dynamic quantisations choose other formats for some tensors
TOO_LITTLE = "The model doesn't fit into"


def plan(cli, path, context, budget, folder):
    """Returns what `info` says about memory, or None if the model does not open with this budget."""
    command = [cli, "info", path, "--json", "--context", str(context), "--memory", f"{1024 * budget - WINDOW}MiB", "--threads", str(THREADS), "--device", "cpu",
               "--data-dir", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"error: {cli} failed; it ended with {done.returncode}; run it by hand")
    found = json.loads(done.stdout)
    for problem in found["problems"]:
        if not problem.startswith(TOO_LITTLE):
            sys.exit(f"error: info finds a problem with {path}; {problem}; correct the model's row in published_models.py")
    return found["memory"]


def verdict(memory, shape):
    if memory is None:
        return "-"
    if memory["slots"] == memory["total_experts"]:
        return "whole"
    share = 100 * memory["slots"] // memory["total_experts"]
    return f"{'streamed' if shape.experts else 'slow'}, {share} %"


def billions(count):
    return f"{count / 1e9:.{2 if count < 1e9 else 1}f}B"


def row(model, cli, folder):
    """Returns the model's line of the table and the size of its file."""
    path, shape = os.path.join(folder, "model.gguf"), model.shape
    sparse_model.write(path, published_models.metadata(shape), published_models.tensors(model))
    size = os.path.getsize(path)
    verdicts = [verdict(plan(cli, path, min(CONTEXT, shape.context), budget, folder), shape) for budget in BUDGETS.values()]
    os.remove(path)
    total, active = published_models.parameters(shape)
    kind = f"MoE, {billions(total)}, {billions(active)} at a time" if shape.experts else f"dense, {billions(total)}"
    return f"| {model.name} | {kind} | `{model.file}` | {size / 1e9:.1f} | {' | '.join(verdicts)} |", size


def table(models, cli):
    """Returns the lines of the table; reports sizes that differ from the published ones."""
    lines = ["| model | kind | file to look for | GB | " + " | ".join(f"{memory} GB" for memory in BUDGETS) + " |",
             "| --- | --- | --- | ---: | --- | --- | --- |"]
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            line, size = row(model, cli, folder)
        lines.append(line)
        print(line, flush=True)
        off = size / model.published - 1 if model.published else 0
        if off:
            print(f"    {off:+.1%} beside the published {model.published} bytes")
        if abs(off) > LARGEST_DIFFERENCE:
            sys.exit(f"error: the file of {model.name} has another size than the published one; {off:+.1%}; correct its row in published_models.py")
    return lines


def write(lines, cli):
    version = subprocess.run([cli, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    page = PAGE.read_text(encoding="utf-8")
    before, after = page[:page.index(BEGIN)], page[page.index(END):]
    body = "\n".join([BEGIN, "", *lines, "", f"Measured on {datetime.date.today().isoformat()} with {version}.", "", ""])
    scratch = PAGE.with_suffix(".part")
    scratch.write_text(before + body + after, encoding="utf-8")
    scratch.replace(PAGE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="rows of these models")
    parser.add_argument("--write", action="store_true", help="write the table into resources/models.md")
    options = parser.parse_args()
    models = [model for model in published_models.MODELS if not options.only or model.name in options.only]
    if len(models) != len(options.only or published_models.MODELS):
        parser.error("--only names a model that is not in published_models.py")
    if options.only and options.write:
        parser.error("--write needs all rows, so it can't be used with --only")
    lines = table(models, options.cli)
    if options.write:
        write(lines, options.cli)


if __name__ == "__main__":
    main()
