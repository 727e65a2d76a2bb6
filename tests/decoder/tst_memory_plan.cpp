// SPDX-License-Identifier: Apache-2.0
// How a budget is divided: never more than allowed, which parts give way first, and the error if nothing fits.
#include "decoder/loaded_model.h"
#include "decoder/sequence_memory.h"
#include "decoder/tiny_families.h"
#include "decoder/workspace.h"
#include "experts/slot_layout.h"
#include "model/model_tensors.h"

#include <QtTest>

#include <set>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kHeld = 8 * kMiB;

struct Read {
    std::string bytes;
    gguf::Header header;
    ModelShape shape;
};

std::unique_ptr<Read> read(const TinyModelOptions& options) {
    auto read = std::make_unique<Read>();
    TinyModelOptions header = options;
    header.weights = false;
    read->bytes = makeTinyModel(header).bytes;
    read->header = gguf::parse(std::as_bytes(std::span(read->bytes)), read->bytes.size()).value();
    read->shape = readModelShape(read->header).value();
    return read;
}

TinyModelOptions sparse(int64_t context = 16384) {
    return {.architecture = "smallthinker",
            .layers = 6,
            .width = 256,
            .heads = 8,
            .feedForward = 256,
            .experts = 16,
            .context = context,
            .transposedDown = true,
            .headPredictorRank = 1,
            .tied = false};
}

/// This model is read only once, because it is the largest.
const Read* usual() {
    static const std::unique_ptr<Read> model = read(sparse());
    return model.get();
}

Result<MemoryPlan> plan(const Read& model, uint64_t budget, int64_t context = 0, int threads = 2) {
    return planMemory(model.shape, model.header,
                      {.budget = budget, .context = context, .threads = threads, .held = kHeld});
}

} // namespace

class MemoryPlanTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void neverMoreThanTheBudget();
    void everythingWhereThereIsRoom();
    void contextGivesWayToExperts();
    void namedContextIsKept();
    void contextBeyondTheTrainedOne();
    void tooLittleSaysHowMuch();
    void whatIsNeededIsEnoughAndNoMore_data();
    void whatIsNeededIsEnoughAndNoMore();
    void comfortableIsTwoTokenCycles();
    void aSlotIsGainedForItsPrice();
    void roomForTheFormsInUseAlone();
    void whatTheProcessHoldsCounts();
    void windowsBoundTheCache();
    void denseLayersAreSlots();
    void denseModelsLargerThanTheBudget();
    void denseLayersBesideExperts();
    void smallerLayersCountAsTheyAre();
    void smallerExpertsHaveSmallSlots_data();
    void smallerExpertsHaveSmallSlots();
    void hugeContextsDoNotWrap();
    void automaticLeavesTheSystemRoom();
    void theSystemIsAskedOnlyForWhatIsMissing();
    void theTokenizerCounts();
    void whatIsPlannedIsWhatIsAllocated_data();
    void whatIsPlannedIsWhatIsAllocated();
    void whatAFamilyAddsIsCounted();
    void contextBeyondTheTrainedOneIsPlanned();
    void longChunksWhereExpertsComeFromDisk();
    void longRingsAreLentToo();
    void aChunkCanBeForced();
};

void MemoryPlanTest::neverMoreThanTheBudget() {
    const Read* model = usual();
    bool some = false;
    for (uint64_t budget = 40 * kMiB; budget < 400 * kMiB; budget += 3 * kMiB / 2) {
        const auto p = plan(*model, budget);
        if (!p) continue;
        some = true;
        QVERIFY(p->total() <= budget);
        QVERIFY(p->slots >= p->minimumSlots && p->slots <= p->totalExperts);
        QVERIFY(p->context >= kMinimumAutomaticContext && p->context <= 16384);
        QVERIFY(p->chunk >= 1 && p->chunk <= p->context);
    }
    QVERIFY(some);
}

void MemoryPlanTest::everythingWhereThereIsRoom() {
    const Read* model = usual();
    const auto p = plan(*model, 4096 * kMiB);
    QCOMPARE(p->slots, uint64_t{6 * 16});
    QCOMPARE(p->totalExperts, p->slots);
    QCOMPARE(p->minimumSlots, uint64_t{2});
    QCOMPARE(p->context, 16384);
    QVERIFY(p->embeddingKept);
    QVERIFY(p->slotBytes >= 3 * 256 * 256 * 4);
}

