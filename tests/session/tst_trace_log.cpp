// SPDX-License-Identifier: Apache-2.0
// The packed trace: what goes in comes out, whole tokens only, at its promised size, without allocating, and while
// other threads read; and its stored form, also when the bytes are damaged.
#include "records/trace_log.h"
#include "session/opened_model.h"

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <map>
#include <new>
#include <random>
#include <thread>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

thread_local uint64_t allocations = 0, allocatedBytes = 0;

constexpr double kWeightAccuracy = 0.000008;
constexpr TraceShape kLarge{.layers = 48, .experts = 128, .expertsPerToken = 8, .neurons = 768};
constexpr TraceShape kSmall{.layers = 3, .experts = 6, .expertsPerToken = 2, .neurons = 40};

/// Keeps everything as it comes.
struct PlainTrace final : TraceSink {
    std::map<int64_t, TracedToken> tokens;
    int64_t reused = -1, promptTokens = -1;
    void answerBegins(int64_t kept, int64_t prompt) override { tokens.clear(), reused = kept, promptTokens = prompt; }
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) override {
        tokens[position].layers.push_back({layer, waitSeconds, {uses.begin(), uses.end()}});
    }
    void tokenDone(int64_t position, int64_t headRows, double seconds) override {
        tokens[position].position = position;
        tokens[position].headRows = headRows;
        tokens[position].seconds = seconds;
    }
};

struct Both final : TraceSink {
    TraceSink& one;
    TraceSink& other;
    Both(TraceSink& a, TraceSink& b) : one(a), other(b) {}
    void answerBegins(int64_t reused, int64_t promptTokens) override {
        one.answerBegins(reused, promptTokens);
        other.answerBegins(reused, promptTokens);
    }
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) override {
        one.layerDone(position, layer, uses, waitSeconds);
        other.layerDone(position, layer, uses, waitSeconds);
    }
    void tokenDone(int64_t position, int64_t headRows, double seconds) override {
        one.tokenDone(position, headRows, seconds);
        other.tokenDone(position, headRows, seconds);
    }
};

bool same(const TracedLayer& a, const TracedLayer& b) {
    if (a.layer != b.layer || a.uses.size() != b.uses.size()) return false;
    if (a.waitSeconds != static_cast<double>(static_cast<float>(b.waitSeconds))) return false;
    for (size_t i = 0; i < a.uses.size(); ++i) {
        const ExpertUse &x = a.uses[i], &y = b.uses[i];
        if (x.expert != y.expert || x.hit != y.hit || x.activeNeurons != y.activeNeurons) return false;
        if (std::abs(x.weight - y.weight) > kWeightAccuracy) return false;
    }
    return true;
}

bool same(const TracedToken& packed, const TracedToken& told) {
    return packed.position == told.position && packed.headRows == told.headRows &&
           packed.seconds == static_cast<double>(static_cast<float>(told.seconds)) &&
           std::equal(packed.layers.begin(), packed.layers.end(), told.layers.begin(), told.layers.end(),
                      [](const TracedLayer& a, const TracedLayer& b) { return same(a, b); });
}

std::vector<ExpertUse> drawUses(std::mt19937& random, const TraceShape& shape) {
    std::vector<ExpertUse> uses(static_cast<size_t>(shape.expertsPerToken));
    for (ExpertUse& use : uses) {
        use.expert = static_cast<int32_t>(random() % static_cast<uint32_t>(shape.experts));
        use.activeNeurons = static_cast<int32_t>(random() % static_cast<uint32_t>(shape.neurons + 1));
        use.hit = random() % 2 == 0;
        use.weight = static_cast<float>(random() % 1000001) / 1e6f;
    }
    return uses;
}

/// Tokens from `first` on as one pass: layer after layer, each for all of them.
void pass(TraceSink& sink, std::mt19937& random, const TraceShape& shape, int64_t first, int64_t tokens,
          int firstLayer = 0) {
    for (int layer = firstLayer; layer < shape.layers; ++layer)
        for (int64_t t = 0; t < tokens; ++t)
            sink.layerDone(first + t, layer, drawUses(random, shape), static_cast<double>(random() % 1000) * 1e-6);
    for (int64_t t = 0; t < tokens; ++t)
        sink.tokenDone(first + t, static_cast<int64_t>(random() % 200000), static_cast<double>(random() % 1000) * 1e-5);
}

