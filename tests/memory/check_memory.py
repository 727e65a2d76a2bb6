#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs coterie-cli under a memory budget and measures it from outside: by the system's peak for the process, and inside a memory cgroup that kills
a process that takes more, if one can be made (root on Linux).

    check_memory.py --cli build/release/bin/coterie-cli [--make-model build/release/bin/make-test-model | --model MODEL]
                    [--memory 72MiB] [--context 256] [--tokens 48] [--kernels NAME]

The limited run must stay under the budget and print the same text as the unlimited one; the unlimited one must need more than the budget, or the test
proves nothing. The peak_rss that bench prints must be the one that the system counted. The prediction of `info` must be within 5 % of the peak of a run
that fills its context, and the least budget that it names must be enough. Ends with 'N passed, M failed'.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
CGROUPS = pathlib.Path("/sys/fs/cgroup")
SLACK = 2 << 20  # the kernel counts pages per processor, and closing takes some more
PREDICTION = 0.05  # largest difference, as a share of the measured value
EXPERTS = ["--architecture", "smallthinker", "--layers", "4", "--feed-forward", "352", "--experts", "24"]
MADE = {  # a context, and a model of about 100 MiB
    "experts": (256, EXPERTS),
    "experts, a prompt in one long chunk": (2048, EXPERTS),
    "dense layers": (256, ["--architecture", "llama", "--layers", "12", "--feed-forward", "2816"]),
    "states": (256, ["--architecture", "qwen35moe", "--layers", "4", "--feed-forward", "352", "--experts", "24", "--key-heads", "4", "--value-heads", "8",
                     "--state-size", "64"]),
    "embeddings by layer": (256, ["--architecture", "gemma4", "--layers", "6", "--feed-forward", "4096", "--head-dim", "64", "--window", "64",
                                  "--layer-embedding", "256"]),
}


class Cgroup:
    """A new memory cgroup (version 1 or 2); without a folder if the system allows none."""

    def __init__(self, limit):
        self.folder = None
        for parent, limit_file in ((CGROUPS / "memory", "memory.limit_in_bytes"), (CGROUPS, "memory.max")):
            folder = parent / f"coterie-budget-{os.getpid()}"
            try:
                folder.mkdir()
            except OSError:
                continue
            try:
                (folder / limit_file).write_text(str(limit))
                self.folder = folder
                return
            except OSError:
                folder.rmdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.folder:
            self.folder.rmdir()

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))


def run(command, cgroup=None, text=""):
    """Returns exit code, output, and the peak of resident memory in bytes as the system counted it for this child, and its errors."""
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        into.write(text.encode()), into.seek(0)
        process = subprocess.Popen(command, stdin=into, stdout=out, stderr=err, preexec_fn=cgroup.enter if cgroup else None)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return process.returncode, out.read(), usage.ru_maxrss * unit, err.read().decode(errors="replace").strip()


def own_peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def megabytes(count):
    return f"{count / 2**20:.1f} MiB"


