# SPDX-License-Identifier: Apache-2.0
"""Calls of the two functions that the guide knows: the clock and a calculator."""

import json
from random import Random

from .exchange import Exchange
from .phrasings import careless, lines

CLOCK = "get_time()"
CALCULATOR = "calculator(expression)"
OTHERS = ("get_weather(city)", "search(query)", "send_mail(to, text)", "translate(text, language)")

TIME = lines(
    """
    What time is it?
    What's the time?
    Tell me the time.
    Can you tell me the time?
    What time is it now?
    How late is it?
    Do you know what time it is?
    Please tell me the current time.
    what is the time
    Give me the time.
    Look at the clock, please.
    I need to know the time.
    """
)
TIME_HELD_OUT = ("Could you tell me what time it is?", "What is the current time?", "Please give me the time.")
NO_CLOCK = "I can't see a clock here. Your computer shows the time."

SUMS = lines(
    """
    What is {e}?
    Calculate {e}.
    Compute {e}.
    How much is {e}?
    {e}
    {e} = ?
    Please calculate {e}.
    Tell me what {e} is.
    What is the result of {e}?
    Use the calculator: {e}
    """
)
SUMS_HELD_OUT = ("Work out {e} for me.", "Could you calculate {e}?", "What do you get for {e}?")
SIGNS = {"+": ("+", "plus"), "-": ("-", "minus"), "*": ("*", "x", "times")}


def call_text(name: str, arguments: dict[str, str]) -> str:
    return json.dumps({"name": name, "arguments": arguments})


class Tools:
    """Questions where a function is offered; now and then the one that would be needed is not."""

    name = "tools"

    def offered(self, random: Random, needed: str) -> tuple[str, ...]:
        tools = {needed}
        if random.random() < 0.5:
            tools.add(CALCULATOR if needed == CLOCK else CLOCK)
        if random.random() < 0.25:
            tools.add(random.choice(OTHERS))
        return tuple(random.sample(sorted(tools), len(tools)))

    def time(self, random: Random, held_out: bool) -> Exchange:
        question = random.choice(TIME_HELD_OUT) if held_out else careless(random, random.choice(TIME))
        if not held_out and random.random() < 0.2:
            tools = (CALCULATOR,) if random.random() < 0.3 else ()
            return Exchange(self.name, question, NO_CLOCK, thought="There is no clock.", tools=tools)
        now = f"{random.randint(0, 23):02}:{random.randint(0, 59):02}"
        tools = self.offered(random, CLOCK)
        return Exchange(self.name, question, f"It is {now}.", "The clock knows.", tools, call_text("get_time", {}), now)

    def sum(self, random: Random, held_out: bool) -> Exchange:
        sign = random.choice(tuple(SIGNS))
        most = random.choice((20, 100, 1000, 1000, 10000))
        a, b = random.randint(0, most), random.randint(0, most)
        result = str({"+": a + b, "-": a - b, "*": a * b}[sign])
        expression = f"{a} {random.choice(SIGNS[sign])} {b}"
        question = random.choice(SUMS_HELD_OUT if held_out else SUMS).format(e=expression)
        call = call_text("calculator", {"expression": f"{a} {sign} {b}"})
        answer = f"{a} {'x' if sign == '*' else sign} {b} = {result}."
        if not held_out:
            question = careless(random, question)
        return Exchange(self.name, question, answer, "The calculator knows.", self.offered(random, CALCULATOR), call, result)

    def exchange(self, random: Random, held_out: bool) -> Exchange:
        return self.time(random, held_out) if random.random() < 0.35 else self.sum(random, held_out)

    def draw(self, random: Random) -> Exchange:
        return self.exchange(random, held_out=False)

    def held_out(self, random: Random, count: int) -> list[Exchange]:
        return [self.exchange(random, held_out=True) for _ in range(count)]
