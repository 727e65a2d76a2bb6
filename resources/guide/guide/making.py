# SPDX-License-Identifier: Apache-2.0
"""Exchanges in which the guide invents something: stories and small Python functions."""

from random import Random

from .exchange import Exchange, sample
from .functions import FUNCTIONS, Function
from .phrasings import careless, lines
from .stories import THEMES, story

STORY = lines(
    """
    Tell me a short story about {x}.
    Tell me a story about {x}.
    Tell a story about {x}.
    Write a short story about {x}.
    Write a story about {x}.
    Can you tell me a story about {x}?
    Please tell me a story about {x}.
    I want to hear a story about {x}.
    Make up a story about {x}.
    A story about {x}, please.
    Do you know a story about {x}?
    Give me a little story about {x}.
    Write a tale about {x}.
    Tell my child a story about {x}.
    story about {x}
    """
)
STORY_HELD_OUT = (
    "Could you tell me a short story about {x}?",
    "I would like a story about {x}.",
    "Please write a little story about {x}.",
)
FUNCTION = lines(
    """
    Write a Python function that {x}.
    Write a function that {x}.
    Write a function in Python that {x}.
    Can you write a Python function that {x}?
    Please write a Python function that {x}.
    I need a Python function that {x}.
    Give me a Python function that {x}.
    Show me a Python function that {x}.
    Make a Python function that {x}.
    python function that {x}
    How do I write a Python function that {x}?
    Code a function that {x}.
    """
)
FUNCTION_HELD_OUT = ("Could you write a function in Python that {x}?", "I want a Python function that {x}.")


class Stories:
    """Short stories of the grammar, about a theme."""

    name = "stories"

    def exchange(self, random: Random, theme: str, question: str) -> Exchange:
        thought = f"A story about {theme}: a wish, a trouble, a good end."
        return Exchange(self.name, question, story(random, theme).text, thought=thought)

    def draw(self, random: Random) -> Exchange:
        theme = random.choice(THEMES)
        return self.exchange(random, theme, careless(random, random.choice(STORY).format(x=theme)))

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        themes = [random.choice(THEMES) for _ in range(count)]
        return [self.exchange(random, theme, random.choice(STORY_HELD_OUT).format(x=theme)) for theme in themes]


def fenced(code: str) -> str:
    return f"```python\n{code.strip()}\n```"


class Functions:
    """Python functions for small tasks."""

    name = "functions"

    def exchange(self, function: Function, question: str) -> Exchange:
        return Exchange(self.name, question, fenced(function.code), thought=f"The function {function.name}.")

    def draw(self, random: Random) -> Exchange:
        function = random.choice(FUNCTIONS)
        task = random.choice(function.tasks[:-1])
        return self.exchange(function, careless(random, random.choice(FUNCTION).format(x=task)))

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [
            self.exchange(function, random.choice(FUNCTION_HELD_OUT).format(x=function.tasks[-1]))
            for function in sample(random, list(FUNCTIONS), count)
        ]
