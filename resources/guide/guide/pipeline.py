# SPDX-License-Identifier: Apache-2.0
"""From a seed to the finished file and its report. Each step keeps its result in the work folder and is not done twice."""

import argparse
import hashlib
import json
import os
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import torch

from . import predictor as head
from .bpe import Bpe
from .card import write_card
from .corpus import Stage
from .engine import Engine
from .evaluation import SEED, Score, scores
from .export import export, restore
from .figures import draw
from .likelihood import held_out_documents, perplexity
from .model import Guide
from .traces import Traces, collect, domain_texts
from .train import Recipe, Training

HOME = Path(__file__).parent.parent
REPOSITORY = HOME.parent.parent

SMOKE_STAGES = (
    (Stage("texts and conversations", plain=0.25, length=256, most_exchanges=4, answers_only=False), 20),
    (Stage("conversations", plain=0.0, length=256, most_exchanges=3, answers_only=True), 10),
    (Stage("long conversations", plain=0.0, length=1024, most_exchanges=16, answers_only=True), 10),
    (Stage("brush-up", plain=0.0, length=256, most_exchanges=3, answers_only=True), 10),
)


class Pipeline:
    """The steps, in their order."""

    def __init__(self, recipe: Recipe, work: Path, program: Path, share: float) -> None:
        """share: of the usual effort for the predictor and the evaluation."""
        self.recipe, self.work, self.program, self.share = recipe, work, program, share
        self.shipped, self.exact = work / "guide.gguf", work / "guide-f32.gguf"

    def train(self) -> None:
        training = Training(self.recipe, self.work)
        training.run()
        self.model: Guide = training.model
        self.bpe: Bpe = training.bpe
        self.minutes = training.seconds / 60

    def train_predictor(self) -> None:
        path = self.work / "predictor.pt"
        if not path.exists():
            print("the head predictor", flush=True)
            tokens, steps = round(400_000 * self.share), round(1500 * self.share)
            found = head.train(self.model, self.bpe, self.recipe.seed, tokens=tokens, steps=steps)
            torch.save(asdict(found), path)
        self.predictor = head.Predictor(**torch.load(path))

    def export(self) -> None:
        export(self.model, self.bpe, self.predictor, self.shipped, quantise=True)
        export(self.model, self.bpe, self.predictor, self.exact, quantise=False)

    def report(self) -> dict:
        """Everything that is said of the file, measured on it."""
        shipped, exact = Engine(self.program, self.shipped), Engine(self.program, self.exact)
        found = scores(shipped, self.share, tell)
        documents = held_out_documents(self.bpe, max(4, round(40 * self.share)))
        rounded, predictor = restore(self.shipped, self.recipe.shape)
        states = head.final_states(rounded, self.bpe, Random(f"{SEED} states"), round(40_000 * self.share))
        traces = collect(self.program, self.shipped, domain_texts(count=max(4, round(40 * self.share))))
        traces.save(self.work / "traces.json")
        return {
            "sha256": hashlib.sha256(self.shipped.read_bytes()).hexdigest(),
            "bytes": self.shipped.stat().st_size,
            "parameters": sum(parameter.numel() for parameter in self.model.parameters()),
            "training": {
                "tokens": self.recipe.steps * self.recipe.batch_tokens,
                "steps": self.recipe.steps,
                "minutes": round(self.minutes, 1),
                "processors": os.cpu_count(),
            },
            "abilities": [asdict(score) for score in found],
            "perplexity": {"float": perplexity(exact, documents), "shipped": perplexity(shipped, documents)},
            "predictor": asdict(head.agreement(predictor, rounded.embedding, states)),
        }

    def run(self) -> None:
        self.work.mkdir(parents=True, exist_ok=True)
        self.train()
        self.train_predictor()
        self.export()
        path = self.work / "report.json"
        path.write_text(json.dumps(self.report(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    def place(self, home: Path) -> None:
        """Puts the file, its report and its figures where they are committed."""
        shutil.copy(self.shipped, home / "guide.gguf")
        shutil.copy(self.work / "report.json", home / "report.json")
        shutil.copy(self.work / "traces.json", home / "traces.json")
        draw(Traces.load(home / "traces.json"), home / "figures")
        write_card(home)


def tell(score: Score) -> None:
    print(f"{score.ability}: {score.right} of {score.asked}, {score.share:.1%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="resources/guide/make", description="Trains the guide from a seed, exports and evaluates it.")
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    parser.add_argument("--work", type=Path, default=REPOSITORY / "build/guide", help="checkpoints and results; goes on from there")
    parser.add_argument("--program", type=Path, default=REPOSITORY / "build/release/bin/coterie-cli", help="the engine that evaluates")
    parser.add_argument("--keep", action="store_true", help="leave the committed file and its card as they are")
    parser.add_argument("--smoke", action="store_true", help="every step, in two minutes: shows that it works; implies --keep")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        raise SystemExit(f"error: {arguments.program} is not there; it evaluates the file; build the program, or give --program")
    torch.set_num_threads(os.cpu_count() or 1)
    recipe = Recipe(seed=arguments.seed)
    if arguments.smoke:
        recipe = replace(recipe, stages=SMOKE_STAGES, chapter=10, warm_up=10, tokenizer_documents=1500)
    pipeline = Pipeline(recipe, arguments.work, arguments.program, share=0.02 if arguments.smoke else 1.0)
    pipeline.run()
    if not arguments.smoke and not arguments.keep:
        pipeline.place(HOME)
