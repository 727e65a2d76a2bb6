# SPDX-License-Identifier: Apache-2.0
"""Small Python functions with the tasks that ask for them, and passes(), which tells whether somebody's code does a task."""
import ast
import math
import subprocess
import sys

from . import functions_lists, functions_numbers, functions_texts
from .function_parts import Function

FUNCTIONS: tuple[Function, ...] = functions_numbers.FUNCTIONS + functions_texts.FUNCTIONS + functions_lists.FUNCTIONS

TIME_LIMIT_S = 5.0

# Runs in a process of its own, with little memory; reads code, name and arguments, and writes what the calls return.
# What the code prints is dropped. It never sees the expected results.
_RUNNER = """
import ast, contextlib, io, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))
code, name, calls = ast.literal_eval(sys.stdin.read())
space = {"__name__": "candidate"}
with contextlib.redirect_stdout(io.StringIO()):
    exec(code, space)
    results = [space[name](*arguments) for arguments in calls]
print(results)
"""


def passes(function: Function, code: str, time_limit_s: float = TIME_LIMIT_S) -> bool:
    """Whether the code defines the function and returns what each case expects."""
    results = _results(function, code, time_limit_s)
    expected = [result for _, result in function.cases]
    return results is not None and len(results) == len(expected) and all(map(_same, results, expected))


def _results(function: Function, code: str, time_limit_s: float) -> list | None:
    """Returns the code's results for the cases; None if it fails, takes too long, or returns something that is no literal."""
    request = repr((code, function.name, [arguments for arguments, _ in function.cases]))
    try:
        done = subprocess.run([sys.executable, "-I", "-c", _RUNNER], input=request, capture_output=True, text=True, timeout=time_limit_s)
        results = ast.literal_eval(done.stdout.strip()) if done.returncode == 0 else None
    except (subprocess.TimeoutExpired, ValueError, SyntaxError):
        return None
    return results if isinstance(results, list) else None


def _same(result: object, expected: object) -> bool:
    """Equal, with room for rounding; True is not 1."""
    if isinstance(result, bool) or isinstance(expected, bool):
        return result is expected
    if isinstance(result, float) or isinstance(expected, float):
        return isinstance(result, int | float) and isinstance(expected, int | float) and math.isclose(result, expected, abs_tol=1e-9)
    return result == expected