def long_prompt(cli, model, context):
    """Returns random words, so that every expert is used; they fill the context except for a few tokens."""
    random = 1
    words = []
    text = ""
    while len(words) < context:
        random = random * 48271 % 0x7FFFFFFF  # Lehmer's generator
        words.append("".join(chr(97 + random // 26**i % 26) for i in range(3 + random % 6)))
    low, high = 1, len(words)
    while low < high:  # finds the largest number of words that fits
        middle = (low + high + 1) // 2
        text = " ".join(words[:middle])
        _, out, _, _ = run([cli, "tokenize", model, "--jsonl"], text=json.dumps(text) + "\n")
        low, high = (middle, high) if len(json.loads(out)) <= context - 8 else (low, middle - 1)
    return " ".join(words[:low])


def check_prediction(cli, model, context, memory, long, report):
    """Compares the prediction of `info` for a budget ("auto" for none) with the peak of a run that fills its context. long: the plan must have chunks
    of more than 256 tokens if experts come from disk."""
    common = ["--context", str(context), "--memory", memory]
    code, out, _, err = run([cli, "info", model, "--json", *common])
    plan = json.loads(out)["memory"] if code == 0 else None
    if not plan:
        report(False, f"info --memory {memory}: exit {code} {err}")
        return
    if long and plan["slots"] < plan["total_experts"]:
        report(plan["long_chunk"] > 256, f"--memory {memory}: a prompt is read {plan['long_chunk']} tokens at a time")
    code, _, peak, err = run([cli, "generate", model, "--raw", "--prompt", long_prompt(cli, model, context), "--temperature", "0", *common])
    off = plan["total"] / peak - 1
    report(code == 0 and abs(off) <= PREDICTION, f"--memory {memory}: {megabytes(plan['total'])} predicted, {megabytes(peak)} measured, {off:+.1%}, "
                                                 f"slots {plan['slots']} of {plan['total_experts']} {err}")
    least = -(-plan["minimum_total"] // 2**20) + 1  # info's own process may be a little smaller than generate's
    code, _, peak, err = run([cli, "generate", model, "--raw", "--prompt", "Once", "--max-tokens", "2", "--context", str(context), "--memory", f"{least}MiB"])
    # A child's peak is never below the memory that this program held when the child was started.
    report(code == 0 and peak <= max(least * 2**20, own_peak()), f"the least budget, {least} MiB, does: exit {code}, peak {megabytes(peak)} {err}")
    code, _, _, err = run([cli, "generate", model, "--raw", "--prompt", "Once", "--max-tokens", "2", "--context", str(context), "--memory", f"{least - 3}MiB"])
    report(code != 0 and "needs at least" in err, f"3 MiB less is refused: {err}")


def parse_size(text):
    number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()
    return int(number) * UNITS[unit]


def check_model(options, model, context, budgets, report):
    limit = parse_size(options.memory)
    command = [options.cli, "generate", model, "--raw", "--prompt", "Once upon a time there was", "--temperature", "0", "--max-tokens", options.tokens,
               "--context", str(context), "--kernels", options.kernels]
    code, want, free_peak, err = run(command)
    report(code == 0 and want, f"without a limit: exit {code}, peak {free_peak / 2**20:.0f} MiB {err}")
    report(free_peak > limit, f"without a limit it takes more than {options.memory}, so that the limit means something")
    code, got, peak, err = run([*command, "--memory", options.memory])
    report(code == 0 and peak <= limit, f"--memory {options.memory}: exit {code}, peak {peak / 2**20:.0f} MiB {err}")
    report(got == want, f"--memory {options.memory}: the same {len(want)} bytes of text")
    code, out, peak, err = run([options.cli, "bench", model, "--json", "--runs", "1", "--prompt-tokens", "32", "--generate", "16", "--memory",
                                options.memory, "--kernels", options.kernels])
    told = json.loads(out)["peak_rss"] if code == 0 else 0
    report(code == 0 and peak - SLACK <= told <= peak + SLACK,
           f"bench --memory {options.memory}: exit {code}, tells of {told / 2**20:.1f} MiB, the system of {peak / 2**20:.1f} MiB {err}")
    with Cgroup(limit) as cgroup:
        if cgroup.folder:
            code, got, peak, err = run([*command, "--memory", options.memory], cgroup)
            report(code == 0 and got == want, f"in a memory cgroup of {options.memory}: exit {code}, the same text, peak {peak / 2**20:.0f} MiB {err}")
        else:
            print("      no memory cgroup can be made here; the system's peak is the proof")
    for memory in budgets:
        check_prediction(options.cli, model, context, memory, not options.model and context > 256, report)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--make-model")
    parser.add_argument("--model")
    parser.add_argument("--memory", default="72MiB")
    parser.add_argument("--context", default=256, type=int, help="of the given model")
    parser.add_argument("--tokens", default="48")
    parser.add_argument("--kernels", default="auto")
    options = parser.parse_args()
    failures, passed = 0, 0

    def report(ok, text):
        nonlocal failures, passed
        failures, passed = failures + (not ok), passed + bool(ok)
        print(("ok    " if ok else "FAIL  ") + text, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for name, (context, arguments) in ({"the given model": (options.context, [])} if options.model else MADE).items():
            model = options.model
            if not model:
                model = os.path.join(folder, f"{name}.gguf")
                subprocess.run([options.make_model, "--type", "f32", "--width", "256", "--context", str(context), *arguments, model], check=True)
            print(name)
            # Without a budget a given model may have more experts than its context's tokens use, and slots that stay empty. A model with states keeps
            # room for many copies then, and one prompt needs none.
            whole = not options.model and name != "states"
            check_model(options, model, context, [options.memory, "auto"] if whole else [options.memory], report)
    print(f"{passed} passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
