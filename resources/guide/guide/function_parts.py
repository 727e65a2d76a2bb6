# SPDX-License-Identifier: Apache-2.0
"""The parts of a Python function that the guide writes."""
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """A function that the guide can write."""

    name: str
    tasks: tuple[str, ...]  # fit into "Write a Python function that {task}."; the last one is kept from training
    code: str
    cases: tuple[tuple[tuple, object], ...]  # arguments, and what must come back


def function(code: str, tasks: tuple[str, ...], cases: tuple[tuple[tuple, object], ...]) -> Function:
    """A Function named as its code names it."""
    code = code.strip()
    return Function(re.match(r"def (\w+)", code)[1], tasks, code, cases)
