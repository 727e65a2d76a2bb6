// SPDX-License-Identifier: Apache-2.0
// Pictures of formatted answers: every kind of block, with code, tables, formulas and links.
#include "shots.h"

namespace coterie::tests {
namespace {

const char* const kFormatted =
    "# Expert caches\n\nA **Mixture-of-Experts** model keeps many small networks, the *experts*, and a router that "
    "picks "
    "`k` of them for every token. See [the paper](https://example.org/moe) or https://example.org/cache for more; "
    "~~all experts~~ only some are in memory.\n\n"
    "## What happens for a token\n\n"
    "1. The router scores all experts with `softmax(Wx)`.\n"
    "2. The best ones are pinned:\n"
    "   - those in memory at once,\n"
    "   - the others after a read from disk, which takes about 3 ms for each and can be hidden behind attention if the "
    "disk is fast.\n"
    "3. Their outputs are added up.\n\n"
    "- [x] Measure the hit rate\n- [ ] Raise the budget\n\n"
    "### Costs\n\n"
    "| Model | Experts | Size | Note |\n|:--|--:|:-:|---|\n"
    "| Small | 32 | 2.1 GB | fits into **memory** |\n| Middle | 64 | 8.4 GB | one read in eight comes from disk |\n"
    "| Large | 128 | 21 GB | `prefetch` helps |\n\n"
    "> A cache is useful if few experts are needed often.\n>\n> > And if they stay the same for a while.\n\n"
    "```python\ndef route(scores, k):\n    # the k best experts\n    best = sorted(range(len(scores)), key=lambda e: "
    "-scores[e])[:k]\n    total = sum(scores[e] for e in best)\n    return [(e, scores[e] / total) for e in "
    "best]\n```\n\n"
    "---\n\nThe weights are $w_i = \\frac{s_i}{\\sum_j s_j}$, and the output is\n\n"
    "$$y = \\sum_{i=1}^{k} w_i E_i(x)$$\n\nSo the weights add up to one.";

const char* const kWide =
    "| Layer | Expert | Requests | Hits | Misses | Bytes read | Waiting | First token | Last token | Remark |\n"
    "|--|--|--|--|--|--|--|--|--|--|\n"
    "| 1 | 17 | 120 | 118 | 2 | 4.2 MB | 6 ms | Once | upon | It is needed for names of people and places |\n"
    "| 2 | 3 | 98 | 98 | 0 | 0 B | 0 ms | a | time | |\n\n"
    "1. One\n2. Two\n\n   A second paragraph of the item, which is long enough to need another line on a narrow "
    "screen.\n\n   ```sh\n   coterie-cli info model.gguf\n   ```\n3. Three\n";

void show(WindowFixture& fixture, const char* answer) {
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        addChat(*store.value(), QStringLiteral("Expert caches"), {{"How does an expert cache work?", answer}});
    }
    startWithModel(fixture);
    openChat(fixture, 0);
}

void formatted(WindowFixture& fixture) { show(fixture, kFormatted); }

} // namespace

QList<Shot> textShots() {
    const auto wide = [](WindowFixture& fixture) { show(fixture, kWide); };
    return {
        {.name = "formatted", .size = {1180, 1560}, .prepare = formatted},
        {.name = "formatted-dark", .size = {1180, 1560}, .theme = "dark", .prepare = formatted},
        {.name = "formatted-narrow", .size = {480, 1900}, .prepare = formatted},
        {.name = "formatted-large", .size = {1180, 2400}, .scale = 1.6, .prepare = formatted},
        {.name = "formatted-wide-table", .prepare = wide},
        {.name = "formatted-wide-table-dark", .size = {640, 780}, .theme = "dark", .prepare = wide},
    };
}

} // namespace coterie::tests