void MemoryPlanTest::contextGivesWayToExperts() {
    const Read* model = usual();
    const MemoryPlan all = plan(*model, 4096 * kMiB).value();
    const auto tight = plan(*model, all.total() - all.keyValue / 2);
    QVERIFY(tight.ok());
    QVERIFY(tight->context < all.context);
    QVERIFY(tight->slots >= 12); // a token's experts
}

void MemoryPlanTest::namedContextIsKept() {
    const Read* model = usual();
    const MemoryPlan all = plan(*model, 4096 * kMiB).value();
    const auto tight = plan(*model, all.total() - 60 * kMiB, 16384);
    QVERIFY2(tight.ok(), tight ? "" : tight.error().line().c_str());
    QCOMPARE(tight->context, 16384);
    QVERIFY(tight->slots < all.slots);
    QVERIFY(!tight->embeddingKept);
    QCOMPARE(plan(*model, 4096 * kMiB, 1)->context, 1);
    QCOMPARE(plan(*model, 4096 * kMiB, 1)->chunk, 1);
}

void MemoryPlanTest::contextBeyondTheTrainedOne() {
    const Read* model = usual();
    for (const int64_t context : {int64_t{16385}, int64_t{-1}, std::numeric_limits<int64_t>::max()})
        QCOMPARE(plan(*model, 4096 * kMiB, context).error().kind, ErrorKind::BadInput);
}

/// The figure in the error is enough, and a little less is not.
void MemoryPlanTest::tooLittleSaysHowMuch() {
    const Read* model = usual();
    const auto refused = plan(*model, kMiB, 2048);
    QCOMPARE(refused.error().kind, ErrorKind::OutOfMemory);
    const QRegularExpressionMatch figure =
        QRegularExpression("at least (\\d+) MiB").match(refused.error().why.english().c_str());
    QVERIFY2(figure.hasMatch(), refused.error().why.english().c_str());
    const uint64_t needed = figure.captured(1).toULongLong() * kMiB;
    QVERIFY(plan(*model, needed, 2048).ok());
    QVERIFY(!plan(*model, needed - 2 * kMiB, 2048).ok());
}

/// The least memory does not depend on the budget that was asked for, though a larger one keeps more copies of states.
void MemoryPlanTest::whatIsNeededIsEnoughAndNoMore_data() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::newRow("experts") << sparse();
    QTest::newRow("states") << TinyModelOptions{.architecture = "qwen35moe",
                                                .layers = 4,
                                                .width = 256,
                                                .feedForward = 256,
                                                .experts = 16,
                                                .valueHeads = 8,
                                                .stateSize = 64,
                                                .context = 16384,
                                                .tied = false};
}
void MemoryPlanTest::whatIsNeededIsEnoughAndNoMore() {
    QFETCH(TinyModelOptions, options);
    const std::unique_ptr<Read> model = read(options);
    for (const uint64_t asked : {uint64_t{64}, uint64_t{200}, uint64_t{4096}}) {
        const MemoryPlan told = plan(*model, asked * kMiB, 4096).value();
        const auto least = plan(*model, told.minimumTotal, 4096);
        QVERIFY2(least.ok(), least ? "" : least.error().line().c_str());
        QVERIFY(least->total() <= told.minimumTotal);
        QCOMPARE(least->slots, least->minimumSlots);
        QVERIFY(!plan(*model, told.minimumTotal - 1, 4096).ok());
        const auto comfortable = plan(*model, told.comfortableTotal, 4096);
        QVERIFY(comfortable.ok());
        QVERIFY(comfortable->slots >= comfortable->comfortableSlots);
        QVERIFY(told.minimumTotal < told.comfortableTotal);
    }
}

void MemoryPlanTest::comfortableIsTwoTokenCycles() {
    QCOMPARE(plan(*usual(), 512 * kMiB)->comfortableSlots, uint64_t{2 * 6 * 2});
    TinyModelOptions few = sparse();
    few.experts = 3;
    QCOMPARE(plan(*read(few), 512 * kMiB)->comfortableSlots, uint64_t{6 * 3}); // all experts
}

