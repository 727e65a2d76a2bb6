# SPDX-License-Identifier: Apache-2.0
"""Helpers that the programs which compare speeds share: one run of a program that prints JSON, and figures over rounds."""

import json
import statistics
import subprocess


def run_json(command: list) -> dict:
    """Returns the object that the command prints; ends this program if the command fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"error: {command[0]} failed; {done.stderr.strip()[-300:]}; see the message")
    return json.loads(done.stdout.splitlines()[-1] if done.stdout.count("\n{") else done.stdout)


def median(rounds: list[dict], figure: str) -> float | None:
    """Returns the median, or None if the figure was not measured."""
    values = [one[figure] for one in rounds if one.get(figure) is not None]
    return statistics.median(values) if values else None


def short(value: float) -> str:
    """Returns the number with about three digits, whatever its size."""
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"
