# SPDX-License-Identifier: Apache-2.0
"""The model card's figures: fills the marked parts of README.md from the report and the traces of the committed file."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from .traces import Traces, mean_overlap, specialised_counts, specialised_layers, top_quarter_share

ABOUT = {
    "program": "questions about Coterie",
    "experts": "questions about Mixture-of-Experts models and inference",
    "science": "simple science",
    "capitals": "capitals of countries",
    "facts": "plain facts of 33 kinds",
    "arithmetic": "sums and differences up to 99, products up to 12 x 12",
    "phrases": "common phrases from each of six languages into each",
    "small talk": "greetings and the like in six languages",
    "stories": "short stories, judged by a grammar",
    "functions": "small Python functions, judged by running them",
    "tools": "calls of `get_time` and `calculator`, and the answer after them",
    "beyond": "questions that it can't know: says so",
    "thinking": "a mixture with `/think`: a thought, then the right answer",
}


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Markdown; the first column is text, the others stand to the right."""
    heads = list(heads)
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def abilities(report: dict) -> str:
    rows = [
        (f"{score['ability']}: {ABOUT[score['ability']]}", score["asked"], score["right"], f"{score['right'] / score['asked']:.1%}")
        for score in report["abilities"]
    ]
    return table(("held-out phrasings of", "asked", "right", "share"), rows)


def refreshes(training: dict) -> list[tuple[str, str]]:
    """A row about the refreshes since the last full training, if there were some."""
    done = training.get("refreshes", ())
    tokens, steps, minutes = (sum(refresh[key] for refresh in done) for key in ("tokens", "steps", "minutes"))
    label = "then refreshed" if len(done) == 1 else f"then refreshed {len(done)} times"
    return [(label, f"{tokens / 1e6:.1f} M tokens in {steps:,} steps, {minutes:.0f} minutes")] if done else []


def figures(report: dict, traces: Traces) -> str:
    perplexity, predictor, training = report["perplexity"], report["predictor"], report["training"]
    change = perplexity["shipped"] / perplexity["float"] - 1
    rows = [
        ("size of the file", f"{report['bytes'] / 1e6:.2f} MB"),
        ("parameters", f"{report['parameters']:,}"),
        ("training", f"{training['tokens'] / 1e6:.1f} M tokens in {training['steps']:,} steps"),
        (f"training time on {training['processors']} cores", f"{training['minutes']:.0f} minutes"),
        *refreshes(training),
        ("perplexity of held-out answers, float32", f"{perplexity['float']:.4f}"),
        ("the same, Q8_0 as shipped", f"{perplexity['shipped']:.4f} ({change:+.2%})"),
        (f"head predictor: same greedy token ({predictor['tokens']:,} held-out tokens)", f"{predictor['same']:.2%}"),
        ("head predictor: rows computed", f"{predictor['computed']:.1%}"),
        ("neurons that are off", f"{traces.mean_share_off():.1%}"),
    ]
    return table(("measured on the committed file", ""), rows)


def experts(traces: Traces) -> str:
    counts = specialised_counts(traces)
    rows = []
    for domain in traces.domains:
        mean = sum(map(top_quarter_share, traces.chosen[domain])) / traces.layers
        others = [mean_overlap(traces, domain, other) for other in traces.domains if other != domain]
        rows.append((domain, traces.tokens[domain], f"{mean:.0%}", f"{counts[domain]} of {traces.layers}", f"{sum(others) / len(others):.2f}"))
    heads = ("domain", "tokens", "served by the top quarter", "layers where that is over half", "overlap with other domains")
    every = ", ".join(map(str, specialised_layers(traces))) or "none"
    return f"{table(heads, rows)}\n\nLayers where the top quarter serves over half of the tokens of every domain: {every}."


def fill(text: str, name: str, content: str) -> str:
    """Replaces what stands between the marks of a part."""
    start, end = f"<!-- {name}: measured -->", f"<!-- end of {name} -->"
    marked = re.compile(f"({re.escape(start)}\n).*?({re.escape(end)})", re.DOTALL)
    if not marked.search(text):
        raise ValueError(f"README.md has no part {name}")
    return marked.sub(lambda match: f"{match[1]}{content}\n{match[2]}", text)


def write_card(home: Path) -> None:
    """home: where README.md, report.json and traces.json lie."""
    report = json.loads((home / "report.json").read_text(encoding="utf-8"))
    traces = Traces.load(home / "traces.json")
    card = home / "README.md"
    text = card.read_text(encoding="utf-8")
    for name, content in (("figures", figures(report, traces)), ("abilities", abilities(report)), ("experts", experts(traces))):
        text = fill(text, name, content)
    card.write_text(text, encoding="utf-8")