/// A slot's cost besides its bytes (records, page tables) is under a hundredth of them.
void MemoryPlanTest::aSlotIsGainedForItsPrice() {
    const Read* model = usual();
    const MemoryPlan least = plan(*model, plan(*model, 512 * kMiB, 2048)->minimumTotal, 2048).value();
    for (uint64_t more = 1; more < 20; ++more) {
        const uint64_t bytes = more * (least.slotBytes + least.slotBytes / 100);
        const MemoryPlan larger = plan(*model, least.budget + bytes, 2048).value();
        if (larger.scratch != least.scratch) break; // the gain goes into a longer chunk first
        QCOMPARE(larger.slots, least.slots + more);
    }
    for (const uint64_t budget : {60 * kMiB, 80 * kMiB, 100 * kMiB}) {
        const MemoryPlan p = plan(*model, budget, 2048).value();
        QVERIFY(p.slots == p.totalExperts || budget - p.total() < 2 * p.slotBytes);
    }
}

/// Inputs of an integer format take one byte for each value, and scales. A model with no other format has no room for
/// inputs as floats.
void MemoryPlanTest::roomForTheFormsInUseAlone() {
    TinyModelOptions options{.architecture = "qwen3moe", .width = 256, .feedForward = 256, .context = 2048};
    const MemoryPlan floats = plan(*read(options), 512 * kMiB, 2048).value();
    options.type = TensorType::Q8_0;
    const MemoryPlan bytes = plan(*read(options), 512 * kMiB, 2048).value();
    options.typeOf = [](const std::string& name) {
        return name.find("ffn_up") != name.npos ? TensorType::F16 : TensorType::Q8_0;
    };
    const MemoryPlan both = plan(*read(options), 512 * kMiB, 2048).value();
    QVERIFY(floats.chunk == bytes.chunk && floats.chunk == both.chunk);
    const uint64_t rows = static_cast<uint64_t>(floats.chunk) * 2;
    const uint64_t asFloats = 256 * 4, asBytes = 64 + 256; // scales fill up a line
    // Inputs gathered in the order of experts, and the inputs of the down matrix.
    QCOMPARE(floats.scratch - bytes.scratch, rows * 2 * (asFloats - asBytes));
    QCOMPARE(both.scratch - bytes.scratch, rows * asFloats);
}

void MemoryPlanTest::whatTheProcessHoldsCounts() {
    const Read* model = usual();
    const auto programOf = [&](uint64_t held, int threads) {
        return planMemory(model->shape, model->header,
                          {.budget = 4096 * kMiB, .context = 2048, .threads = threads, .held = held})
            ->program;
    };
    const uint64_t more = programOf(kHeld + 160 * kMiB, 2) - programOf(kHeld, 2);
    QVERIFY(more >= 160 * kMiB && more <= 180 * kMiB);
    QVERIFY(programOf(kHeld, 16) > programOf(kHeld, 2));
    QVERIFY(programOf(kHeld, 2) < kHeld + 8 * kMiB);
}

void MemoryPlanTest::windowsBoundTheCache() {
    TinyModelOptions options = sparse();
    const auto everything = read(options);
    options.window = 128;
    const auto windowed = read(options); // layers 0 and 4 see all positions
    const MemoryPlan a = plan(*everything, 4096 * kMiB).value(), b = plan(*windowed, 4096 * kMiB).value();
    const uint64_t perPosition = static_cast<uint64_t>(windowed->shape.layer[0].attention.keyWidth()) * 4;
    QCOMPARE(a.keyValue, 6 * 16384 * perPosition);
    QCOMPARE(b.keyValue, (2 * 16384 + 4 * (128 + static_cast<uint64_t>(b.chunk))) * perPosition);
}

void MemoryPlanTest::denseLayersAreSlots() {
    const auto model = read({.layers = 5, .tied = false});
    const auto p = plan(*model, 512 * kMiB);
    QVERIFY(p->slots == 5 && p->minimumSlots == 2 && p->totalExperts == 5 && p->comfortableSlots == 5);
    QCOMPARE(p->slotArena(), 5 * p->slotBytes);
    QVERIFY(p->slotBytes >= 3 * 64 * 96 * 4 && p->resident < 2 * 300 * 64 * 4 + 5 * (64 * 128 * 4 * 4));
    QVERIFY(p->embeddingKept);
    QVERIFY(p->minimumTotal <= p->comfortableTotal && p->comfortableTotal <= 512 * kMiB);
    const auto one = plan(*read({.layers = 1}), 512 * kMiB);
    QVERIFY(one->slots == 1 && one->minimumSlots == 1 && one->totalExperts == 1);
}

