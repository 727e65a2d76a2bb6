#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a cross-built coterie-cli through a runner (wine64, qemu-aarch64 ...) and compares it with the native one.

    check_cross.py --native build/release/bin/coterie-cli --make-model build/release/bin/make-test-model \
                   --runner "qemu-aarch64 -cpu max" [--lesser-runner "qemu-aarch64 -cpu cortex-a53"] [--reference FOLDER] build/cross-aarch64/bin/coterie-cli

make-test-model makes the models. If the reference folder exists, every kernel table that the runner can run is checked against it.
The kernels' tests are the programs in tests/ beside bin/. A lesser runner stands for a processor that lacks what some tables need.
Ends with 'N passed, M failed'; exits with 1 if anything failed.
"""
import argparse
import array
import json
import math
import pathlib
import shlex
import stat
import subprocess
import sys
import tempfile

# A folder name that an eight-bit path would break: a space, Latin, Cyrillic and a character outside the basic plane.
AWKWARD = "a folder \u00e9\u0436\U0001f98a"
# Windows' old limit is 260; this goes beyond it in one path.
LONG = "/".join(["long-" + "x" * 60] * 5)
PROMPTS = ["Once upon a time", "caf\u00e9 \u2603 \U0001f98a", "  two  spaces\n\nand lines\t1234567 don't"]
# The native build and the cross build use other math libraries and maybe other kernels; both stay this close to each other in log-probability.
TOLERANCE = 0.02
DUE = r"^story|^models/(stories260k|tiny-llama|tiny-smallthinker)|^vocab/(qwen2|gpt-2|starcoder|llama-spm)$"


class Checks:
    def __init__(self, native, runner, program, label=""):
        self.native, self.runner, self.program, self.label = [str(native)], shlex.split(runner), program, label
        self.cross = [*self.runner, str(program)]
        self.passed = self.failed = 0

    def report(self, ok, name, detail=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        print(("ok    " if ok else "FAIL  ") + self.label + name + ("" if ok else "  " + detail), flush=True)

    def run(self, command, arguments, stdin=None, timeout=600):
        done = subprocess.run([*command, *map(str, arguments)], input=stdin, capture_output=True, timeout=timeout, check=False)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()

    def same(self, name, arguments, stdin=None):
        """Exit code and standard output are those of the native program, to the byte."""
        want, got = self.run(self.native, arguments, stdin), self.run(self.cross, arguments, stdin)
        self.report(got[0] == 0 and got[:2] == want[:2], name, f"exit {got[0]} for {want[0]}, {got[1][:120]!r} for {want[1][:120]!r} {got[2][-200:]}")

    def error(self, name, arguments, exit_code):
        code, _, err = self.run(self.cross, arguments)
        self.report(code == exit_code and err.startswith("error: ") and "\n" not in err, name, f"exit {code}: {err[-200:]}")

    def tables(self):
        """The kernel tables, the preferred first: {name: whether it runs}."""
        code, out, err = self.run(self.cross, ["kernels", "--json"])
        self.report(code == 0, "kernels", err)
        return {table["name"]: table["runs_here"] for table in json.loads(out)["kernels"]} if code == 0 else {}

    def logits(self, name, model, folder, how=("--kernels", "scalar"), native_how=None):
        request = folder / "tokens.json"
        request.write_text(json.dumps({"tokens": [1, 5, 9, 40, 3, 77, 2, 8], "positions": list(range(8))}), encoding="utf-8")
        rows = []
        for which, command, options in (("native", self.native, native_how or how), ("cross", self.cross, how)):
            out = folder / f"{which}.f32"
            code, _, err = self.run(command, ["logits", model, "--tokens", request, "--out", out, *options])
            if code:
                return self.report(False, name, f"{which}: exit {code}: {err[-200:]}")
            values = array.array("f")
            values.frombytes(out.read_bytes())
            vocabulary = len(values) // 8
            rows.append([log_softmax(values[i * vocabulary:(i + 1) * vocabulary]) for i in range(8)])
        worst = max(abs(a - b) for x, y in zip(*rows) for a, b in zip(x, y))
        return self.report(worst <= TOLERANCE, name, f"worst log-probability difference {worst:.5f} (at most {TOLERANCE})")


def log_softmax(row):
    top = max(row)
    total = math.log(sum(math.exp(x - top) for x in row)) + top
    return [x - total for x in row]


def kernel_tests(checks):
    programs = sorted(p for p in checks.program.parent.with_name("tests").glob("tst_kernel_*") if p.suffix in ("", ".exe"))
    checks.report(programs, "the kernels' tests are there", str(checks.program.parent.with_name("tests")))
    for program in programs:
        code, out, err = checks.run(checks.runner, [program], timeout=3600)  # emulated, all tables one after the other
        checks.report(code == 0, program.stem, f"exit {code}: {out.decode(errors='replace')[-2000:]} {err[-200:]}")


def lesser_processor(checks, make_model, folder):
    """Tables that it can't run are refused by name, and the next one is taken."""
    tables = checks.tables()
    absent = [name for name, runs in tables.items() if not runs]
    checks.report(absent and len(absent) < len(tables) - 1, "lacks what some tables need, and runs more than scalar", str(tables))
    model = folder / "lesser.gguf"
    subprocess.run([str(make_model), "--architecture", "llama", "--type", "q8_0", str(model)], check=True)
    checks.logits("logits with what it has", model, folder, ["--kernels", "auto"])
    for name in absent:
        checks.error(f"--kernels {name}", ["generate", model, "--raw", "--prompt", PROMPTS[0], "--max-tokens", "2", "--kernels", name], 2)
    kernel_tests(checks)


