# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python functions and of what runs them."""
import ast
import re
import unittest

from guide.functions import FUNCTIONS, Function, passes

from .support import LONG

ADD = next(function for function in FUNCTIONS if function.name == "add")
IS_EVEN = next(function for function in FUNCTIONS if function.name == "is_even")
SMALL_WORDS = set("a an the of in to is if for and or all that two with from it by one its on as are be at n".split())
KNOWN_CAPITALS = {"Python", "True", "None", "Celsius", "Fahrenheit", "Fibonacci", "Fizz", "Buzz", "FizzBuzz", "Caesar"}


def spoiled(function: Function) -> str:
    """The code with its last line's result replaced."""
    head, _, _ = function.code.rpartition("return ")
    return f"{head}return \"wrong\""


def stems(task: str) -> set[str]:
    """The words that tell what a task is about, without their endings."""
    return {re.sub(r"(?:es|ed|s)$", "", word) for word in re.findall(r"\w+", task.lower()) if word not in SMALL_WORDS}


class Functions(unittest.TestCase):
    """The list itself."""

    def test_there_are_many_and_no_two_of_a_name(self) -> None:
        self.assertGreaterEqual(len(FUNCTIONS), 70)
        self.assertEqual(len({function.name for function in FUNCTIONS}), len(FUNCTIONS))

    def test_no_task_occurs_twice(self) -> None:
        tasks = [task for function in FUNCTIONS for task in function.tasks]
        self.assertEqual(len(set(tasks)), len(tasks))

    def test_tasks_fit_into_a_sentence(self) -> None:
        for function in FUNCTIONS:
            self.assertGreaterEqual(len(function.tasks), 4, function.name)
            for task in function.tasks:
                self.assertRegex(task, r"^[a-z]+s [A-Za-z0-9 ,-]*[A-Za-z0-9]$")
                self.assertLessEqual(set(re.findall(r"\b[A-Z]\w+", task)), KNOWN_CAPITALS, task)

    def test_the_last_task_shares_its_words_with_the_others(self) -> None:
        for function in FUNCTIONS:
            others = set().union(*map(stems, function.tasks[:-1]))
            self.assertGreaterEqual(len(stems(function.tasks[-1]) & others), 2, function.name)

    def test_code_is_a_short_clean_function(self) -> None:
        for function in FUNCTIONS:
            with self.subTest(function.name):
                lines = function.code.splitlines()
                self.assertTrue(2 <= len(lines) <= 8)
                self.assertTrue(all((len(line) - len(line.lstrip())) % 4 == 0 and line == line.rstrip() for line in lines))
                (definition,) = ast.parse(function.code).body
                self.assertIsInstance(definition, ast.FunctionDef)
                self.assertEqual(definition.name, function.name)
                self.assertIsNone(ast.get_docstring(definition))

    def test_there_are_three_cases_or_more(self) -> None:
        for function in FUNCTIONS:
            self.assertGreaterEqual(len(function.cases), 3, function.name)
            self.assertTrue(all(isinstance(arguments, tuple) for arguments, _ in function.cases), function.name)


class Passes(unittest.TestCase):
    """Tests the helpers that run code and compare results."""

    def test_every_functions_own_code_passes(self) -> None:
        for function in FUNCTIONS:
            with self.subTest(function.name):
                self.assertTrue(passes(function, function.code))

    def test_every_spoiled_code_fails(self) -> None:
        for function in FUNCTIONS if LONG else FUNCTIONS[::5]:
            with self.subTest(function.name):
                self.assertFalse(passes(function, spoiled(function)))

    def test_another_way_to_the_same_result_passes(self) -> None:
        self.assertTrue(passes(ADD, "def add(x, y):\n    print('adding')\n    return sum([x, y])"))

    def test_code_that_does_not_run_fails(self) -> None:
        for code in ("", "def add(a, b)\n    return a + b", "def add(a, b):\nreturn a + b", "def plus(a, b):\n    return a + b",
                     "def add(a):\n    return a", "def add(a, b):\n    return a + c", "def add(a, b):\n    return print", "add = 5"):
            with self.subTest(code):
                self.assertFalse(passes(ADD, code))

    def test_code_that_leaves_early_fails(self) -> None:
        self.assertFalse(passes(ADD, "import sys\nsys.exit(0)"))

    def test_code_that_never_ends_fails(self) -> None:
        self.assertFalse(passes(ADD, "def add(a, b):\n    while True:\n        pass", time_limit_s=0.5))

    def test_code_that_takes_all_memory_fails(self) -> None:
        self.assertFalse(passes(ADD, "def add(a, b):\n    return len(bytearray(1 << 32)) and a + b"))

    def test_a_number_is_no_truth_value(self) -> None:
        self.assertFalse(passes(IS_EVEN, "def is_even(number):\n    return 1 - number % 2"))


if __name__ == "__main__":
    unittest.main()
