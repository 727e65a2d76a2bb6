# SPDX-License-Identifier: Apache-2.0
"""Figures of the traces as SVG: the experts that each kind of text calls on, and the neurons that stay off.

They are drawn on a card of their own, so that they read well on light and on dark pages.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from .traces import Traces, top_quarter_share

# The program's light colours.
CARD, TEXT, QUIET, LINE, MARK = "#ffffff", "#1f1e1c", "#66625b", "#e6e3dd", "#857f76"
EMBER, EMBER_LIGHT, WATER = "#b0501a", "#f3d9c6", "#2b7483"
SCALE = ("#fbf7f2", "#f6dcc4", "#e9a878", "#cf6e34", "#9a4415", "#4d1f0a")  # from none to most

WIDTH = 832
LEFT, RIGHT = 56, 24  # margins
CELL = 15
COLUMNS = 3
GAP = 16  # between panels
PANEL_HEAD = 22  # for a panel's title
MOST_SHARE = 0.3  # the end of the colour scale; larger shares look the same
STEPS = 48  # colours in the scale


@dataclass(frozen=True)
class Box:
    """The figures of a box plot."""

    low: float  # 5 % of the values are below
    quarter: float
    median: float
    three_quarters: float
    high: float  # 5 % are above


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of them are, between two neighbours in a straight line."""
    place = share * (len(ordered) - 1)
    before = int(place)
    after = min(before + 1, len(ordered) - 1)
    return ordered[before] + (ordered[after] - ordered[before]) * (place - before)


def box_of(values: Sequence[float]) -> Box:
    ordered = sorted(values)
    return Box(*(quantile(ordered, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)))