def made_models(checks, tables, make_model, folder):
    for number, (architecture, kind) in enumerate([("llama", "f32"), ("llama", "q8_0"), ("smallthinker", "q4_0"), ("smallthinker-transposed", "f16")]):
        place = folder / (AWKWARD if number % 2 else LONG)
        place.mkdir(parents=True, exist_ok=True)
        model = place / f"{architecture}-{kind}.gguf"
        subprocess.run([str(make_model), "--architecture", architecture, "--type", kind, str(model)], check=True)
        label = f"{architecture} {kind}"
        for name in tables:
            checks.logits(f"{label}: logits, {name}", model, folder, ["--kernels", name], ["--kernels", "scalar"])
        checks.logits(f"{label}: logits with the machine's own kernels and a Q8_0 cache", model, folder, ["--kv-cache", "q8_0"])
        checks.same(f"{label}: tokenize", ["tokenize", model, "--jsonl"], "".join(json.dumps(p) + "\n" for p in PROMPTS).encode())
        checks.same(f"{label}: generate", ["generate", model, "--raw", "--prompt", PROMPTS[1], "--temperature", "0", "--max-tokens", "24", "--kernels", "scalar"])
        checks.same(f"{label}: two threads", ["generate", model, "--raw", "--prompt", PROMPTS[0], "--temperature", "0", "--max-tokens", "24", "--kernels", "scalar", "--threads", "2"])


def reference(checks, tables, folder, scratch):
    """check.py wants one program: a script stands for runner and program."""
    wrapper = scratch / "coterie-cli"
    wrapper.write_text("#!/bin/sh\nexec " + " ".join(map(shlex.quote, checks.cross)) + ' "$@"\n', encoding="utf-8")
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    for name in tables:
        done = subprocess.run([sys.executable, str(folder / "check.py"), str(wrapper), "--match", DUE, "--dir", str(folder), "--kernels", name], capture_output=True, text=True, check=False)
        summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-200:]
        checks.report(done.returncode == 0, f"reference answers, {name}: {summary}", done.stdout[-2000:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--native", type=pathlib.Path, required=True)
    parser.add_argument("--make-model", type=pathlib.Path, required=True)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--lesser-runner")
    parser.add_argument("--reference", type=pathlib.Path)
    options = parser.parse_args()
    checks = Checks(options.native.resolve(), options.runner, options.program.resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        tables = checks.tables()
        running = [name for name, runs in tables.items() if runs]
        made_models(checks, running, options.make_model.resolve(), folder)
        checks.error("a missing file", ["info", folder / "none.gguf"], 2)
        checks.error("a wrong option", ["generate", folder / "none.gguf", "--memory", "lots"], 2)
        if options.reference and options.reference.is_dir():
            reference(checks, running, options.reference.resolve(), folder)
        kernel_tests(checks)
        everyone = [checks]
        if options.lesser_runner:
            checks.report(all(tables.values()), "every kernel table runs", str(tables))
            everyone.append(Checks(options.native.resolve(), options.lesser_runner, options.program.resolve(), "lesser processor: "))
            lesser_processor(everyone[1], options.make_model.resolve(), folder)
    failed = sum(each.failed for each in everyone)
    print(f"{sum(each.passed for each in everyone)} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
