// SPDX-License-Identifier: Apache-2.0
// The memory of a conversation: chunks count only once they are committed, and can be forgotten as far back as the
// rings of windows allow.
#include "decoder/loaded_model.h"
#include "decoder/sequence_memory.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

SequenceMemory memoryOf(const TinyModelOptions& options, int64_t chunk) {
    const std::string bytes = makeTinyModel(options).bytes;
    const ModelShape shape = readModelShape(*gguf::parse(std::as_bytes(std::span(bytes)), bytes.size())).value();
    MemoryPlan plan;
    plan.context = options.context;
    plan.chunk = chunk;
    return SequenceMemory::create(shape, plan).value();
}

void read(SequenceMemory& memory, int64_t tokens) {
    memory.begin(tokens);
    memory.commit();
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

    void memoryIsTouchedAsTokensCome() {
        SequenceMemory memory = memoryOf({}, 16);
        QCOMPARE(memory.touchedBytes(), uint64_t{0});
        memory.begin(3);
        const uint64_t three = memory.touchedBytes();
        QVERIFY(three > 0);
        memory.begin(6);
        QCOMPARE(memory.touchedBytes(), 2 * three);
        QCOMPARE(memory.rewind(0), 0);
        QCOMPARE(memory.touchedBytes(), 2 * three); // the pages stay
    }
};

QTEST_APPLESS_MAIN(SequenceMemoryTest)
#include "tst_sequence_memory.moc"