/// Layers are read and evicted. A context that was not asked for becomes shorter only as long as this makes room for
/// all layers.
void MemoryPlanTest::denseModelsLargerThanTheBudget() {
    TinyModelOptions options{.layers = 12, .width = 256, .headDim = 64, .feedForward = 2048, .context = 8192};
    const auto model = read(options);
    const MemoryPlan all = plan(*model, 4096 * kMiB).value();
    QVERIFY(all.slots == 12 && all.context == 8192);
    const MemoryPlan shorter = plan(*model, all.total() - all.keyValue / 2).value();
    QVERIFY(shorter.slots == 12 && shorter.context < 8192);
    const uint64_t besides = all.total() - all.slotArena() - all.keyValue / 2; // at 4096 tokens
    const MemoryPlan half = plan(*model, besides + 6 * all.slotBytes).value();
    QVERIFY2(half.slots >= 4 && half.slots <= 8, qPrintable(QString::number(half.slots)));
    QCOMPARE(half.context, 4096);
    QVERIFY(half.total() <= half.budget);
    const MemoryPlan least = plan(*model, half.minimumTotal, 4096).value();
    QCOMPARE(least.slots, uint64_t{2});
    const auto refused = plan(*model, half.minimumTotal - 1, 4096);
    QCOMPARE(refused.error().kind, ErrorKind::OutOfMemory);
    QVERIFY(refused.error().why.english().find("layers") != std::string::npos);
    QVERIFY(refused.error().why.english().find("experts") == std::string::npos);
}

/// A dense layer counts as one expert that every token uses, in a slot of its own; the others are as large as experts.
void MemoryPlanTest::denseLayersBesideExperts() {
    const auto model = read({.architecture = "glm4moe",
                             .type = TensorType::Q8_0,
                             .layers = 5,
                             .width = 256,
                             .headDim = 64,
                             .feedForward = 64,
                             .sharedFeedForward = 64,
                             .leadingDense = 2,
                             .denseFeedForward = 4096,
                             .tied = false});
    const MemoryPlan all = plan(*model, 512 * kMiB).value();
    QVERIFY(!all.dense);
    QCOMPARE(all.totalExperts, uint64_t{2 + 3 * 8});
    QCOMPARE(all.comfortableSlots, uint64_t{2 + 2 * (3 * 2)});
    QCOMPARE(all.minimumSlots, uint64_t{2 + 2});
    QCOMPARE(all.ownSlots, uint64_t{2});
    const uint64_t perNeuron = 3 * uint64_t{256} / 32 * 34, edges = 65536; // bytes for alignment in a slot, at most
    QVERIFY(all.ownSlotBytes >= 2 * 4096 * perNeuron && all.ownSlotBytes < 2 * (4096 * perNeuron + edges));
    QVERIFY(all.slotBytes >= 64 * perNeuron && all.slotBytes < 64 * perNeuron + edges);
    const uint64_t content = (2 * 4096 + 3 * 8 * 64) * perNeuron;
    QVERIFY(all.allSlots >= content && all.allSlots < content + (2 + 3 * 8) * edges);
    const MemoryPlan least = plan(*model, all.minimumTotal, all.context).value();
    QCOMPARE(least.slots, uint64_t{4});
    QCOMPARE(least.slotArena(), least.ownSlotBytes + 2 * least.slotBytes);
    const MemoryPlan more =
        plan(*model, all.minimumTotal + 6 * (all.slotBytes + all.slotBytes / 100 + 1024), all.context).value();
    QCOMPARE(more.slots, uint64_t{10});
}

