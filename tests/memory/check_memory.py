#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs coterie-cli under a memory budget and measures it from outside: by the system's peak for the process, and inside a memory cgroup that kills
what takes more, where one can be made (root on Linux).

    check_memory.py --cli build/release/bin/coterie-cli [--make-model build/release/bin/make-test-model | --model MODEL]
                    [--memory 72MiB] [--tokens 48] [--kernels NAME]

The limited run must stay under the budget and say the same as the unlimited one; the unlimited one must need more than the budget, else
nothing is proved. What bench tells as peak_rss must be what the system counted. Ends with 'N passed, M failed'.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
CGROUPS = pathlib.Path("/sys/fs/cgroup")
SLACK = 2 << 20  # the kernel counts pages a processor at a time, and closing takes some more


class Cgroup:
    """A memory cgroup of its own (version 1 or 2), or nothing where the system allows none."""

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


def run(command, cgroup=None):
    """Exit code, output, and the peak of resident memory in bytes as the system counted it for this one child."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=cgroup.enter if cgroup else None)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return process.returncode, out.read(), usage.ru_maxrss * unit, err.read().decode(errors="replace").strip()


def parse_size(text):
    number, unit = re.fullmatch(r"(\d+)(\w+)", text).groups()
    return int(number) * UNITS[unit]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--make-model")
    parser.add_argument("--model")
    parser.add_argument("--memory", default="72MiB")
    parser.add_argument("--tokens", default="48")
    parser.add_argument("--kernels", default="auto")
    options = parser.parse_args()
    limit, failures, passed = parse_size(options.memory), 0, 0

    def report(ok, text):
        nonlocal failures, passed
        failures, passed = failures + (not ok), passed + bool(ok)
        print(("ok    " if ok else "FAIL  ") + text, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        model = options.model
        if not model:
            model = os.path.join(folder, "experts.gguf")  # about 100 MiB of experts
            subprocess.run([options.make_model, "--architecture", "smallthinker", "--type", "f32", "--layers", "4", "--width", "256", "--feed-forward", "352",
                            "--experts", "24", "--context", "256", model], check=True)
        command = [options.cli, "generate", model, "--raw", "--prompt", "Once upon a time there was", "--temperature", "0", "--max-tokens", options.tokens,
                   "--context", "256", "--kernels", options.kernels]
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
    print(f"{passed} passed, {failures} failed")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
