# SPDX-License-Identifier: Apache-2.0
"""Sums, differences and products of small numbers."""

from random import Random

from .exchange import Exchange
from .phrasings import careless, lines

SIGNS = {"add": "+", "subtract": "-", "multiply": "x"}
MOST = {"add": 99, "subtract": 99, "multiply": 12}
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()

COMMON = lines(
    """
    What is {e}?
    {e}
    {e} = ?
    Calculate {e}.
    Compute {e}.
    How much is {e}?
    What does {e} give?
    Tell me what {e} is.
    Can you work out {e}?
    what's {e}
    Please calculate {e}.
    What is the result of {e}?
    Solve {e}.
    Do you know what {e} is?
    """
)
COMMON_HELD_OUT = lines(
    """
    What do you get for {e}?
    Work out {e} for me.
    Could you calculate {e}?
    How much does {e} make?
    """
)
SPECIAL = {
    "add": lines(
        """
        Add {a} and {b}.
        Add {b} to {a}.
        What is the sum of {a} and {b}?
        What do {a} and {b} make together?
        If I have {a} apples and get {b} more, how many have I got?
        """
    ),
    "subtract": lines(
        """
        Subtract {b} from {a}.
        Take {b} away from {a}.
        What is the difference between {a} and {b}?
        What is left of {a} when I take away {b}?
        If I have {a} apples and give away {b}, how many are left?
        """
    ),
    "multiply": lines(
        """
        Multiply {a} by {b}.
        Multiply {a} and {b}.
        What is the product of {a} and {b}?
        If {a} boxes hold {b} apples each, how many apples are there?
        """
    ),
}
SPECIAL_HELD_OUT = {
    "add": ("Give me the sum of {a} and {b}.", "Please add {a} and {b}."),
    "subtract": ("Please subtract {b} from {a}.", "Give me the difference between {a} and {b}."),
    "multiply": ("Give me the product of {a} and {b}.", "Please multiply {a} by {b}."),
}
SPOKEN = {"add": ("plus", "and"), "subtract": ("minus", "less"), "multiply": ("times", "multiplied by")}
WRITTEN = {"add": ("+",), "subtract": ("-",), "multiply": ("x", "*")}


def result(operation: str, a: int, b: int) -> int:
    return {"add": a + b, "subtract": a - b, "multiply": a * b}[operation]


def thought(operation: str, a: int, b: int) -> str:
    """The steps of a sum in the head."""
    if operation == "add":
        tens, ones = a // 10 * 10 + b // 10 * 10, a % 10 + b % 10
        return f"{a // 10 * 10} + {b // 10 * 10} = {tens}, {a % 10} + {b % 10} = {ones}, {tens} + {ones} = {a + b}."
    if operation == "subtract":
        between = a - b // 10 * 10
        return f"{a} - {b // 10 * 10} = {between}, {between} - {b % 10} = {a - b}."
    low = min(a, 5)
    return f"{low} x {b} = {low * b}, {a - low} x {b} = {(a - low) * b}, together {a * b}."


class Arithmetic:
    """a + b and a - b up to 99, a x b up to 12 x 12."""

    name = "arithmetic"

    def numbers(self, random: Random, operation: str) -> tuple[int, int]:
        most = MOST[operation]
        if operation != "multiply" and random.random() < 0.25:
            most = 20
        a, b = random.randint(0, most), random.randint(0, most)
        if operation == "subtract" and random.random() < 0.85:
            a, b = max(a, b), min(a, b)
        return a, b

    def question(self, random: Random, operation: str, a: int, b: int, held_out: bool) -> str:
        special = SPECIAL_HELD_OUT if held_out else SPECIAL
        common = COMMON_HELD_OUT if held_out else COMMON
        if random.random() < 0.3:
            return random.choice(special[operation]).format(a=a, b=b)
        if max(a, b) <= 12 and random.random() < 0.15:
            expression = f"{WORDS[a]} {random.choice(SPOKEN[operation])} {WORDS[b]}"
        elif random.random() < 0.4:
            expression = f"{a} {random.choice(SPOKEN[operation])} {b}"
        else:
            space = "" if random.random() < 0.25 else " "
            expression = f"{a}{space}{random.choice(WRITTEN[operation])}{space}{b}"
        return random.choice(common).format(e=expression)

    def exchange(self, random: Random, held_out: bool) -> Exchange:
        operation = random.choice(("add", "subtract", "multiply"))
        a, b = self.numbers(random, operation)
        question = self.question(random, operation, a, b, held_out)
        answer = f"{a} {SIGNS[operation]} {b} = {result(operation, a, b)}."
        if not held_out:
            question = careless(random, question)
        return Exchange(self.name, question, answer, thought=thought(operation, a, b))

    def draw(self, random: Random) -> Exchange:
        return self.exchange(random, held_out=False)

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [self.exchange(random, held_out=True) for _ in range(count)]
