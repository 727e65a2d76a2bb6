#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs qmllint over the built modules with the settings of ui/.qmllint.ini; any output is a failure.

    lint_qml.py --qmllint PROGRAM --modules build/release/qml --source ui
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("qmllint", "modules", "source"):
    parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
options = parser.parse_args()

files = sorted(options.modules.joinpath("Coterie").rglob("*.qml"))
in_source = {path.name for path in options.source.rglob("*.qml")}
missing = in_source - {path.name for path in files}
if missing:
    sys.exit(f"not in any module: {', '.join(sorted(missing))}")
# qmllint looks for its settings in the file's folder and the folders above it.
shutil.copyfile(options.source / ".qmllint.ini", options.modules / ".qmllint.ini")
done = subprocess.run([options.qmllint, "-I", options.modules, *files], capture_output=True, text=True)
print(done.stdout + done.stderr, f"{len(files)} file(s)", sep="")
sys.exit(bool(done.returncode or done.stdout.strip() or done.stderr.strip()))
