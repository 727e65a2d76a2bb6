# SPDX-License-Identifier: Apache-2.0
"""Tests of the figures."""

import tempfile
import unittest
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from guide.figures import MOST_SHARE, SCALE, Box, box_of, colour, draw, experts_svg, quantile, sparsity_svg
from guide.traces import DOMAINS, Traces

SVG = "{http://www.w3.org/2000/svg}"


def made(domains: tuple[str, ...] = DOMAINS) -> Traces:
    """Traces of random numbers."""
    random = Random(1)
    traces = Traces()
    for domain in domains:
        traces.open(domain)
        traces.chosen[domain] = [[random.randint(0, 99) for _ in range(traces.experts)] for _ in range(traces.layers)]
        for layer in range(traces.layers):
            for _ in range(50):
                traces.active[domain][layer][random.randint(10, 70)] += 1
    return traces


def groups(svg: str, name: str) -> list[ElementTree.Element]:
    return [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.get("class") == name]


class Numbers(unittest.TestCase):
    """Tests the drawings."""

    def test_quartiles_of_a_known_list(self) -> None:
        values = [float(value) for value in range(100, -1, -1)]
        self.assertEqual(box_of(values), Box(5, 25, 50, 75, 95))
        self.assertEqual(box_of([0.5]), Box(0.5, 0.5, 0.5, 0.5, 0.5))

    def test_a_quantile_between_two_values(self) -> None:
        self.assertEqual(quantile([1, 2, 4, 8], 0.5), 3)
        self.assertEqual(quantile([1, 2, 4, 8], 0.25), 1.75)
        self.assertEqual(quantile([1, 2, 4, 8], 1), 8)

    def test_the_scale_goes_from_light_to_dark(self) -> None:
        self.assertEqual(colour(0), SCALE[0])
        self.assertEqual(colour(MOST_SHARE), SCALE[-1])
        self.assertEqual(colour(1), SCALE[-1])
        brightness = [int(colour(share / 100)[3:5], 16) for share in range(31)]
        self.assertEqual(brightness, sorted(brightness, reverse=True))


class Files(unittest.TestCase):
    """The files: well-formed, complete, small."""

    def test_a_square_for_each_expert_of_each_layer_of_each_domain(self) -> None:
        panels = groups(experts_svg(made()), "panel")
        self.assertEqual(len(panels), len(DOMAINS))
        for panel in panels:
            places = {(rect.get("x"), rect.get("y")) for rect in panel.iter(f"{SVG}rect")}
            self.assertEqual(places, {(str(x), str(y)) for x in range(16) for y in range(8)})
            self.assertEqual(len(list(panel.iter(f"{SVG}rect"))), 16 * 8)

    def test_a_box_for_each_layer(self) -> None:
        boxes = groups(sparsity_svg(made()), "box")
        self.assertEqual([len(list(box.iter(f"{SVG}rect"))) for box in boxes], [1] * 8)

    def test_empty_layers_have_no_box(self) -> None:
        empty = Traces()
        empty.open("code")
        self.assertEqual(groups(sparsity_svg(empty), "box"), [])
        self.assertEqual(len(groups(experts_svg(empty), "panel")), 1)

    def test_names_are_escaped(self) -> None:
        svg = experts_svg(made(("a < b & c",)))
        self.assertIn("A < b & c", [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")])

    def test_the_same_traces_give_the_same_small_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            draw(made(), Path(folder, "new"))
            for name, svg in (("experts.svg", experts_svg(made())), ("sparsity.svg", sparsity_svg(made()))):
                written = Path(folder, "new", name).read_text(encoding="utf-8")
                self.assertEqual(written, svg)
                self.assertLess(len(written.encode()), 64 * 1024)


if __name__ == "__main__":
    unittest.main()
