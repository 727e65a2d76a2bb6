// SPDX-License-Identifier: Apache-2.0
// The memory of a conversation: chunks count only once they are committed, and can be forgotten as far back as the
// rings of windows allow.
#include "decoder/loaded_model.h"
#include "decoder/sequence_memory.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

SequenceMemory memoryIn(const ModelShape& shape, int64_t chunk, int64_t copies = 1) {
    MemoryPlan plan;
    plan.context = 512;
    plan.chunk = plan.longChunk = chunk;
    plan.stateCopies = copies;
    return SequenceMemory::create(shape, plan).value();
}
SequenceMemory memoryOf(const TinyModelOptions& options, int64_t chunk) {
    const std::string bytes = makeTinyModel(options).bytes;
    return memoryIn(readModelShape(*gguf::parse(std::as_bytes(std::span(bytes)), bytes.size())).value(), chunk);
}

/// Two layers with a state, and one with attention between them.
ModelShape recurrent() {
    ModelShape shape;
    shape.layer.resize(3);
    shape.layer[1].attention = {.heads = 4, .kvHeads = 2, .headDim = 32};
    for (const size_t i : {0, 2}) {
        shape.layer[i].mixer = Mixer::DeltaRule;
        shape.layer[i].deltaRule = {.keyHeads = 2, .valueHeads = 4, .size = 16, .taps = 4};
    }
    return shape;
}

void read(SequenceMemory& memory, int64_t tokens) {
    memory.begin(tokens);
    memory.commit();
}

/// Reads one token after the other; the state after n tokens is n.
void count(SequenceMemory& memory, int64_t tokens) {
    for (int64_t i = 0; i < tokens; ++i) {
        memory.begin(1);
        const LayerState state = memory.state(0);
        *state.after = (state.before == nullptr ? 0 : *state.before) + 1;
        memory.commit();
    }
}
/// The state that the next chunk would begin with.
float stateOf(SequenceMemory& memory) {
    memory.begin(1);
    const LayerState state = memory.state(0);
    return state.before == nullptr ? 0 : *state.before;
}

} // namespace

class SequenceMemoryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void chunksCountOnceTheyAreCommitted() {
        SequenceMemory memory = memoryOf({}, 16);
        memory.begin(10);
        QCOMPARE(memory.committed(), 0);
        memory.commit();
        QCOMPARE(memory.committed(), 10);
        memory.begin(16);
        QCOMPARE(memory.rewind(20), 10); // the chunk was stopped
        read(memory, 3);
        QCOMPARE(memory.committed(), 13);
        memory.begin(7);
        memory.begin(1); // in place of the seven
        memory.commit();
        QCOMPARE(memory.committed(), 14);
        QCOMPARE(memory.rewind(6), 6);
        QCOMPARE(memory.committed(), 6);
        QCOMPARE(memory.rewind(0), 0);
    }

    /// A chunk that was not committed has overwritten parts of the ring all the same.
    void ringsForgetWhatAStoppedChunkOverwrote() {
        SequenceMemory memory =
            memoryOf({.architecture = "smallthinker", .layers = 4, .window = 8, .tied = false}, 4); // rings of 12
        for (int i = 0; i < 5; ++i) read(memory, 4);
        QCOMPARE(memory.rewind(15), 15); // the ring holds [8, 20), and token 15 looks back to 8
        memory.begin(4);
        QCOMPARE(memory.rewind(15), 15);
        read(memory, 4);
        memory.begin(4);                 // up to 23: the ring holds [11, 23)
        QCOMPARE(memory.rewind(18), 18); // looks back to 11
        QCOMPARE(memory.rewind(17), 0);
        QCOMPARE(memory.committed(), 0);
        read(memory, 4);
        QCOMPARE(memory.rewind(2), 2);
    }

    /// The state that a stopped chunk wrote is never read.
    void aStoppedChunkLeavesTheStateAlone() {
        SequenceMemory memory = memoryIn(recurrent(), 16);
        count(memory, 5);
        for (int i = 0; i < 3; ++i) {
            memory.begin(4);
            *memory.state(0).after = 100;
            QCOMPARE(stateOf(memory), 5.0f);
        }
        QCOMPARE(memory.rewind(9), 5);
        QCOMPARE(stateOf(memory), 5.0f);
        count(memory, 1);
        QCOMPARE(stateOf(memory), 6.0f);
    }

    void statesGoBackToKeptCopies() {
        SequenceMemory memory = memoryIn(recurrent(), 16, 3);
        QCOMPARE(memory.rewind(0), 0);
        for (int i = 0; i < 3; ++i) {
            count(memory, 10);
            memory.keepState(false); // after 10, 20 and 30
        }
        count(memory, 5);
        QCOMPARE(memory.rewind(35), 35); // nothing to forget
        QCOMPARE(stateOf(memory), 35.0f);
        QCOMPARE(memory.rewind(34), 30);
        QCOMPARE(stateOf(memory), 30.0f);
        count(memory, 4);
        QCOMPARE(memory.rewind(29), 20);
        count(memory, 1);
        QCOMPARE(stateOf(memory), 21.0f);
        QCOMPARE(memory.rewind(20), 20); // the copy stays
        QCOMPARE(stateOf(memory), 20.0f);
        QCOMPARE(memory.rewind(9), 0);
        QCOMPARE(stateOf(memory), 0.0f);
        count(memory, 12);
        QCOMPARE(memory.rewind(11), 0); // the copy after 10 tokens was of other tokens
    }

    void theOldestCopyGoesFirst() {
        SequenceMemory memory = memoryIn(recurrent(), 16, 2);
        for (int i = 0; i < 4; ++i) {
            count(memory, 10);
            memory.keepState(false);
            memory.keepState(false); // the same copy
        }
        count(memory, 1);
        QCOMPARE(memory.rewind(39), 30);
        QCOMPARE(memory.rewind(29), 0); // those after 10 and 20 tokens went
    }

    /// The copy before the last message stays whatever is kept after it.
    void theLastCopyThatStaysStays() {
        for (const int64_t copies : {1, 2, 3}) {
            SequenceMemory memory = memoryIn(recurrent(), 16, copies);
            count(memory, 3);
            memory.keepState(true);
            count(memory, 3);
            memory.keepState(true); // after 6
            for (int i = 0; i < 5; ++i) {
                count(memory, 4);
                memory.keepState(false);
            }
            QCOMPARE(memory.rewind(9), 6);
            QCOMPARE(stateOf(memory), 6.0f);
            count(memory, 1);
            memory.keepState(true); // after 7
            count(memory, 4);
            QCOMPARE(memory.rewind(10), 7);
        }
    }

    void statesAreTouchedAsTheyAreUsed() {
        SequenceMemory memory = memoryIn(recurrent(), 16, 4);
        QCOMPARE(memory.stateBytes(), uint64_t{0});
        memory.begin(1);
        const uint64_t one = memory.stateBytes();
        QVERIFY(one > 0);
        memory.commit();
        count(memory, 20);
        QCOMPARE(memory.stateBytes(), 2 * one);
        memory.keepState(false);
        count(memory, 20);
        QCOMPARE(memory.stateBytes(), 3 * one);
        QCOMPARE(memoryOf({}, 16).stateBytes(), uint64_t{0});
    }

    /// Sizes of Qwen3.8-27B (64 layers) and Qwen3.6-35B-A3B (40 layers), of which every fourth has attention.
    void publishedStatesHaveTheirSize() {
        const auto bytes = [](size_t layers, int64_t valueHeads) {
            ModelShape shape;
            shape.layer.resize(layers);
            for (size_t i = 0; i < layers; ++i) {
                if (i % 4 == 3) continue;
                shape.layer[i].mixer = Mixer::DeltaRule;
                shape.layer[i].deltaRule = {.keyHeads = 16, .valueHeads = valueHeads, .size = 128, .taps = 4};
            }
            return StateCopies::bytesOfOne(shape).value();
        };
        QCOMPARE(bytes(64, 48), uint64_t{156'893'184});
        QCOMPARE(bytes(40, 32), uint64_t{65'863'680});
        QCOMPARE(bytes(3, 0), 3 * 3 * 2 * 16 * 128 * sizeof(float)); // the history alone
    }

    /// The files have holes in place of weights.
    void publishedShapesAreRead() {
        const QTemporaryDir folder;
        const auto read = [&folder](const std::string& name) {
            TinyModelOptions options = *publishedShape(name);
            options.type = TensorType::Q4_0, options.weights = options.tokenizer = false;
            QFile file(folder.filePath(QStringLiteral("model.gguf")));
            if (!saveTinyModel(options, file.fileName().toStdString()) || !file.open(QIODevice::ReadOnly))
                qFatal("no file of %s", name.c_str());
            const std::string start = file.read(1 << 20).toStdString(); // more than the header
            const auto header = gguf::parse(std::as_bytes(std::span(start)), static_cast<uint64_t>(file.size()));
            if (!header) qFatal("%s: %s", name.c_str(), header.error().line().c_str());
            auto shape = readModelShape(*header);
            if (!shape) qFatal("%s: %s", name.c_str(), shape.error().line().c_str());
            return std::move(shape).value();
        };
        for (const std::string& name : publishedShapes()) QVERIFY(read(name).layers >= 16);
        QCOMPARE(StateCopies::bytesOfOne(read("qwen3.8-27b")).value(), uint64_t{156'893'184});
        QCOMPARE(StateCopies::bytesOfOne(read("qwen3.6-35b-a3b")).value(), uint64_t{65'863'680});
        QCOMPARE(StateCopies::bytesOfOne(read("lfm2-8b-a1b")).value(), 18 * 2 * 2048 * sizeof(float));
        QCOMPARE(StateCopies::bytesOfOne(read("gemma4-e2b")).value(), uint64_t{0});
    }

    void memoryIsTouchedAsTokensCome() {
        SequenceMemory memory = memoryOf({}, 16);
        QCOMPARE(memory.keyValueBytes(), uint64_t{0});
        memory.begin(3);
        const uint64_t three = memory.keyValueBytes();
        QVERIFY(three > 0);
        memory.begin(6);
        QCOMPARE(memory.keyValueBytes(), 2 * three);
        QCOMPARE(memory.rewind(0), 0);
        QCOMPARE(memory.keyValueBytes(), 2 * three); // the pages stay
    }
};

QTEST_APPLESS_MAIN(SequenceMemoryTest)
#include "tst_sequence_memory.moc"