/// Formats are mixed as in published files: a slot has room for the largest expert, and all slots together take the
/// bytes of all experts.
void MemoryPlanTest::smallerLayersCountAsTheyAre() {
    TinyModelOptions options{.layers = 4, .width = 512, .headDim = 64, .feedForward = 4096};
    options.typeOf = [](const std::string& name) {
        return name == "blk.0.ffn_down.weight" ? TensorType::F32 : TensorType::Q8_0;
    };
    const auto mixed = read(options);
    const MemoryPlan all = plan(*mixed, 512 * kMiB).value();
    const uint64_t small = 3 * uint64_t{512} * 4096 / 32 * 34, large = small / 3 * 2 + uint64_t{512} * 4096 * 4;
    QVERIFY(all.slotBytes >= large && all.slotBytes < large + kMiB);
    const uint64_t content = 3 * small + large;
    QVERIFY(all.slotArena() >= content && all.slotArena() < content + 3 * 3 * kMiB); // a large page for each expert
    QVERIFY(all.slotArena() < 4 * all.slotBytes);
    // All experts are held as soon as their own bytes fit; a slot of the largest size for each is not needed.
    MemoryPlan least = all, less = all;
    for (uint64_t budget = all.total(); less.slots == 4; budget -= kMiB / 4) {
        least = less;
        less = plan(*mixed, budget, all.context).value();
        QVERIFY(less.total() <= less.budget);
    }
    QVERIFY(least.budget - (least.total() - least.slotArena()) < 4 * least.slotBytes);
    QCOMPARE(less.slotArena(), less.slots * less.slotBytes);
}

void MemoryPlanTest::smallerExpertsHaveSmallSlots_data() {
    QTest::addColumn<std::vector<float>>("uses"); // by an expert of each layer, of 100 tokens
    QTest::newRow("nothing is known") << std::vector<float>();
    QTest::newRow("the large ones were used most") << std::vector<float>{60, 1, 60, 1, 60, 1};
    QTest::newRow("the small ones were used most") << std::vector<float>{1, 60, 1, 60, 1, 60};
    QTest::newRow("another model's record") << std::vector<float>{60, 1, 60, 1, 60};
}

/// Half of the layers have smaller experts, as in many published files. At any budget, and whatever use was recorded,
/// the plan's slots take the bytes of the store's arena, and there are more of them than if all had the larger size.
void MemoryPlanTest::smallerExpertsHaveSmallSlots() {
    QFETCH(std::vector<float>, uses);
    TinyModelOptions options{.architecture = "qwen3moe",
                             .layers = 6,
                             .width = 256,
                             .headDim = 64,
                             .feedForward = 512,
                             .experts = 16,
                             .context = 4096,
                             .tied = false};
    options.typeOf = downMatricesOfTwoFormats;
    const auto model = read(options);
    ExpertHeat heat{.tokens = std::vector<float>(uses.size(), 100), .uses = {}};
    for (const float use : uses) heat.uses.insert(heat.uses.end(), 16, use);
    const auto planned = [&](uint64_t budget) {
        return planMemory(model->shape, model->header,
                          {.budget = budget, .context = 4096, .threads = 2, .held = kHeld, .heat = heat});
    };
    const std::vector<ExpertLayer> layers =
        expertLayers(model->shape, findTensors(model->shape, model->header).value());
    const StoreSlots store = StoreSlots::of(layers, heat);
    const MemoryPlan all = planned(512 * kMiB).value();
    QCOMPARE(all.slots, uint64_t{6 * 16});
    QCOMPARE(all.smallSlots(), uint64_t{3 * 16});
    QVERIFY(all.slotArena() < 6 * 16 * all.meanSlotBytes() + kMiB);
    QCOMPARE(planned(all.minimumTotal)->smallSlots(), uint64_t{0});
    int two = 0, more = 0, fewer = 0;
    for (uint64_t budget = all.minimumTotal; budget < all.total(); budget += kMiB / 2) {
        const MemoryPlan p = planned(budget).value();
        const SlotLayout layout = store.layout(p.slots);
        QVERIFY(p.total() <= budget);
        QCOMPARE(p.smallSlots(), layout.countOf(SlotSize::Small, p.slots));
        QCOMPARE(p.smallSlots(), p.classes.division.smallOf(p.slots));
        if (p.slots == p.totalExperts) continue;
        QCOMPARE(p.slotArena(), layout.arenaBytes(p.slots));
        QVERIFY(budget - p.total() < 2 * p.slotBytes); // no slot is left out
        QVERIFY(p.slots - p.longSlots >= std::max(p.minimumSlots, layout.least()));
        QVERIFY(p.slotArena() - layout.arenaBytes(p.slots - p.longSlots) >= p.longScratch);
        if (p.smallSlots() == 0) continue;
        ++two;
        QVERIFY(p.meanSlotBytes() < p.slotBytes && p.meanSlotBytes() > p.smallSlotBytes);
        if (p.slots > 20) QVERIFY(p.slots > p.slotArena() / p.slotBytes);
        more += 2 * p.smallSlots() > p.slots + 1;
        fewer += 2 * p.smallSlots() + 1 < p.slots;
    }
    QVERIFY(two > 10);
    const bool known = heat.fits(ExpertIndex(expertsOf(layers)));
    QCOMPARE(more > 0, known && uses[1] > uses[0]);
    QCOMPARE(fewer > 0, known && uses[0] > uses[1]);
}

