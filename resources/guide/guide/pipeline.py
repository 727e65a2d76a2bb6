# SPDX-License-Identifier: Apache-2.0
"""From a seed, or the committed file, to the finished file and its report. Each step keeps its result in the work folder."""

import argparse
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
from .train import Recipe, Training, digest, mean_of, refreshed

HOME = Path(__file__).parent.parent
REPOSITORY = HOME.parent.parent

SMOKE_STAGES = (
    (Stage("texts and conversations", plain=0.25, length=256, most_exchanges=4, answers_only=False), 20),
    (Stage("conversations", plain=0.0, length=256, most_exchanges=3, answers_only=True), 10),
    (Stage("long conversations", plain=0.0, length=1024, most_exchanges=16, answers_only=True), 10),
    (Stage("brush-up", plain=0.0, length=256, most_exchanges=3, answers_only=True), 10),
)
SMOKE_SHARE = 0.02


def history(start: Path) -> dict:
    """Returns what the report beside a finished file says about its training."""
    path = start.with_name("report.json")
    report = json.loads(path.read_text(encoding="utf-8"))
    if report["sha256"] != digest(start):
        raise SystemExit(f"error: {path} is about another file than {start.name}; the two are committed together; restore both")
    return report["training"]


class Pipeline:
    """The steps, in their order."""

    def __init__(self, recipes: tuple[Recipe, ...], work: Path, program: Path, share: float, start: Path | None) -> None:
        """recipes: the file has the mean of their networks; share: of the usual effort for the predictor and the evaluation; start: the
        file that a refresh goes on from."""
        self.recipes, self.work, self.program, self.share, self.start = recipes, work, program, share, start
        self.recipe = recipes[0]  # for what they have in common
        self.history = history(start) if start else {}
        self.shipped, self.exact = work / "guide.gguf", work / "guide-f32.gguf"

    def train(self) -> None:
        trainings = [Training(recipe, self.folder_of(number), self.start) for number, recipe in enumerate(self.recipes)]
        for training in trainings:
            training.run()
        self.model: Guide = mean_of([training.model for training in trainings])
        self.bpe: Bpe = trainings[0].bpe
        self.minutes = sum(training.seconds for training in trainings) / 60

    def folder_of(self, number: int) -> Path:
        """The folder of a training; several have one each."""
        folder = self.work if len(self.recipes) == 1 else self.work / str(number + 1)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def train_predictor(self) -> None:
        path = self.work / "predictor.pt"
        if not path.exists():
            print("the head predictor", flush=True)
            tokens, steps = round(400_000 * self.share), round(1500 * self.share)
            start = restore(self.start, self.recipe.shape)[1] if self.start else None
            found = head.train(self.model, self.bpe, self.recipe.seed, start, tokens=tokens, steps=steps)
            torch.save(asdict(found), path)
        self.predictor = head.Predictor(**torch.load(path))

    def export(self) -> None:
        export(self.model, self.bpe, self.predictor, self.shipped, quantise=True)
        export(self.model, self.bpe, self.predictor, self.exact, quantise=False)

    def training(self) -> dict:
        """The last full training, and the refreshes since."""
        done = {
            "tokens": sum(recipe.steps * recipe.batch_tokens for recipe in self.recipes),
            "steps": sum(recipe.steps for recipe in self.recipes),
            "minutes": round(self.minutes, 1),
            "processors": os.cpu_count(),
        }
        if not self.history:
            return done
        return self.history | {"refreshes": [*self.history.get("refreshes", ()), done]}

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
            "sha256": digest(self.shipped),
            "bytes": self.shipped.stat().st_size,
            "parameters": sum(parameter.numel() for parameter in self.model.parameters()),
            "training": self.training(),
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


def arguments_of_main() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="resources/guide/make", description="Trains the guide, exports and evaluates it.")
    parser.add_argument("--refresh", action="store_true", help="go on from the committed file instead of nothing: learn corrected texts")
    parser.add_argument("--seed", type=int, default=Recipe.seed)
    parser.add_argument("--work", type=Path, help="checkpoints and results; goes on from there; else build/guide, or a folder in it for a refresh")
    parser.add_argument("--program", type=Path, default=REPOSITORY / "build/release/bin/coterie-cli", help="the engine that evaluates")
    parser.add_argument("--keep", action="store_true", help="leave the committed file and its card as they are")
    parser.add_argument("--smoke", action="store_true", help="every step, in two minutes: shows that it works; implies --keep")
    return parser.parse_args()


def main() -> None:
    arguments = arguments_of_main()
    if not arguments.program.exists():
        raise SystemExit(f"error: {arguments.program} is not there; it evaluates the file; build the program, or give --program")
    torch.set_num_threads(os.cpu_count() or 1)
    start = HOME / "guide.gguf" if arguments.refresh else None
    recipes = tuple(replace(recipe, seed=arguments.seed) for recipe in (refreshed(start) if start else (Recipe(),)))
    if arguments.smoke:
        # A refresh needs no first stage, which teaches to write at all.
        stages = SMOKE_STAGES[1:] if arguments.refresh else SMOKE_STAGES
        recipes = tuple(replace(recipe, stages=stages, chapter=10, warm_up=10, tokenizer_documents=1500) for recipe in recipes)
    work = arguments.work or REPOSITORY / "build/guide" / recipes[0].start[:8]  # each refresh has a folder of its own
    pipeline = Pipeline(recipes, work, arguments.program, SMOKE_SHARE if arguments.smoke else 1.0, start)
    pipeline.run()
    if not arguments.smoke and not arguments.keep:
        pipeline.place(HOME)
