// SPDX-License-Identifier: Apache-2.0
// Layers that remember the past in a state: any cut of a prompt and any number of threads give the same bits, and after
// stops, rewinds and kept copies in any order the next logits are those of a fresh prefill.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "support/random.h"

#include <QtTest>

#include <atomic>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

std::vector<NamedOptions> recurrentFamilies() {
    std::vector<NamedOptions> families;
    for (const NamedOptions& family : tinyFamilies())
        if (hasStates(family.options)) families.push_back(family);
    return families;
}

/// A model that forgets keys token by token, and states copy by copy.
TinyModelOptions withWindow() { return {.architecture = "lfm2", .layers = 4, .taps = 3, .window = 24}; }

/// Logits of the last token alone.
std::vector<float> lastLogits(Decoder& decoder, std::span<const int32_t> tokens) {
    std::vector<float> last;
    const auto done = decoder.forward({.tokens = tokens, .onLogits = [&last](int64_t, std::span<const float> logits) {
                                           last.assign(logits.begin(), logits.end());
                                       }});
    if (!done) qFatal("%s", done.error().line().c_str());
    return last;
}

} // namespace

class RecurrentTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cutsAndThreadsChangeNothing_data() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const NamedOptions& family : recurrentFamilies())
            for (const TensorType type : {TensorType::F32, TensorType::Q4_0})
                QTest::addRow("%s %s", family.name, traits(type).name) << inFormat(family.options, type);
        QTest::newRow("more value heads") << TinyModelOptions{
            .architecture = "qwen35", .layers = 4, .keyHeads = 3, .valueHeads = 9, .stateSize = 32, .taps = 7};
        QTest::newRow("one tap") << TinyModelOptions{
            .architecture = "qwen3next", .layers = 2, .taps = 1, .tied = false};
        QTest::newRow("one tap, so no state at all")
            << TinyModelOptions{.architecture = "lfm2", .layers = 3, .taps = 1};
        QTest::newRow("states and a window") << withWindow();
    }
    void cutsAndThreadsChangeNothing() {
        QFETCH(TinyModelOptions, options);
        options.context = 640;
        MemoryFiles files(makeTinyModel(options).bytes);
        const std::vector<int32_t> tokens = randomTokens(530, options.vocabulary);
        for (const KernelTable* table : testedKernels()) {
            const bool best = table == testedKernels().front();
            LoadedModel model = mustLoad(files, {.kernels = table, .chunk = 512});
            const Logits want = mustRun(*model.decoder, tokens);
            for (const size_t piece :
                 best || longTests() ? std::vector<size_t>{1, 7, 64, 512} : std::vector<size_t>{7}) {
                QCOMPARE(model.decoder->rewind(0), 0);
                const std::vector<size_t> pieces(tokens.size() / piece, piece);
                QVERIFY2(sameBits(mustRun(*model.decoder, tokens, pieces), want), qPrintable(QString::number(piece)));
            }
            if (!best) continue;
            for (int threads : longTests() ? std::vector{1, 2, 3, 4, 5, 6, 7, 8} : std::vector{1, 3, 8}) {
                LoadedModel other = mustLoad(files, {.kernels = table, .threads = threads, .chunk = 64});
                QVERIFY2(sameBits(mustRun(*other.decoder, tokens), want), qPrintable(QString::number(threads)));
            }
        }
    }

    void anyHistoryEqualsAFreshPrefill_data() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const NamedOptions& family : recurrentFamilies()) QTest::newRow(family.name) << family.options;
        QTest::newRow("states and a window") << withWindow();
    }
    /// Reads, stops, keeps copies and rewinds at random. Decoder and model know only tokens, so this is every edit,
    /// branch and stop of a conversation.
    void anyHistoryEqualsAFreshPrefill() {
        QFETCH(TinyModelOptions, options);
        MemoryFiles files(makeTinyModel(options).bytes);
        const KernelTable* const best = testedKernels().front();
        LoadedModel model = mustLoad(files, {.kernels = best, .chunk = 8});
        LoadedModel fresh = mustLoad(files, {.kernels = best, .chunk = 32});
        Random random(11);
        std::vector<int32_t> held; // tokens in the memory
        int64_t wentBack = 0;
        for (int step = 0; step < (longTests() ? 4000 : 400); ++step) {
            if (random.bits() % 3 == 0) {
                const auto to = static_cast<int64_t>(random.bits() % (held.size() + 1));
                const int64_t kept = model.decoder->rewind(to);
                QVERIFY(kept <= to || kept == static_cast<int64_t>(held.size()));
                wentBack += kept > 0 && kept < static_cast<int64_t>(held.size());
                held.resize(static_cast<size_t>(kept));
            }
            if (held.size() > 60) held.resize(static_cast<size_t>(model.decoder->rewind(0)));
            const std::vector<int32_t> more =
                randomTokens(1 + static_cast<int64_t>(random.bits() % 20), options.vocabulary, random.bits());
            std::vector<int64_t> marks;
            for (size_t i = held.size() + 1; i < held.size() + more.size(); ++i)
                if (random.bits() % 8 == 0) marks.push_back(static_cast<int64_t>(i));
            std::atomic<bool> cancel{false};
            const auto stopAt = static_cast<int64_t>(random.bits() % 30);
            const auto done = model.decoder->forward({.tokens = more,
                                                      .wanted = LogitsWanted::None,
                                                      .cancel = &cancel,
                                                      .onProgress = [&](int64_t tokens) { cancel = tokens > stopAt; },
                                                      .keepAt = marks});
            QVERIFY(done || done.error().kind == ErrorKind::Cancelled);
            held.insert(held.end(), more.begin(), more.end());
            held.resize(static_cast<size_t>(model.decoder->position()));
            if (random.bits() % 4 == 0) model.decoder->keepState(random.bits() % 2 == 0);

            const std::vector<int32_t> next = randomTokens(1, options.vocabulary, random.bits());
            const std::vector<float> got = lastLogits(*model.decoder, next);
            held.push_back(next[0]);
            fresh.decoder->rewind(0);
            QVERIFY2(got == lastLogits(*fresh.decoder, held), qPrintable(QString::number(step)));
        }
        QVERIFY(wentBack > 10);
    }
};

QTEST_APPLESS_MAIN(RecurrentTest)
#include "tst_recurrent.moc"
