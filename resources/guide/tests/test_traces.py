# SPDX-License-Identifier: Apache-2.0
"""Tests of what traces add up to."""

import sys
import tempfile
import unittest
from pathlib import Path

from guide import traces as module
from guide.traces import Traces, collect, domain_texts, overlap, specialised_counts, specialised_layers, top_quarter_share

# A program that writes a trace with as many tokens as its prompt has letters, and one that the model made up.
PROGRAM = f"""#!{sys.executable}
import sys
trace, model, *options = sys.argv[1:]
assert trace == "trace" and model == "model.gguf" and "--raw" in options
out = options[options.index("--out") + 1]
prompt = next(option for option in options if option.startswith("--prompt=")).removeprefix("--prompt=")
with open(out, "w", encoding="utf-8") as file:
    print("position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows", file=file)
    for position, letter in enumerate(prompt + "!"):
        shown = letter.replace('"', '""')
        print(f'{{position}},7,"{{shown}}",{{int(position < len(prompt))}},0,0,{{position % 2}},1.0,1,3,0.0,0', file=file)
"""


def made(**counts: list[list[int]]) -> Traces:
    """Traces with these choices, of four neurons an expert, of which one is on."""
    first = next(iter(counts.values()))
    traces = Traces(layers=len(first), experts=len(first[0]), width=4)
    for domain, chosen in counts.items():
        traces.open(domain)
        traces.chosen[domain] = chosen
        traces.active[domain] = [[0, sum(layer), 0, 0, 0] for layer in chosen]
    return traces


class Shares(unittest.TestCase):
    """Tests the figures that are computed from counts."""

    def test_top_quarter_share_of_made_counts(self) -> None:
        self.assertEqual(top_quarter_share([5] * 16), 0.25)
        self.assertEqual(top_quarter_share([0, 0, 0, 9, 0, 0, 0, 0]), 1)
        self.assertEqual(top_quarter_share([10, 1, 30, 2, 3, 40, 4, 10]), 0.7)
        self.assertEqual(top_quarter_share([0] * 16), 0)

    def test_a_layer_is_specialised_where_every_domain_is(self) -> None:
        traces = made(code=[[9, 1, 1, 1], [9, 1, 1, 1], [3, 3, 3, 3]], stories=[[1, 9, 1, 1], [2, 2, 2, 2], [1, 2, 1, 1]])
        self.assertEqual(specialised_layers(traces), [0])
        self.assertEqual(specialised_counts(traces), {"code": 2, "stories": 1})

    def test_exactly_half_is_not_over_half(self) -> None:
        self.assertEqual(specialised_layers(made(code=[[3, 1, 1, 1]])), [])

    def test_overlap_is_of_the_top_quarters(self) -> None:
        traces = made(code=[[9, 8, 0, 0, 0, 0, 0, 1]], stories=[[0, 9, 8, 0, 0, 0, 0, 1]], french=[[0, 0, 0, 1, 1, 0, 0, 0]])
        self.assertEqual(overlap(traces, 0, "code", "code"), 1)
        self.assertEqual(overlap(traces, 0, "code", "stories"), 1 / 3)
        self.assertEqual(overlap(traces, 0, "code", "french"), 0)

    def test_shares_of_neurons_off(self) -> None:
        traces = made(code=[[2, 0, 0, 0], [1, 0, 0, 0]])
        traces.active["code"] = [[1, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
        self.assertEqual(traces.shares_off(0), [0, 1])
        self.assertEqual(traces.shares_off(1), [0.75])
        self.assertEqual(traces.mean_share_off(0), 0.5)
        self.assertAlmostEqual(traces.mean_share_off(), 1.75 / 3)
        self.assertEqual(Traces().mean_share_off(), 0)


class Files(unittest.TestCase):
    """Collecting, saving, loading."""

    def test_what_is_saved_is_loaded(self) -> None:
        traces = made(code=[[1, 2, 3, 4]], french=[[4, 3, 2, 1]])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "new", "traces.json")
            traces.save(path)
            self.assertEqual(Traces.load(path), traces)

    def test_only_tokens_of_the_prompt_count(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "program")
            program.write_text(PROGRAM, encoding="utf-8")
            program.chmod(0o755)
            texts = {"code": ["abc", '- "x"\n'], "french": ["é"]}
            traces = collect(program, Path("model.gguf"), texts, layers=1, experts=2, width=4)
        self.assertEqual(traces.tokens, {"code": 9, "french": 1})
        self.assertEqual(traces.chosen, {"code": [[5, 4]], "french": [[1, 0]]})
        self.assertEqual(traces.active, {"code": [[0, 0, 0, 9, 0]], "french": [[0, 0, 0, 1, 0]]})

    def test_rows_without_an_expert_are_left_out(self) -> None:
        traces = Traces()
        traces.open("code")
        traces.add("code", [{"position": "0", "prompt": "1", "layer": "", "expert": "", "active_neurons": ""}])
        self.assertEqual(traces.tokens, {"code": 0})


class Texts(unittest.TestCase):
    """The texts of the domains."""

    def test_every_domain_has_its_texts_and_a_seed_gives_the_same(self) -> None:
        texts = domain_texts()
        self.assertEqual(tuple(texts), module.DOMAINS)
        self.assertEqual({len(of_domain) for of_domain in texts.values()}, {module.TEXTS})
        self.assertEqual(domain_texts(), texts)
        self.assertNotEqual(domain_texts(seed=1), texts)


if __name__ == "__main__":
    unittest.main()