void MemoryPlanTest::hugeContextsDoNotWrap() {
    const auto model = read(sparse(1 << 28));
    const auto refused = plan(*model, 4096 * kMiB, 1 << 28);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::OutOfMemory);
    const auto automatic = plan(*model, 1024 * kMiB);
    QVERIFY(automatic.ok() && automatic->total() <= 1024 * kMiB);
}

void MemoryPlanTest::automaticLeavesTheSystemRoom() {
    const Read* model = usual();
    const auto p = planMemory(model->shape, model->header, {});
    QVERIFY2(p.ok(), p ? "" : p.error().line().c_str());
    const MemoryReading memory = readMemory();
    if (memory.available == 0) QSKIP("This system doesn't say how much memory is free");
    QVERIFY(p->budget < memory.available + memory.resident);
    QVERIFY(p->total() <= p->budget);
}

void MemoryPlanTest::theSystemIsAskedOnlyForWhatIsMissing() {
    const Read* model = usual();
    const MemoryReading reading{.resident = 40 * kMiB, .total = 4096 * kMiB, .available = 2048 * kMiB};
    for (const auto& [budget, held] :
         std::vector<std::pair<uint64_t, uint64_t>>{{512 * kMiB, kHeld}, {0, kHeld}, {512 * kMiB, 0}, {0, 0}}) {
        int asked = 0;
        const auto source = [&] { return ++asked, reading; };
        const auto p = planMemory(model->shape, model->header, {.budget = budget, .held = held, .readMemory = source});
        QVERIFY2(p.ok(), p ? "" : p.error().line().c_str());
        QCOMPARE(asked, budget != 0 && held != 0 ? 0 : 1);
        // The machine that runs this test has neither this much memory free nor this much in use.
        QCOMPARE(p->budget, budget != 0 ? budget : 2048 * kMiB + 40 * kMiB - systemReserve(reading));
        const uint64_t known = held != 0 ? held : reading.resident;
        const auto same = planMemory(model->shape, model->header, {.budget = p->budget, .held = known});
        QCOMPARE(p->program, same->program);
    }
}

void MemoryPlanTest::theTokenizerCounts() {
    const Read* model = usual();
    const uint64_t large = 7 * kMiB;
    const auto without = planMemory(model->shape, model->header, {.budget = 512 * kMiB, .held = kHeld});
    const auto with =
        planMemory(model->shape, model->header, {.budget = 512 * kMiB, .held = kHeld, .tokenizerBytes = large});
    QVERIFY(without.ok() && with.ok());
    QCOMPARE(with->slots, without->slots);
    QCOMPARE(with->program - without->program, large);
}

/// Every family, and the large model with and without a head of its own.
void MemoryPlanTest::whatIsPlannedIsWhatIsAllocated_data() {
    QTest::addColumn<TinyModelOptions>("options");
    for (const bool tied : {false, true}) {
        TinyModelOptions options = sparse(2048);
        options.tied = tied;
        QTest::newRow(tied ? "tied" : "untied") << options;
    }
    for (const NamedOptions& family : tinyFamilies())
        QTest::newRow(family.name) << inFormat(family.options, TensorType::Q8_0);
    QTest::newRow("a wide shared expert")
        << TinyModelOptions{.architecture = "qwen2moe", .sharedFeedForward = 2048, .tied = false};
}

