#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers in files have points where the user's language has commas: runs tests in a locale with a decimal comma.

    decimal_comma.py --folder FOLDER tests PROGRAM[:FUNCTION,FUNCTION...] ...
    decimal_comma.py --folder FOLDER window LIBRARY PROGRAM [ARGUMENT ...]

tests: each Qt Test passes in that locale. window: PROGRAM, into which LIBRARY (says_a_quarter.cpp) is loaded, writes a quarter with a point through the
C library as well. FOLDER: where the locale is made if the system doesn't have it. Exits with 77, which CTest counts as skipped, if it can't be made.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NAME = "de_DE.UTF-8"
ASK = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'], end='')"


def has_comma(environment):
    """Asks the C library itself: a locale that isn't there leaves a point."""
    asked = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True)
    return asked.stdout == ","


def environment_with_comma(folder):
    """The environment of a German user, or the reason why there is none here."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("LC_") and name not in {"LANG", "LANGUAGE", "LOCPATH"}}
    usual |= {"LC_ALL": NAME, "QT_QPA_PLATFORM": "offscreen", "QT_QUICK_BACKEND": "software"}
    if has_comma(usual):
        return usual, None
    localedef = shutil.which("localedef", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not localedef:
        return None, f"the system has neither the locale {NAME} nor localedef, which makes it"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as own:  # another test may make it at the same time
        made = subprocess.run([localedef, "--no-archive", "-i", "de_DE", "-f", "UTF-8", f"{own}/{NAME}"], capture_output=True, text=True)
        if (pathlib.Path(own) / NAME).exists() and not (folder / NAME).exists():
            try:
                os.rename(f"{own}/{NAME}", folder / NAME)
            except OSError:
                pass  # the other one was faster
    usual["LOCPATH"] = str(folder)
    return (usual, None) if has_comma(usual) else (None, f"localedef could not make the locale {NAME}: {made.stderr.strip()[:200]}")


def run_tests(environment, programs):
    failed = []
    for program in programs:
        path, _, functions = program.partition(":")
        done = subprocess.run([path, *functions.split(",")] if functions else [path], env=environment, stdin=subprocess.DEVNULL)
        failed += [program] if done.returncode else []
    return [f"{program} fails in a locale with a decimal comma" for program in failed]


def run_window(environment, library, program):
    with tempfile.TemporaryDirectory() as data:
        done = subprocess.run([*program, "--data-dir", data, "--screenshot", f"{data}/window.png"], env=environment | {"LD_PRELOAD": library},
                              capture_output=True, text=True, timeout=600)
    said = [line for line in done.stderr.splitlines() if line.startswith("a quarter is ")]
    if done.returncode or not said:
        return [f"the window did not start and end: {done.returncode}, {done.stderr[-500:]}"]
    return [f"the window's process says: {line}" for line in said if line != "a quarter is 0.25"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("kind", choices=["tests", "window"])
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    environment, missing = environment_with_comma(options.folder.resolve())
    if missing:
        print("skipped:", missing)
        sys.exit(77)
    problems = run_tests(environment, options.arguments) if options.kind == "tests" else run_window(environment, options.arguments[0], options.arguments[1:])
    print(*problems, f"{len(problems)} problem(s)", sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
