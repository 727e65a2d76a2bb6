# SPDX-License-Identifier: Apache-2.0
"""Which experts serve which kind of text, and how many of their neurons stay off: counted in the program's own traces."""

import argparse
import csv
import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from .arithmetic import Arithmetic
from .exchange import Exchange, sample
from .languages import LANGUAGES, little_texts
from .making import Functions, Stories

SEED = 30
TEXTS = 40  # for each domain
LAYERS, EXPERTS, EXPERT_WIDTH = 8, 16, 96
DOMAINS = ("arithmetic", "code", "stories", *(language.lower() for language in LANGUAGES))

ExpertCounts = dict[str, list[list[int]]]  # [domain][layer][expert]: how often tokens chose it


@dataclass
class Traces:
    """Sums over the traces of texts."""

    layers: int = LAYERS
    experts: int = EXPERTS
    width: int = EXPERT_WIDTH  # neurons of an expert
    tokens: dict[str, int] = field(default_factory=dict)  # [domain]
    chosen: ExpertCounts = field(default_factory=dict)
    # [domain][layer][n]: of the experts that a token chose, how many had n neurons on
    active: dict[str, list[list[int]]] = field(default_factory=dict)

    @property
    def domains(self) -> list[str]:
        return list(self.chosen)

    def open(self, domain: str) -> None:
        """Makes room for a domain."""
        self.tokens[domain] = 0
        self.chosen[domain] = [[0] * self.experts for _ in range(self.layers)]
        self.active[domain] = [[0] * (self.width + 1) for _ in range(self.layers)]

    def add(self, domain: str, rows: Iterable[Mapping[str, str]]) -> None:
        """Counts the rows of one trace that belong to its prompt."""
        rows = [row for row in rows if row["prompt"] == "1" and row["expert"]]
        for row in rows:
            self.chosen[domain][int(row["layer"])][int(row["expert"])] += 1
            self.active[domain][int(row["layer"])][int(row["active_neurons"])] += 1
        self.tokens[domain] += len({row["position"] for row in rows})

    def shares_off(self, layer: int) -> list[float]:
        """The share of neurons that are off, of each expert that a token chose; from the smallest up."""
        counts = [sum(domain[layer][on] for domain in self.active.values()) for on in range(self.width + 1)]
        return [1 - on / self.width for on in range(self.width, -1, -1) for _ in range(counts[on])]

    def mean_share_off(self, layer: int | None = None) -> float:
        """Over one layer, or over all of them."""
        layers = range(self.layers) if layer is None else (layer,)
        shares = [share for number in layers for share in self.shares_off(number)]
        return sum(shares) / len(shares) if shares else 0.0

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> "Traces":
        return Traces(**json.loads(path.read_text(encoding="utf-8")))


def written(exchange: Exchange) -> str:
    return f"{exchange.question}\n{exchange.answer}"


def domain_texts(seed: int = SEED, count: int = TEXTS) -> dict[str, list[str]]:
    """Texts of each domain.

    Questions are in phrasings kept from training, and stories are newly made. The languages' little texts are few, and
    training saw them; so it did the functions' code.
    """
    random = Random(seed)
    texts = {
        "arithmetic": [written(exchange) for exchange in Arithmetic().held_out(random, count)],
        "code": [written(exchange) for exchange in Functions().held_out(random, count)],
        "stories": [exchange.answer for exchange in Stories().held_out(random, count)],
    }
    by_language = little_texts()
    return texts | {domain: sample(random, by_language[domain], count) for domain in DOMAINS if domain in by_language}


def collect(
    cli: Path,
    model: Path,
    texts: Mapping[str, Sequence[str]],
    layers: int = LAYERS,
    experts: int = EXPERTS,
    width: int = EXPERT_WIDTH,
) -> Traces:
    """Runs the program over all texts, one after another. cli: coterie-cli; texts: [domain]."""
    traces = Traces(layers, experts, width)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "trace.csv")
        how = ("--raw", "--device", "cpu", "--threads", "1", "--temperature", "0", "--max-tokens", "1", "--out", str(out))
        for domain, given in texts.items():
            traces.open(domain)
            for text in given:
                subprocess.run([cli, "trace", model, *how, f"--prompt={text}"], check=True, stdout=subprocess.DEVNULL)
                with out.open(encoding="utf-8", errors="replace", newline="") as file:
                    traces.add(domain, csv.DictReader(file))
    return traces


def top_quarter(counts: Sequence[int]) -> frozenset[int]:
    """The quarter of a layer's experts that is chosen most; of equals the first."""
    order = sorted(range(len(counts)), key=lambda expert: (-counts[expert], expert))
    return frozenset(order[: max(1, len(counts) // 4)])


def top_quarter_share(counts: Sequence[int]) -> float:
    """The share of a layer's choices that the most used quarter of its experts serves; a quarter where all are alike."""
    return sum(counts[expert] for expert in top_quarter(counts)) / max(1, sum(counts))


def specialised_domains(traces: Traces, layer: int, share: float = 0.5) -> list[str]:
    """The domains of which the layer's top quarter serves over `share`."""
    return [domain for domain in traces.domains if top_quarter_share(traces.chosen[domain][layer]) > share]


def specialised_layers(traces: Traces, share: float = 0.5) -> list[int]:
    """The layers where that holds for every domain."""
    return [
        layer for layer in range(traces.layers) if len(specialised_domains(traces, layer, share)) == len(traces.domains)
    ]


def specialised_counts(traces: Traces, share: float = 0.5) -> dict[str, int]:
    """The looser count: for each domain by itself, the layers whose top quarter serves over `share` of it."""
    counts = dict.fromkeys(traces.domains, 0)
    for layer in range(traces.layers):
        for domain in specialised_domains(traces, layer, share):
            counts[domain] += 1
    return counts


def overlap(traces: Traces, layer: int, one: str, other: str) -> float:
    """How much the top quarters of two domains are the same experts: common ones / all of both (Jaccard)."""
    first, second = (top_quarter(traces.chosen[domain][layer]) for domain in (one, other))
    return len(first & second) / len(first | second)


def mean_overlap(traces: Traces, one: str, other: str) -> float:
    """Over the layers."""
    return sum(overlap(traces, layer, one, other) for layer in range(traces.layers)) / traces.layers


def report(traces: Traces) -> str:
    """The numbers in lines of text."""
    lines = [f"layers where the top quarter serves over half of every domain: {specialised_layers(traces)}"]
    counts = specialised_counts(traces)
    for domain in traces.domains:
        mean = sum(map(top_quarter_share, traces.chosen[domain])) / traces.layers
        lines.append(
            f"{domain}: {traces.tokens[domain]} tokens, top quarter serves {mean:.0%}, over half in {counts[domain]} layers"
        )
    for place, one in enumerate(traces.domains):
        lines += [f"{one} and {other}: overlap {mean_overlap(traces, one, other):.2f}" for other in traces.domains[:place]]
    off = ", ".join(f"{traces.mean_share_off(layer):.0%}" for layer in range(traces.layers))
    return "\n".join([*lines, f"neurons off: {traces.mean_share_off():.1%}; by layer {off}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli", type=Path, help="coterie-cli")
    parser.add_argument("model", type=Path, help="the GGUF file")
    parser.add_argument("--out", type=Path, default=Path("build/guide/traces.json"))
    parser.add_argument("--texts", type=int, default=TEXTS, help="texts of each domain")
    arguments = parser.parse_args()
    traces = collect(arguments.cli, arguments.model, domain_texts(count=arguments.texts))
    traces.save(arguments.out)
    print(report(traces))


if __name__ == "__main__":
    main()