std::unique_ptr<TraceLog> make(const TraceShape& shape, int64_t tokens) {
    auto log = TraceLog::create(shape, tokens);
    return log ? std::move(log).value() : nullptr;
}

/// A prompt of eight tokens, of which three hold a question of nine bytes.
const std::vector<TokenId> kAsked{1, 300, 5, 151643, 77, 6, 2, 9};
const QuestionTokens kQuestion{.first = 2, .bytes = 9, .text = {{1, 3}, {3, 3}, {4, 9}}};

std::unique_ptr<TraceLog> askedLog(int64_t reused) {
    auto log = make(kSmall, 20);
    std::mt19937 random(8);
    log->answerBegins(reused, 8);
    log->promptIs(kAsked);
    log->questionIs(kQuestion);
    pass(*log, random, kSmall, reused, 10 - reused);
    return log;
}

/// The value of all fields of a token in the test with threads.
int32_t valueAt(int64_t round, int layer) { return static_cast<int32_t>((round * 7 + layer) % 40); }

} // namespace

// Counts what a thread allocates.
void* operator new(size_t bytes) {
    ++allocations;
    allocatedBytes += bytes;
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
// std::stable_sort takes its room with this one, and gives it back with the delete below.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

/// The trace of an answer to ten tokens, of which two were reused. Three of its four tokens went through the model.
struct Begun {
    static constexpr int64_t kReused = 2, kPrompt = 10, kTokens = 4;
    std::vector<TokenId> prompt{5, 4, 3, 2, 1, 0, 1, 2, 3, 4};
    std::vector<TokenId> answer{7, 8, 9, 7};
    std::shared_ptr<TraceLog> trace = make(kSmall, 100);

    explicit Begun(std::mt19937& random) {
        trace->answerBegins(kReused, kPrompt);
        trace->promptIs(prompt);
        pass(*trace, random, kSmall, kReused, kPrompt - kReused);
        for (int64_t position = kPrompt; position < kPrompt + kTokens - 1; ++position)
            pass(*trace, random, kSmall, position, 1);
    }
    std::vector<TokenId> together() const {
        std::vector<TokenId> all = prompt;
        all.insert(all.end(), answer.begin(), answer.end());
        return all;
    }
    std::unique_ptr<TraceLog> next(int64_t shared = kTokens, const TraceShape& shape = kSmall) const {
        auto log = TraceLog::create(shape, 100, {.trace = trace, .tokens = kTokens, .shared = shared});
        return log ? std::move(log).value() : nullptr;
    }
};

class TestTraceLog : public QObject {
    Q_OBJECT

    ModelFolder folder_;

  private Q_SLOTS:
    void anAnswerBeginsWithTheRecordsOfAnother_data() {
        QTest::addColumn<int>("reused");
        QTest::addColumn<int>("shared");
        QTest::newRow("the KV cache has all that went through the model") << 13 << 4;
        QTest::newRow("everything is read again") << 0 << 4;
        QTest::newRow("a part is read again") << 6 << 4;
        QTest::newRow("the KV cache has more than the trace") << 14 << 4;
        QTest::newRow("another token after the first") << 11 << 1;
    }
    void anAnswerBeginsWithTheRecordsOfAnother() {
        QFETCH(const int, reused);
        QFETCH(const int, shared);
        std::mt19937 random(11);
        const Begun begun(random);
        const auto log = begun.next(shared);
        QVERIFY(log && !log->continues());
        log->answerBegins(reused, Begun::kPrompt + Begun::kTokens);
        QCOMPARE(log->newest(), int64_t{-1});
        log->promptIs(begun.together());
        QVERIFY(log->continues());
        PlainTrace plain;
        Both both(*log, plain);
        if (reused < 14) pass(both, random, kSmall, reused, 14 - reused);
        pass(both, random, kSmall, 14, 1);
        QCOMPARE(log->newest(), int64_t{14});
        QCOMPARE(log->reused(), Begun::kReused);
        QCOMPARE(log->promptTokens(), Begun::kPrompt);
        QVERIFY(log->prompt() == begun.trace->prompt());
        const int64_t lastShared = std::min<int64_t>(12, Begun::kPrompt + shared - 1);
        QVERIFY(!log->token(Begun::kReused - 1));
        for (int64_t position = Begun::kReused; position <= lastShared; ++position)
            QVERIFY2(log->token(position) == begun.trace->token(position), qPrintable(QString::number(position)));
        for (int64_t position = lastShared + 1; position <= 14; ++position) {
            const auto token = log->token(position);
            QVERIFY(token);
            if (plain.tokens.contains(position))
                QVERIFY(same(*token, plain.tokens[position]));
            else
                QVERIFY(token->layers.empty() && token->seconds == 0);
        }
        const auto read = TraceLog::read(log->bytes().value());
        QVERIFY(read);
        QVERIFY(read.value()->last(100) == log->last(100));
        for (int64_t position = 0; position <= Begun::kPrompt; ++position) {
            const TokenId wanted = position < Begun::kPrompt ? begun.prompt[static_cast<size_t>(position)] : -1;
            QCOMPARE(log->promptToken(position), wanted);
        }
        log->answerBegins(0, 3); // another answer: nothing is left of the first ones
        QVERIFY(!log->continues() && log->newest() < 0 && log->promptTokens() == 3 && log->promptToken(0) < 0);
    }
    void anotherPromptTakesNoRecordsOver() {
        std::mt19937 random(12);
        const Begun begun(random);
        std::vector<TokenId> changed = begun.together();
        changed[3] = 6;
        std::vector<TokenId> shorter = begun.together();
        shorter.pop_back();
        const TraceShape wider{.layers = 3, .experts = 7, .expertsPerToken = 2, .neurons = 40};
        const auto takesOver = [&](const std::unique_ptr<TraceLog>& log, const std::vector<TokenId>& prompt) {
            log->answerBegins(0, static_cast<int64_t>(prompt.size()));
            log->promptIs(prompt);
            pass(*log, random, log->shape(), 0, static_cast<int64_t>(prompt.size()));
            return log->continues() || log->promptTokens() != static_cast<int64_t>(prompt.size()) || !log->token(0) ||
                   log->prompt() != promptHash(prompt);
        };
        QVERIFY(!takesOver(begun.next(), changed));
        QVERIFY(!takesOver(begun.next(), shorter));
        QVERIFY(!takesOver(begun.next(Begun::kTokens, wider), begun.together()));
        QVERIFY(takesOver(begun.next(), begun.together()));
    }
    void smallEnough() {
        QVERIFY(TraceLog::bytesPerToken(kLarge) < 2000);
        TraceShape without = kLarge; // as in families whose neurons are all computed
        without.neurons = 0;
        QVERIFY(TraceLog::bytesPerToken(without) < 1500);
    }

    void whatGoesInComesOut() {
        for (const TraceShape& shape : {kLarge, kSmall, TraceShape{1, 1, 1, 0}, TraceShape{2, 65536, 3, 100000}}) {
            const auto log = make(shape, 64);
            QVERIFY(log);
            QCOMPARE(log->newest(), int64_t{-1});
            QVERIFY(!log->token(0) && !log->token(-1) && log->last(5).empty());
            PlainTrace plain;
            Both both(*log, plain);
            std::mt19937 random(4);
            pass(both, random, shape, 0, 20);
            for (int64_t p = 20; p < 50; ++p) pass(both, random, shape, p, 1);
            QCOMPARE(log->newest(), int64_t{49});
            const std::vector<TracedToken> all = log->last(1000);
            QCOMPARE(all.size(), size_t{50});
            for (const TracedToken& token : all) QVERIFY(same(token, plain.tokens[token.position]));
            QCOMPARE(log->last(3).front().position, int64_t{47});
        }
    }

    void largestValuesAndBeyond() {
        const auto log = make(kSmall, 4);
        QVERIFY(log);
        const std::array<ExpertUse, 3> uses{{{5, 1, true, 40}, {99, 1.5f, false, 1000}, {0, 0, false, 0}}};
        log->layerDone(0, 0, uses, 1e-9);
        log->layerDone(0, 3, uses, 0); // no such layer
        log->layerDone(-1, 0, uses, 0);
        log->tokenDone(-1, 0, 0);
        log->tokenDone(0, int64_t{1} << 40, -1);
        const auto token = log->token(0);
        QVERIFY(token);
        QCOMPARE(token->headRows, (int64_t{1} << 32) - 1);
        QCOMPARE(token->seconds, 0.0);
        QCOMPARE(token->layers.size(), size_t{1});
        const std::vector<ExpertUse>& kept = token->layers[0].uses;
        QCOMPARE(kept.size(), size_t{2}); // more than the shape's are not kept
        QCOMPARE(kept[0].expert, 5);
        QCOMPARE(kept[0].weight, 1.0f);
        QCOMPARE(kept[0].activeNeurons, 40);
        QCOMPARE(kept[1].expert, 5); // the last one of the shape
        QCOMPARE(kept[1].activeNeurons, 40);
        QCOMPARE(kept[1].weight, 1.0f);
        QCOMPARE(log->newest(), int64_t{0});
    }

    /// A device may trace some of the layers only, or none.
    void layersThatAreNotTraced() {
        const auto log = make(kSmall, 8);
        PlainTrace plain;
        Both both(*log, plain);
        std::mt19937 random(8);
        pass(both, random, kSmall, 0, 3, 1);
        pass(both, random, kSmall, 3, 1, 1);
        for (int64_t p = 0; p < 4; ++p) QVERIFY(same(log->token(p).value(), plain.tokens[p]));
        const auto none = make({.layers = 4}, 8);
        QVERIFY(none);
        for (int64_t p = 0; p < 12; ++p) none->tokenDone(p, p * 10, 0);
        const std::vector<TracedToken> tokens = none->last(100);
        QCOMPARE(tokens.size(), size_t{8});
        QCOMPARE(tokens.front().headRows, int64_t{40});
        QVERIFY(tokens.front().layers.empty());
    }

    /// The engine goes on, but nothing of that is recorded.
    void itEndsBeforeItsEngineDoes() {
        const auto log = make(kSmall, 10);
        std::mt19937 random(9);
        log->answerBegins(0, 3);
        pass(*log, random, kSmall, 0, 3);
        for (int64_t p = 3; p < 7; ++p) pass(*log, random, kSmall, p, 1);
        const std::vector<TracedToken> before = log->last(100);
        log->endAt(5);
        const auto endsThere = [&] {
            return log->newest() == 4 && !log->token(5) &&
                   log->last(100) == std::vector(before.begin(), before.begin() + 5);
        };
        QVERIFY(endsThere());
        pass(*log, random, kSmall, 7, 1);
        QVERIFY(endsThere());
        const auto read = TraceLog::read(log->bytes().value());
        QVERIFY(read);
        QVERIFY(read.value()->last(100) == log->last(100));
        log->endAt(0);
        QVERIFY(log->newest() < 0 && !log->token(0) && TraceLog::read(log->bytes().value()));
        log->answerBegins(0, 3); // another answer
        pass(*log, random, kSmall, 0, 8);
        QCOMPARE(log->newest(), int64_t{7});
        const auto ring = make(kSmall, 4);
        pass(*ring, random, kSmall, 0, 9);
        ring->endAt(2); // later tokens have taken the places of those before it
        QCOMPARE(ring->newest(), int64_t{-1});
        QVERIFY(TraceLog::read(ring->bytes().value()));
    }

    /// Old tokens give way; a chunk longer than the ring leaves its last tokens; going back starts over from there.
    void theRing() {
        const auto log = make(kSmall, 10);
        PlainTrace plain;
        Both both(*log, plain);
        std::mt19937 random(9);
        const auto positions = [&log] {
            std::vector<int64_t> found;
            for (const TracedToken& token : log->last(100)) found.push_back(token.position);
            return found;
        };
        const auto right = [&] {
            for (const TracedToken& token : log->last(100))
                if (!same(token, plain.tokens[token.position])) return false;
            return true;
        };
        pass(both, random, kSmall, 0, 34);
        QCOMPARE(log->newest(), int64_t{33});
        QCOMPARE(positions().front(), int64_t{24});
        QCOMPARE(positions().size(), size_t{10});
        QVERIFY(right());
        QVERIFY(!log->token(23));
        plain.tokens.erase(plain.tokens.find(30), plain.tokens.end());
        pass(both, random, kSmall, 30, 2); // an answer anew
        QCOMPARE(log->newest(), int64_t{31});
        QCOMPARE(positions(), (std::vector<int64_t>{24, 25, 26, 27, 28, 29, 30, 31}));
        QVERIFY(right());
        plain.tokens.clear();
        pass(both, random, kSmall, 0, 3);
        QCOMPARE(positions(), (std::vector<int64_t>{0, 1, 2}));
        QVERIFY(right());
    }

    /// Tokens of a chunk that was cut off in the middle are not shown, and do not mix with the following ones.
    void unfinishedTokens() {
        const auto log = make(kSmall, 10);
        std::mt19937 random(2);
        for (int64_t t = 0; t < 4; ++t) log->layerDone(t, 0, drawUses(random, kSmall), 0);
        QVERIFY(log->last(10).empty() && !log->token(0));
        PlainTrace plain;
        Both both(*log, plain);
        pass(both, random, kSmall, 0, 2);
        QCOMPARE(log->last(10).size(), size_t{2});
        for (const TracedToken& token : log->last(10)) QVERIFY(same(token, plain.tokens[token.position]));
        QVERIFY(!log->token(2));
    }

    /// A context of a million tokens costs nothing before they come.
    void memoryComesWithTokens() {
        const uint64_t before = allocatedBytes;
        const auto log = make(kLarge, 1 << 20);
        QVERIFY(log);
        QVERIFY(allocatedBytes - before < 1 << 20);
        std::mt19937 random(3);
        pass(*log, random, kLarge, 1000000, 2);
        QCOMPARE(log->last(10).size(), size_t{2});
        QVERIFY(log->token(1000001) && !log->token(0) && !log->token(500));
    }

    void noAllocations() {
        const auto log = make(kLarge, 16);
        std::mt19937 random(1);
        const std::vector<ExpertUse> uses = drawUses(random, kLarge);
        const uint64_t before = allocations;
        for (int64_t p = 0; p < 100; ++p) {
            for (int layer = 0; layer < kLarge.layers; ++layer) log->layerDone(p, layer, uses, 0);
            log->tokenDone(p, 1, 0);
        }
        QCOMPARE(allocations - before, uint64_t{0});
        QVERIFY(log->token(99));
        QVERIFY(allocations > before); // they are counted
    }

    /// A token that is read while others are written is one token's, whole.
    void readWhileItGrows() {
        const auto log = make(kSmall, 6);
        std::atomic<bool> stop{false};
        std::atomic<int64_t> seen{0}, wrong{0};
        std::thread reader([&] {
            while (!stop) {
                for (const TracedToken& token : log->last(6)) {
                    ++seen;
                    wrong += token.layers.size() != 3;
                    for (const TracedLayer& layer : token.layers)
                        for (const ExpertUse& use : layer.uses)
                            wrong += use.activeNeurons != valueAt(token.headRows, layer.layer);
                }
            }
        });
        int64_t round = 0;
        while (round < 20000 || seen < 1000) {
            const int64_t position = ++round % 50;
            for (int layer = 0; layer < 3; ++layer) {
                const ExpertUse use{1, 0.5f, true, valueAt(round, layer)};
                log->layerDone(position, layer, std::array{use, use}, 0);
            }
            log->tokenDone(position, round, 0);
        }
        stop = true;
        reader.join();
        QCOMPARE(wrong.load(), int64_t{0});
    }

    /// The second answer reuses the prompt of the first: its trace starts behind it.
    void ofARealRun_data() {
        QTest::addColumn<QString>("architecture");
        QTest::newRow("experts") << "smallthinker";
        QTest::newRow("dense") << "llama";
    }
    void ofARealRun() {
        QFETCH(QString, architecture);
        TinyModelOptions options;
        options.architecture = architecture.toStdString();
        const bool dense = architecture == "llama";
        const auto session = openTiny(folder_.save(options));
        QVERIFY(session);
        const ModelInfo& info = session->info();
        const auto log = make(traceShape(info), info.memory.context);
        PlainTrace plain;
        Both both(*log, plain);
        GenerateOptions generate = greedy(20);
        generate.trace = &both;
        for (const int64_t reused : {0, 30}) {
            const auto answer = session->complete("some words to read in one chunk", generate, {});
            QVERIFY(answer.ok());
            const int64_t prompt = answer->statistics.promptTokens;
            QCOMPARE(log->reused(), reused == 0 ? 0 : prompt - 1);
            QCOMPARE(log->reused(), plain.reused);
            QCOMPARE(log->promptTokens(), prompt);
            QCOMPARE(log->newest(), prompt + 18); // the last token drawn is not computed
            const std::vector<TracedToken> all = log->last(1000);
            QCOMPARE(all.size(), plain.tokens.size());
            QCOMPARE(all.front().position, log->reused());
            for (const TracedToken& token : all) {
                QVERIFY(same(token, plain.tokens[token.position]));
                QVERIFY(token.seconds > 0);
                QCOMPARE(token.layers.size(), size_t{2});
                for (const TracedLayer& layer : token.layers)
                    QVERIFY(!dense ||
                            (layer.uses.size() == 1 && layer.uses[0].expert == 0 && layer.uses[0].weight == 1));
            }
        }
    }

    /// Storing and reading back changes nothing, not even weights: they are kept in their steps.
    void storedAndReadBack() {
        for (const TraceShape& shape : {kLarge, kSmall, TraceShape{1, 1, 1, 0}, TraceShape{2, 65536, 3, 100000}})
            for (const int64_t tokens : {0, 1, 7, 200}) {
                const auto log = make(shape, 150);
                std::mt19937 random(5);
                log->answerBegins(3, 12);
                if (tokens > 0) pass(*log, random, shape, 3, tokens);
                const auto bytes = log->bytes();
                QVERIFY(bytes.ok());
                const auto back = TraceLog::read(bytes.value());
                QVERIFY(back.ok());
                QCOMPARE(back.value()->shape(), shape);
                QCOMPARE(back.value()->reused(), int64_t{3});
                QCOMPARE(back.value()->promptTokens(), int64_t{12});
                QCOMPARE(back.value()->newest(), log->newest());
                const std::vector<TracedToken> before = log->last(1000), after = back.value()->last(1000);
                QCOMPARE(after.size(), static_cast<size_t>(std::min<int64_t>(tokens, 150)));
                QCOMPARE(after, before);
                QCOMPARE(back.value()->bytes().value(), bytes.value());
            }
    }

    /// The header and a record to the byte, so that no machine reads it otherwise.
    void theStoredFormIsFixed() {
        const auto log = make({.layers = 2, .experts = 4, .expertsPerToken = 1, .neurons = 15}, 4);
        log->answerBegins(2, 3);
        for (const int layer : {0, 1}) log->layerDone(2, layer, std::array{ExpertUse{3, 1, true, 9}}, 0.5);
        log->tokenDone(2, 258, 0.25);
        // A layer has 56 bits: count 1 (1 bit), 0x3f000000 (32), expert 3 (2), hit (1), 9 (4), 65535 (16).
        const QByteArray wanted = QByteArray("CotTrace") + QByteArray::fromHex("01000000"
                                                                               "02000000"
                                                                               "04000000"
                                                                               "01000000"
                                                                               "0f000000"
                                                                               "02000000"
                                                                               "03000000"
                                                                               "02000000"
                                                                               "0100000000000000"
                                                                               "0000803e"
                                                                               "02010000");
        const auto bytes = log->bytes();
        QVERIFY(bytes.ok());
        const QByteArray got(reinterpret_cast<const char*>(bytes->data()), static_cast<qsizetype>(bytes->size()));
        QCOMPARE(got.toHex(), (wanted + QByteArray::fromHex("0100007e9effff"
                                                            "0100007e9effff"))
                                  .toHex());
    }

    /// A trace whose prompt is known has its hash behind the header. Traces of earlier versions have none.
    void thePromptIsKnownByItsHash() {
        const std::vector<TokenId> prompt{4, 300, 7}, other{4, 301, 7};
        QVERIFY(promptHash(prompt) != promptHash(other));
        QVERIFY(promptHash(prompt) != promptHash(std::span(prompt).first(2)));
        const auto log = make(kSmall, 5);
        log->answerBegins(1, 3);
        QVERIFY(!log->prompt());
        std::mt19937 random(9);
        pass(*log, random, kSmall, 1, 4);
        const std::vector<std::byte> without = log->bytes().value();
        QVERIFY(!TraceLog::read(without).value()->prompt());
        log->promptIs(prompt);
        const std::vector<std::byte> with = log->bytes().value();
        const auto back = TraceLog::read(with);
        QVERIFY(back.ok());
        QVERIFY(back.value()->prompt() == promptHash(prompt));
        QCOMPARE(back.value()->last(100), log->last(100));
        QCOMPARE(back.value()->bytes().value(), with);
        // 3 little-endian numbers of 32 bits, hashed by FNV-1a.
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(with.data()) + 48, 8).toHex(),
                 QByteArray("151af387329e5f2e"));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(with.data()) + 8, 4).toHex(), QByteArray("03000000"));
        // How many bytes follow; the first position; the ids 300 and 7; no question.
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(with.data()) + 56, 9).toHex(),
                 QByteArray("0500000001ac020700"));
        QCOMPARE(with.size(), without.size() + 17);
        log->answerBegins(1, 3); // another answer
        QVERIFY(!log->prompt());
    }

    /// The ids are stored from the first token that was read on, or from the question's first.
    void thePromptsTokensAreStored_data() {
        QTest::addColumn<int>("reused");
        QTest::addColumn<int>("first");
        QTest::newRow("all are read") << 0 << 0;
        QTest::newRow("the question is read") << 1 << 1;
        QTest::newRow("the question is reused") << 7 << 2;
    }
    void thePromptsTokensAreStored() {
        QFETCH(const int, reused);
        QFETCH(const int, first);
        const auto log = askedLog(reused);
        const std::vector<std::byte> bytes = log->bytes().value();
        const auto back = TraceLog::read(bytes);
        QVERIFY(back.ok());
        QCOMPARE(back.value()->bytes().value(), bytes);
        QVERIFY(back.value()->question() == kQuestion);
        for (int64_t position = -1; position <= 8; ++position) {
            const bool inPrompt = position >= 0 && position < 8;
            const TokenId id = inPrompt ? kAsked[static_cast<size_t>(position)] : -1;
            QCOMPARE(log->promptToken(position), id);
            QCOMPARE(back.value()->promptToken(position), position >= first ? id : -1);
        }
    }

    /// Version 2 has the hash alone.
    void aTraceOfAnEarlierVersionHasNoTokensOfThePrompt() {
        std::vector<std::byte> bytes = askedLog(0)->bytes().value();
        const auto length = std::to_integer<int64_t>(bytes[56]);
        bytes.erase(bytes.begin() + 56, bytes.begin() + 60 + length);
        bytes[8] = std::byte{2};
        const auto back = TraceLog::read(bytes);
        QVERIFY(back.ok());
        QVERIFY(back.value()->prompt() == promptHash(kAsked));
        QCOMPARE(back.value()->promptToken(3), -1);
        QVERIFY(back.value()->question().text.empty());
        QCOMPARE(back.value()->last(100), askedLog(0)->last(100));
        QCOMPARE(back.value()->bytes().value(), bytes);
    }

    /// Whatever is changed in the prompt's tokens: they are refused, or they say something else and are the same again.
    void damagedTokensOfThePrompt() {
        const std::vector<std::byte> whole = askedLog(0)->bytes().value();
        const auto end = 60 + std::to_integer<size_t>(whole[56]);
        int refused = 0;
        for (size_t at = 56; at < end; ++at)
            for (int value = 0; value < 256; ++value) {
                std::vector<std::byte> bytes = whole;
                bytes[at] = static_cast<std::byte>(value);
                const auto read = TraceLog::read(bytes);
                if (!read.ok()) {
                    QVERIFY(read.error().kind == ErrorKind::BadInput);
                    ++refused;
                    continue;
                }
                QCOMPARE(read.value()->bytes().value(), bytes);
                const QuestionTokens question = read.value()->question();
                uint32_t before = 0;
                for (const QuestionTokens::Range& range : question.text) {
                    QVERIFY(before <= range.begin && range.begin <= range.end && range.end <= question.bytes);
                    before = range.end;
                }
                QVERIFY(question.first + static_cast<int64_t>(question.text.size()) <= 8);
            }
        QVERIFY2(refused > 1000, qPrintable(QString::number(refused)));
    }

    void aQuestionOfAnotherPromptIsNotKept() {
        const auto log = make(kSmall, 20);
        log->answerBegins(0, 8);
        log->questionIs(kQuestion); // no prompt has come
        QVERIFY(log->question().text.empty());
        log->promptIs(std::span(kAsked).first(5)); // not as many as were announced
        QCOMPARE(log->promptToken(0), -1);
        log->promptIs(kAsked);
        log->questionIs({.first = 6, .bytes = 9, .text = {{0, 2}, {2, 5}, {5, 9}}}); // beyond the prompt's end
        QVERIFY(log->question().text.empty());
        log->questionIs(kQuestion);
        QVERIFY(log->question() == kQuestion);
        log->answerBegins(0, 8);
        QVERIFY(log->question().text.empty());
        QCOMPARE(log->promptToken(0), -1);
    }

    void damagedBytes_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<int>("value");
        QTest::addColumn<int>("kind");
        const int bad = static_cast<int>(ErrorKind::BadInput);
        QTest::newRow("magic") << 0 << int{'c'} << bad;
        QTest::newRow("later version") << 8 << 4 << static_cast<int>(ErrorKind::Unsupported);
        QTest::newRow("a version with the prompt's hash, which is not there") << 8 << 2 << bad;
        QTest::newRow("a version with the prompt's tokens, which are not there") << 8 << 3 << bad;
        QTest::newRow("layers") << 12 << 4 << bad;
        QTest::newRow("more layers than any") << 15 << 255 << bad;
        QTest::newRow("no experts") << 16 << 0 << bad;
        QTest::newRow("more experts per token") << 20 << 3 << bad;
        QTest::newRow("neurons") << 27 << 255 << bad;
        QTest::newRow("more reused than read") << 28 << 200 << bad;
        QTest::newRow("a prompt of billions") << 35 << 255 << bad;
        QTest::newRow("a position of billions") << 39 << 255 << bad;
        QTest::newRow("fewer tokens") << 40 << 4 << bad;
        QTest::newRow("more tokens than bytes") << 47 << 255 << bad;
        QTest::newRow("negative seconds") << 51 << 255 << bad;
        QTest::newRow("three experts of two") << 56 << 255 << bad;
    }
    void damagedBytes() {
        QFETCH(int, at);
        QFETCH(int, value);
        QFETCH(int, kind);
        const auto log = make(kSmall, 5);
        std::mt19937 random(6);
        log->answerBegins(0, 2);
        pass(*log, random, kSmall, 0, 5);
        std::vector<std::byte> bytes = log->bytes().value();
        QVERIFY(TraceLog::read(bytes).ok());
        bytes[static_cast<size_t>(at)] = static_cast<std::byte>(value);
        const uint64_t before = allocations;
        const auto read = TraceLog::read(bytes);
        QVERIFY(!read.ok());
        QVERIFY(allocations - before < 100);
        QCOMPARE(static_cast<int>(read.error().kind), kind);
        QVERIFY(!read.error().why.empty());
    }

    void partsOfATrace() {
        const auto log = make(kSmall, 3);
        std::mt19937 random(7);
        pass(*log, random, kSmall, 0, 3);
        std::vector<std::byte> bytes = log->bytes().value();
        for (size_t n = 0; n < bytes.size(); ++n) QVERIFY(!TraceLog::read(std::span(bytes).first(n)));
        bytes.push_back({});
        QVERIFY(!TraceLog::read(bytes));
    }

    void anEmptyTraceBeginsAtTheFirstPosition() {
        const auto log = make(kSmall, 3);
        std::vector<std::byte> bytes = log->bytes().value();
        QVERIFY(TraceLog::read(bytes).ok());
        bytes[36] = std::byte{1}; // it would be stored again with other bytes
        QVERIFY(!TraceLog::read(bytes));
    }

    void shapesOfNoModel() {
        for (const TraceShape& shape : {TraceShape{-1, 0, 0, 0}, TraceShape{4, 70000, 2, 0}, TraceShape{4, 2, 3, 0},
                                        TraceShape{4, 8, 2, -1}, TraceShape{70000, 8, 2, 0}})
            QVERIFY(!TraceLog::create(shape, 10));
        QVERIFY(!TraceLog::create({65536, 65536, 65536, 0}, 10)); // some 17 GiB per token
        QVERIFY(!TraceLog::create(kSmall, 0));
        const auto huge = TraceLog::create(kLarge, std::numeric_limits<int64_t>::max());
        QVERIFY(!huge && huge.error().kind == ErrorKind::OutOfMemory);
    }
};

QTEST_APPLESS_MAIN(TestTraceLog)
#include "tst_trace_log.moc"