void MemoryPlanTest::whatIsPlannedIsWhatIsAllocated() {
    QFETCH(TinyModelOptions, options);
    MemoryFiles files(makeTinyModel(options).bytes);
    auto model = loadModel(files);
    QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
    QVERIFY(
        logitsOf(*model->decoder, randomTokens(std::min<int64_t>(600, model->plan.context), options.vocabulary)).ok());
    const DeviceTelemetry t = model->decoder->telemetry();
    QVERIFY(t.residentBytes >= model->plan.resident && t.residentBytes < model->plan.resident + 65536); // whole pages
    QVERIFY(t.scratchBytes >= model->plan.scratch && t.scratchBytes < model->plan.scratch + 65536);
    QVERIFY(t.keyValueBytes <= model->plan.keyValue);
    QCOMPARE(t.stateBytes, 2 * model->plan.stateEach); // the committed state and the working one
    QCOMPARE(model->plan.state, (static_cast<uint64_t>(model->plan.stateCopies) + 2) * model->plan.stateEach);
    QCOMPARE(model->plan.stateEach != 0, hasStates(options));
    QCOMPARE(model->plan.slots, model->plan.totalExperts);
    QCOMPARE(t.slots.bytesEach, model->plan.slotBytes);
}

/// A longer context is planned with the scaling for it; the automatic context stays within the trained one.
void MemoryPlanTest::contextBeyondTheTrainedOneIsPlanned() {
    const std::string bytes = makeTinyModel({.context = 2048}).bytes;
    const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
    const auto stretched = readModelShape(header.value(), 8192);
    QVERIFY(stretched.ok());
    const auto planned = [&](int64_t context) {
        return planMemory(stretched.value(), header.value(), {.budget = 512 * kMiB, .context = context, .held = kHeld});
    };
    QCOMPARE(planned(8192)->context, 8192);
    QCOMPARE(planned(8192)->keyValue, 4 * planned(2048)->keyValue);
    QCOMPARE(planned(0)->context, 2048);
    QCOMPARE(planned(8193).error().kind, ErrorKind::BadInput);
}

/// Biases, sinks and shared experts are resident and no part of a slot.
void MemoryPlanTest::whatAFamilyAddsIsCounted() {
    constexpr uint64_t line = 64, floats = sizeof(float);
    TinyModelOptions options{.architecture = "qwen3moe", .layers = 2, .tied = false};
    const MemoryPlan plain = plan(*read(options), 512 * kMiB).value();
    options.architecture = "qwen2moe";
    const MemoryPlan shared = plan(*read(options), 512 * kMiB).value();
    options.sharedFeedForward += 32;
    const MemoryPlan wider = plan(*read(options), 512 * kMiB).value();
    QCOMPARE(wider.resident - shared.resident, 2 * 3 * uint64_t{32} * 64 * floats);
    QCOMPARE(shared.slotBytes, plain.slotBytes);
    options.sharedFeedForward = 1024;
    const MemoryPlan wide = plan(*read(options), 512 * kMiB).value();
    options.sharedFeedForward = 2048;
    const MemoryPlan twice = plan(*read(options), 512 * kMiB).value();
    QCOMPARE(twice.chunk, wide.chunk);
    // Gate, up and the down matrix's input of each token.
    QCOMPARE(twice.scratch - wide.scratch, 3 * static_cast<uint64_t>(wide.chunk) * 1024 * floats);

    options = {.architecture = "gpt-oss", .layers = 2, .window = 8, .tied = false};
    const MemoryPlan gptOss = plan(*read(options), 512 * kMiB).value();
    QCOMPARE(gptOss.slotBytes, plain.slotBytes);
    options.experts += 1;
    const MemoryPlan another = plan(*read(options), 512 * kMiB).value();
    // A row of the router and the biases of one expert; the router's own bias fits into the line that 8 began.
    QCOMPARE(another.resident - gptOss.resident, 2 * (uint64_t{64} * floats + (96 + 96 + 64) * floats));
    QVERIFY(gptOss.resident % line == 0);
}

