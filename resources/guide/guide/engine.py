# SPDX-License-Identifier: Apache-2.0
"""The program's own engine, through coterie-cli: what it answers, and how likely it finds a text."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class EngineError(RuntimeError):
    """The program failed; the text is its error line."""


@dataclass(frozen=True)
class Said:
    """An answer in its parts."""

    text: str
    thought: str
    calls: tuple[dict, ...]


def tool_json(signature: str) -> dict:
    """`name(a, b)` as the program wants functions described."""
    name, arguments = signature.rstrip(")").split("(")
    properties = {argument.strip(): {"type": "string"} for argument in arguments.split(",") if argument.strip()}
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": properties}}}


class Engine:
    """A model file and the program that runs it; greedy, one thread a call."""

    def __init__(self, program: Path, model: Path) -> None:
        self.program, self.model = program, model

    def run(self, *arguments: str) -> str:
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise EngineError(done.stderr.strip())
        return done.stdout

    def generate(self, *arguments: str) -> Said:
        common = ("--temperature", "0", "--threads", "1", "--max-tokens", "400", "--json")
        answer = json.loads(self.run("generate", str(self.model), *common, *arguments))
        return Said(answer["text"], answer["thought"], tuple(answer["tool_calls"]))

    def answer(self, question: str, tools: Sequence[str] = (), thinking: bool = False) -> Said:
        """Returns the model's answer to a first question."""
        arguments = ["--prompt", question, "--thinking" if thinking else "--no-thinking"]
        if not tools:
            return self.generate(*arguments)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump([tool_json(tool) for tool in tools], file)
            file.flush()
            return self.generate(*arguments, "--xml-tools", file.name)

    def continuation(self, prompt: str) -> Said:
        """Returns the model's continuation of a text in which the markers are spelled out."""
        return self.generate("--raw", "--special", "--prompt", prompt)

    def logits(self, tokens: list[int], positions: list[int]) -> bytes:
        """[positions, vocabulary] as little-endian float32."""
        with tempfile.TemporaryDirectory() as folder:
            request, out = Path(folder, "tokens.json"), Path(folder, "logits.f32")
            request.write_text(json.dumps({"tokens": tokens, "positions": positions}))
            self.run("logits", str(self.model), "--threads", "1", "--tokens", str(request), "--out", str(out))
            return out.read_bytes()
