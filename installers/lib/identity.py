# SPDX-License-Identifier: Apache-2.0
"""The program's name among all programs, and who publishes it, for the scripts that make and try packages. CMake reads the same file."""
import pathlib

FILE = pathlib.Path(__file__).parents[2] / "resources/desktop/identity.txt"


def read():
    """{"id": ..., "publisher": ..., "address": ...}, and "pictures" if the pictures of the packages' description have an address."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" = ", 1) for line in lines if line and not line.startswith("#"))