/// At any budget: the slots that lend memory have enough of it and leave enough, and a token reads less. A model in
/// memory, or with little of it, keeps its chunk, and with rows by layer every model does.
void MemoryPlanTest::longChunksWhereExpertsComeFromDisk() {
    const Read* model = usual();
    std::set<int64_t> chunks;
    for (uint64_t budget = 40 * kMiB; budget < 300 * kMiB; budget += kMiB) {
        const auto p = plan(*model, budget, 4096);
        if (!p) continue;
        chunks.insert(p->longChunk);
        QVERIFY(p->longChunk >= p->chunk);
        QVERIFY(p->longReads <= p->chunkReads);
        QCOMPARE(p->longChunk == p->chunk, p->longSlots == 0);
        QCOMPARE(p->longChunk == p->chunk, p->longReads == p->chunkReads);
        QVERIFY(p->longSlots * p->slotBytes >= p->longScratch);
        QVERIFY(p->longSlots * 4 <= p->slots);
        QVERIFY(p->slots - p->longSlots >= p->minimumSlots);
        if (p->slots == p->totalExperts) QCOMPARE(p->longChunk, 256);
        const WorkspaceRequest arrays{.chunk = p->chunk,
                                      .context = p->context,
                                      .threads = p->threads,
                                      .regroupedRow = p->regroupedRow,
                                      .forms = p->forms};
        if (p->longSlots != 0)
            QCOMPARE(p->longScratch, Workspace::longBytesNeeded(model->shape, arrays, p->longChunk).value() +
                                         SequenceMemory::longBytesNeeded(model->shape, *p, p->longChunk));
    }
    QCOMPARE(*chunks.rbegin(), 2048); // 4096 would take too many of these slots
    QVERIFY(chunks.contains(256) && chunks.contains(1024));

    TinyModelOptions rows{.architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8, .layerEmbedding = 32};
    rows.feedForward = 4096;
    rows.context = 4096;
    const std::unique_ptr<Read> byLayer = read(rows);
    const MemoryPlan all = plan(*byLayer, 512 * kMiB).value();
    const MemoryPlan few = plan(*byLayer, all.minimumTotal + all.slotBytes, all.context).value();
    QVERIFY(few.slots < few.totalExperts);
    QCOMPARE(few.longChunk, few.chunk);
}

/// A ring has room for a window and a chunk. For a long chunk it lies in lent memory, so that it costs no slot for
/// good.
void MemoryPlanTest::longRingsAreLentToo() {
    TinyModelOptions options = sparse(16384);
    options.window = 64;
    options.layers = 12;
    options.experts = 64;
    const std::unique_ptr<Read> model = read(options);
    const auto planned = [&](uint64_t budget, bool longChunks) {
        return planMemory(model->shape, model->header,
                          {.budget = budget, .context = 16384, .held = kHeld, .longChunks = longChunks});
    };
    std::set<int64_t> chunks;
    for (uint64_t budget = 200 * kMiB; budget < 700 * kMiB; budget += 10 * kMiB) {
        const auto with = planned(budget, true), without = planned(budget, false);
        if (!with || !without) continue;
        QCOMPARE(without->longChunk, without->chunk);
        QCOMPARE(with->slots, without->slots);
        QCOMPARE(with->keyValue, without->keyValue);
        const uint64_t rings = SequenceMemory::longBytesNeeded(model->shape, *with, with->longChunk);
        QCOMPARE(rings != 0, with->longChunk > with->chunk);
        QVERIFY(with->longScratch >= rings);
        QVERIFY(with->total() <= budget);
        chunks.insert(with->longChunk);
    }
    QVERIFY(*chunks.begin() < 4096);
    QCOMPARE(*chunks.rbegin(), 4096);
}

void MemoryPlanTest::aChunkCanBeForced() {
    const Read* model = usual();
    const auto forced = [&](uint64_t budget, int64_t chunk, const std::string& device = {}) {
        return planMemory(model->shape, model->header,
                          {.budget = budget,
                           .context = 4096,
                           .chunk = chunk,
                           .held = kHeld,
                           .deviceName = device,
                           .deviceMemory = 4096 * kMiB});
    };
    for (const uint64_t budget : {110 * kMiB, 4096 * kMiB})
        for (const int64_t chunk : {1, 7, 256, 300, 2000}) {
            const auto p = forced(budget, chunk);
            QVERIFY2(p.ok(), p ? "" : p.error().line().c_str());
            QCOMPARE(p->longChunk, chunk);
            QCOMPARE(p->chunk, std::min<int64_t>(chunk, 256));
        }
    QCOMPARE(forced(4096 * kMiB, 100000)->longChunk, 4096); // the context
    const uint64_t least = plan(*model, 110 * kMiB, 4096)->minimumTotal;
    QCOMPARE(forced(least + 8 * kMiB, 2000).error().kind, ErrorKind::OutOfMemory);
    QCOMPARE(forced(4096 * kMiB, 2000, "device").error().kind, ErrorKind::OutOfMemory);
}

QTEST_APPLESS_MAIN(MemoryPlanTest)
#include "tst_memory_plan.moc"