def colour(share: float) -> str:
    """Returns a colour of the scale: the lightest for 0, the darkest for `MOST_SHARE` and more."""
    place = round(min(max(share / MOST_SHARE, 0.0), 1.0) * STEPS) / STEPS * (len(SCALE) - 1)
    before = min(int(place), len(SCALE) - 2)
    pairs = ((int(SCALE[before][at : at + 2], 16), int(SCALE[before + 1][at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(low + (high - low) * (place - before)):02x}" for low, high in pairs)


def number(value: float) -> str:
    """At most two places, no zeros at the end."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def percent(share: float, places: int = 0) -> str:
    return f"{share * 100:.{places}f} %"


def text(x: float, y: float, content: str, style: str = "", anchor: str = "") -> str:
    """style: classes; anchor: middle or end."""
    attributes = (f' class="{style}"' if style else "") + (f' text-anchor="{anchor}"' if anchor else "")
    return f'<text x="{number(x)}" y="{number(y)}"{attributes}>{escape(content)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, attributes: str) -> str:
    return f'<path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" {attributes}/>'


def card(height: float, title: str, subtitle: str, body: Sequence[str]) -> str:
    """The whole file: a card with its title."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{number(height)}" '
            f'viewBox="0 0 {WIDTH} {number(height)}" role="img" aria-labelledby="t d">',
            f'<title id="t">{escape(title)}</title>',
            f'<desc id="d">{escape(subtitle)}</desc>',
            "<style>text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;"
            f"fill:{QUIET}}}.h{{font-size:16px;font-weight:600;fill:{TEXT}}}.s{{font-size:12px}}"
            f".p{{font-size:13px;font-weight:600;fill:{TEXT}}}.m{{fill:{WATER};font-weight:600}}</style>",
            f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{number(height - 1)}" rx="10" fill="{CARD}" stroke="{LINE}"/>',
            text(LEFT, 34, title, "h"),
            text(LEFT, 54, subtitle, "s"),
            *body,
            "</svg>",
            "",
        ]
    )


def cells(counts: Sequence[Sequence[int]]) -> list[str]:
    """A square of size 1 for each expert in a row for each layer; those of a colour stand together."""
    squares: dict[str, list[str]] = {}
    for layer, of_layer in enumerate(counts):
        total = max(1, sum(of_layer))
        for expert, count in enumerate(of_layer):
            square = f'<rect x="{expert}" y="{layer}" width="1" height="1"/>'
            squares.setdefault(colour(count / total), []).append(square)
    return [f'<g fill="{fill}">{"".join(same)}</g>' for fill, same in squares.items()]


def grid(columns: int, rows: int) -> str:
    """The gaps between cells, as lines in the colour of the card."""
    across = "".join(f"M0 {row * CELL}H{columns * CELL}" for row in range(rows + 1))
    down = "".join(f"M{column * CELL} 0V{rows * CELL}" for column in range(columns + 1))
    return f'<defs><path id="g" d="{across}{down}" stroke="{CARD}"/></defs>'


def panel(traces: Traces, domain: str, x: float, y: float, wide: float) -> list[str]:
    """A domain's heatmap; its upper left cell is at (x, y)."""
    counts = traces.chosen[domain]
    served = sum(map(top_quarter_share, counts)) / traces.layers
    return [
        text(x, y - 7, domain.capitalize(), "p"),
        text(x + wide, y - 7, f"top quarter: {percent(served)}", anchor="end"),
        f'<g class="panel" transform="translate({number(x)} {number(y)}) scale({CELL})">',
        *cells(counts),
        "</g>",
        f'<use href="#g" x="{number(x)}" y="{number(y)}"/>',
    ]


def layer_labels(traces: Traces, x: float, y: float) -> list[str]:
    """The numbers of the layers, to the left of a panel at (x, y)."""
    middle = y + traces.layers * CELL / 2
    numbers = [text(x - 6, y + (layer + 0.5) * CELL + 4, str(layer), anchor="end") for layer in range(traces.layers)]
    turned = f'<text transform="translate({number(x - 24)} {number(middle)}) rotate(-90)" text-anchor="middle">layer</text>'
    return [*numbers, turned]


def expert_labels(traces: Traces, x: float, y: float) -> list[str]:
    """The numbers of some experts, below a panel that ends at y."""
    ticks = range(0, traces.experts, 5)
    numbers = [text(x + (expert + 0.5) * CELL, y + 14, str(expert), anchor="middle") for expert in ticks]
    return [*numbers, text(x + traces.experts * CELL / 2, y + 29, "expert", anchor="middle")]


def legend(experts: int, right: float, y: float) -> list[str]:
    """The colours with their shares, up to `right`."""
    wide, high = 240, 10
    x = right - wide
    last = len(SCALE) - 1
    stops = "".join(f'<stop offset="{number(place / last)}" stop-color="{fill}"/>' for place, fill in enumerate(SCALE))
    even = x + wide / experts / MOST_SHARE
    return [
        f'<defs><linearGradient id="c">{stops}</linearGradient></defs>',
        text(x - 12, y + high - 1, "share of the layer's choices", anchor="end"),
        f'<rect x="{number(x)}" y="{number(y)}" width="{wide}" height="{high}" fill="url(#c)"/>',
        line(even, y - 2, even, y + high + 3, f'stroke="{TEXT}"'),
        text(x, y + high + 15, "0", anchor="middle"),
        text(even, y + high + 15, f"even: {number(100 / experts)} %", anchor="middle"),
        text(x + wide * 0.5, y + high + 15, percent(MOST_SHARE / 2), anchor="middle"),
        text(right, y + high + 15, f"{percent(MOST_SHARE)} or more", anchor="end"),
    ]


def experts_svg(traces: Traces) -> str:
    """Small heatmaps of how often each expert was chosen, one for each domain."""
    wide, high = traces.experts * CELL, traces.layers * CELL
    body = [grid(traces.experts, traces.layers)]
    top = 72 + PANEL_HEAD
    for place, domain in enumerate(traces.domains):
        column, row = place % COLUMNS, place // COLUMNS
        x, y = LEFT + column * (wide + GAP), top + row * (high + PANEL_HEAD + GAP)
        body += panel(traces, domain, x, y, wide)
        if column == 0:
            body += layer_labels(traces, x, y)
        if place + COLUMNS >= len(traces.domains):
            body += expert_labels(traces, x, y + high)
    rows = -(-len(traces.domains) // COLUMNS)
    bottom = top + rows * (high + PANEL_HEAD + GAP) - PANEL_HEAD - GAP
    body += legend(traces.experts, LEFT + COLUMNS * wide + (COLUMNS - 1) * GAP, bottom + 46)
    subtitle = "How often the tokens of a text choose each expert. Top quarter: share of the most used quarter, mean of the layers."
    return card(bottom + 46 + 44, "Which experts serve which kind of text", subtitle, body)


def box_svg(box: Box, x: float, y_of, half: float) -> list[str]:
    """One box around x; y_of(share): its height on the page."""
    low, quarter, median, upper, high = map(y_of, (box.low, box.quarter, box.median, box.three_quarters, box.high))
    thin = f'stroke="{MARK}"'
    return [
        '<g class="box">',
        line(x, upper, x, high, thin),
        line(x, quarter, x, low, thin),
        line(x - half / 3, high, x + half / 3, high, thin),
        line(x - half / 3, low, x + half / 3, low, thin),
        f'<rect x="{number(x - half)}" y="{number(upper)}" width="{number(2 * half)}" height="{number(quarter - upper)}" '
        f'rx="2" fill="{EMBER_LIGHT}" stroke="{EMBER}"/>',
        line(x - half, median, x + half, median, f'stroke="{EMBER}" stroke-width="2.5"'),
        "</g>",
    ]


def sparsity_svg(traces: Traces) -> str:
    """A box for each layer: the share of neurons that are off in an expert that a token chose."""
    top, high = 76, 240
    left, right = LEFT, WIDTH - RIGHT - 84

    def y_of(share: float) -> float:
        return top + (1 - share) * high

    body = []
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        y = y_of(share)
        body += [line(left, y, right, y, f'stroke="{LINE}"'), text(left - 8, y + 4, percent(share), anchor="end")]
    step = (right - left) / traces.layers
    for layer in range(traces.layers):
        x = left + (layer + 0.5) * step
        shares = traces.shares_off(layer)
        body += box_svg(box_of(shares), x, y_of, 20) if shares else []
        body.append(text(x, top + high + 17, str(layer), anchor="middle"))
    mean = traces.mean_share_off()
    y = y_of(mean)
    body += [
        line(left, y, right, y, f'stroke="{WATER}" stroke-width="1.5" stroke-dasharray="5 4"'),
        text(right + 8, y + 4, f"mean {percent(mean, 1)}", "m"),
        text((left + right) / 2, top + high + 35, "layer", anchor="middle"),
    ]
    subtitle = "Share of neurons off in a chosen expert, per token. Line: median; box: 25 to 75 %; whiskers: 5 to 95 % of cases."
    return card(top + high + 54, "How many neurons stay off", subtitle, body)


def draw(traces: Traces, folder: Path) -> None:
    """Writes experts.svg and sparsity.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "experts.svg").write_text(experts_svg(traces), encoding="utf-8")
    (folder / "sparsity.svg").write_text(sparsity_svg(traces), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the figures go")
    parser.add_argument("--traces", type=Path, default=Path("build/guide/traces.json"))
    arguments = parser.parse_args()
    draw(Traces.load(arguments.traces), arguments.folder)


if __name__ == "__main__":
    main()
