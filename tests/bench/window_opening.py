#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long two programs of the window take from their start to the first picture on the screen, in turns.

    window_opening.py FIRST SECOND [--rounds 15] [--most 1.2] [--write]

It is meant for a build (FIRST) and a package of it (SECOND). Each program has a data folder of its own, which an unmeasured start makes. Prints a
Markdown table of medians over rounds; exits with 1 if SECOND needs more than --most times FIRST's time, and with 77, which CTest counts as skipped, if
there is no Xvfb. Needs an idle machine.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import results

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "packages"))
from window_session import Display  # noqa: E402
from socket_free import at_spi  # noqa: E402

MIDDLE = 640, 450  # pixel of the display that the window covers
LOOK_AGAIN = 0.001  # seconds


def opening(program, data, display):
    """Returns the seconds from the start until the window is drawn."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "WAYLAND_"))}
    empty, started = display.pixel(*MIDDLE), time.monotonic()
    process = subprocess.Popen([program, "--data-dir", data], env=environment, stderr=subprocess.DEVNULL)
    try:
        while display.pixel(*MIDDLE) == empty:
            if process.poll() is not None or time.monotonic() - started > at_spi.PATIENCE:
                sys.exit(f"error: {program} shows no window")
            time.sleep(LOOK_AGAIN)
        return time.monotonic() - started
    finally:
        at_spi.end(process)
        deadline = time.monotonic() + at_spi.PATIENCE
        while display.pixel(*MIDDLE) != empty and time.monotonic() < deadline:
            time.sleep(LOOK_AGAIN)


def measure(options, display, scratch):
    programs = [(program, scratch / str(number)) for number, program in enumerate((options.first, options.second))]
    for program, data in programs:
        opening(program, data, display)
    seconds = [[], []]
    for number in range(options.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):  # the one that begins changes, so that a slow minute hits both
            seconds[which].append(opening(*programs[which], display))
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=pathlib.Path)
    parser.add_argument("second", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--most", type=float, default=float("inf"), help="the highest ratio that is no failure")
    parser.add_argument("--write", action="store_true", help="write the table into RESULTS.md")
    options = parser.parse_args()
    if not shutil.which("Xvfb"):
        at_spi.skip("xvfb", "Xvfb is not here")
    with tempfile.TemporaryDirectory(prefix="coterie-opening-") as folder:
        display = Display(folder)
        try:
            first, second = measure(options, display, pathlib.Path(folder))
        finally:
            at_spi.end(display.server)
    ratio = statistics.median(second) / statistics.median(first)
    cells = [f"{statistics.median(one) * 1000:.0f} ({min(one) * 1000:.0f} to {max(one) * 1000:.0f})" for one in (first, second)]
    table = f"| the window is drawn after, ms | first | second | ratio |\n| --- | ---: | ---: | ---: |\n| median (lowest to highest) | {' | '.join(cells)} | {ratio:.2f} |"
    print(table)
    if options.write:
        results.write("Opening the window", table, f"{options.rounds} rounds; Xvfb; first: the build, second: the portable folder")
    sys.exit(ratio > options.most)


if __name__ == "__main__":
    main()
