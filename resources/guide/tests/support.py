# SPDX-License-Identifier: Apache-2.0
"""Helpers of several tests: the committed file, the built program, and reasons to skip."""

import importlib.util
import os
import unittest
from pathlib import Path

HOME = Path(__file__).parent.parent
GUIDE = HOME / "guide.gguf"
PROGRAM = Path(os.environ.get("COTERIE_CLI", HOME.parent.parent / "build/release/bin/coterie-cli"))

LONG = bool(os.environ.get("COTERIE_LONG_TESTS"))  # else a test may do less

needs_program = unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
needs_guide = unittest.skipUnless(GUIDE.exists(), "there is no guide.gguf")
needs_numpy = unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
needs_torch = unittest.skipUnless(
    importlib.util.find_spec("torch") and importlib.util.find_spec("numpy"),
    "PyTorch is not installed (python3-torch, python3-numpy), and training needs it",
)
