// SPDX-License-Identifier: Apache-2.0
// Tests the record of how often experts were used: a session keeps it, the next one reads the experts first that were
// used most and divides slots of two sizes by it, and a file that is not as it should be counts as none.
#include "decoder/tiny_families.h"
#include "session/heat_record.h"
#include "session/opened_model.h"
#include "support/damage.h"

#include <QFile>
#include <QtTest>

#include <limits>
#include <numeric>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kLayers = 6, kExperts = 16;

TinyModelOptions sparse(uint64_t seed = 1) {
    TinyModelOptions options{.architecture = "qwen3moe", .layers = kLayers, .tied = false, .seed = seed};
    options.width = options.feedForward = 256;
    options.experts = kExperts;
    return options;
}

ExpertIndex indexOf(int64_t layers = kLayers, int64_t experts = kExperts) {
    return ExpertIndex(std::vector<int64_t>(static_cast<size_t>(layers), experts));
}

/// A heat of 100 tokens in which every third expert is hot.
ExpertHeat thirds() {
    ExpertHeat heat{.tokens = std::vector<float>(kLayers, 100), .uses = std::vector<float>(kLayers * kExperts, 1)};
    for (size_t i = 0; i < heat.uses.size(); i += 3) heat.uses[i] = 60;
    return heat;
}

} // namespace

class TestHeatRecord : public QObject {
    Q_OBJECT

    ModelFolder folder_;
    std::string path_, other_, mixed_;

    std::string made(const char* name) const { return folder_.folder().toStdString() + "/" + name; }
    std::unique_ptr<ModelFile> model(const std::string& path) const {
        auto file = ModelFile::open(systemFiles(), path);
        if (!file) qFatal("%s", file.error().line().c_str());
        return std::move(file).value();
    }
    HeatRecord record(const std::string& folder) const {
        return HeatRecord(systemFiles(), folder, *model(path_), indexOf());
    }
    static OpenOptions optionsOf(const std::string& path, const std::string& records, uint64_t memory = 0) {
        OpenOptions options;
        options.path = path;
        options.threads = 2;
        options.memory = memory;
        options.held = 8 << 20;
        options.recordsFolder = records;
        return options;
    }
    static std::unique_ptr<Session> opened(const OpenOptions& options) {
        auto session = openSession(options);
        if (!session) qFatal("%s", session.error().line().c_str());
        return std::move(session).value();
    }
    std::unique_ptr<Session> open(const std::string& records, uint64_t memory = 0) const {
        return opened(optionsOf(path_, records, memory));
    }
    /// A budget with which so many experts have a slot.
    static uint64_t budgetFor(const std::string& path, uint64_t slots) {
        OpenOptions options = optionsOf(path, {});
        const MemoryPlan all = inspectModel(options)->memory;
        for (options.memory = all.total();; options.memory -= all.slotBytes / 2)
            if (inspectModel(options)->memory.slots <= slots) return options.memory;
    }

  private Q_SLOTS:
    void initTestCase() {
        path_ = folder_.save(sparse());
        other_ = folder_.save(sparse(2), "other.gguf");
        TinyModelOptions mixed = sparse(3);
        mixed.typeOf = downMatricesOfTwoFormats;
        mixed_ = folder_.save(mixed, "mixed.gguf");
        QVERIFY(!path_.empty() && !other_.empty() && !mixed_.empty());
    }

    /// With room for a third of the experts, a third of them is hot. They are in memory before anything was asked.
    void theNextStartReadsTheHottestFirst() {
        const std::string folder = made("first");
        record(folder).keep(thirds());
        const auto session = open(folder, budgetFor(path_, kLayers * kExperts / 3));
        const auto slots = static_cast<size_t>(session->info().memory.slots);
        QVERIFY(slots > 20 && slots <= 32);
        std::vector<uint8_t> states(kLayers * kExperts);
        const auto inMemory = [&] {
            session->expertStates(states);
            return std::count(states.begin(), states.end(), static_cast<uint8_t>(ExpertState::InMemory));
        };
        QTRY_COMPARE(inMemory(), static_cast<std::ptrdiff_t>(slots));
        for (size_t i = 0; i < states.size(); ++i)
            if (i % 3 != 0) QCOMPARE(states[i], static_cast<uint8_t>(ExpertState::OnDisk));
    }

    /// The large experts were used most. The description of the model, the session, its store and what a replay takes
    /// all have the same slots, within the budget; with a damaged record they are those without one.
    void slotsOfTwoSizesFollowUse() {
        const std::string folder = made("two sizes");
        ExpertHeat heat{.tokens = std::vector<float>(kLayers, 100), .uses = {}};
        for (int layer = 0; layer < kLayers; ++layer)
            heat.uses.insert(heat.uses.end(), kExperts, layer % 2 == 0 ? 60 : 1);
        HeatRecord(systemFiles(), folder, *model(mixed_), indexOf()).keep(heat);
        const uint64_t budget = budgetFor(mixed_, kLayers * kExperts / 2);
        const OpenOptions options = optionsOf(mixed_, folder, budget);
        const MemoryPlan even = inspectModel(optionsOf(mixed_, {}, budget))->memory,
                         plan = inspectModel(options)->memory;
        QVERIFY(plan.smallSlots() > 0 && 2 * plan.smallSlots() < even.smallSlots());
        QVERIFY(plan.slots < even.slots && plan.total() <= budget);
        QCOMPARE(readStoreSlots(options)->layout(plan.slots).countOf(SlotSize::Small, plan.slots), plan.smallSlots());
        {
            const auto session = opened(options);
            QCOMPARE(session->info().memory.slots, plan.slots);
            QCOMPARE(session->info().memory.smallSlots(), plan.smallSlots());
            std::vector<uint8_t> states(kLayers * kExperts);
            const auto inMemory = [&](size_t odd) {
                session->expertStates(states);
                uint64_t count = 0;
                for (size_t i = 0; i < states.size(); ++i)
                    count += i / kExperts % 2 == odd && states[i] == static_cast<uint8_t>(ExpertState::InMemory);
                return count;
            };
            QTRY_COMPARE(inMemory(0), plan.slots - plan.smallSlots());
            QTRY_COMPARE(inMemory(1), plan.smallSlots());
        }
        const QDir records(QString::fromStdString(folder));
        const QStringList names = records.entryList(QStringList{"heat-*"}, QDir::Files);
        QCOMPARE(names.size(), 1);
        QVERIFY(QFile::resize(records.filePath(names[0]), 40));
        QCOMPARE(inspectModel(options)->memory.smallSlots(), even.smallSlots());
        QCOMPARE(inspectModel(options)->memory.slots, even.slots);
        QCOMPARE(opened(options)->info().memory.smallSlots(), even.smallSlots());
    }

    void aSessionKeepsWhatItUsed() {
        const std::string folder = made("kept");
        const std::vector<TokenId> prompt = randomTokens(20, 300);
        {
            const auto session = open(folder);
            QVERIFY(session->completeTokens(prompt, greedy(5), {}).ok());
            QVERIFY(!QFile::exists(QString::fromStdString(folder)) || record(folder).known().empty());
        }
        const HeatRecord first = record(folder);
        QCOMPARE(first.known().tokens, std::vector<float>(kLayers, 24)); // the last token is not read
        const float uses = std::accumulate(first.known().uses.begin(), first.known().uses.end(), 0.0F);
        QCOMPARE(uses, 24.0F * kLayers * static_cast<float>(sparse().expertsPerToken));
        { const auto unused = open(folder); }
        QVERIFY(record(folder).known() == first.known());
        { QVERIFY(open(folder)->completeTokens(prompt, greedy(5), {}).ok()); }
        QCOMPARE(record(folder).known().tokens, std::vector<float>(kLayers, 48));
    }

    /// Earlier runs don't weigh more than a few thousand tokens.
    void oldUsesFade() {
        const std::string folder = made("faded");
        ExpertHeat heat = thirds();
        for (float& tokens : heat.tokens) tokens *= 1000;
        for (float& uses : heat.uses) uses *= 1000;
        record(folder).keep(heat);
        const ExpertHeat known = record(folder).known();
        QCOMPARE(known.tokens[0], 4096.0F);
        QCOMPARE(known.uses[0], 0.6F * 4096.0F);
    }

    void damagedOrForeignCountsAsNone() {
        const std::string folder = made("damaged");
        record(folder).keep(thirds());
        QVERIFY(record(folder).known() == thirds());
        QVERIFY(HeatRecord(systemFiles(), folder, *model(other_), indexOf()).known().empty());
        QVERIFY(HeatRecord(systemFiles(), folder, *model(path_), indexOf(kLayers, kExperts - 1)).known().empty());
        QVERIFY(HeatRecord(systemFiles(), folder, *model(path_), indexOf(kLayers / 2, kExperts * 2)).known().empty());
        QVERIFY(record({}).known().empty());

        const QString name = QDir(QString::fromStdString(folder)).entryList(QDir::Files).value(0);
        QFile file(QString::fromStdString(folder) + "/" + name);
        QVERIFY(file.open(QFile::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        const auto known = [&](const QByteArray& bytes) {
            QFile changed(file.fileName());
            if (!changed.open(QFile::WriteOnly) || changed.write(bytes) != bytes.size()) qFatal("it can't be written");
            changed.close();
            return !record(folder).known().empty();
        };
        QVERIFY(known(whole));
        QCOMPARE(damageTaken(whole, known), QString());
        QVERIFY(known(whole));
    }

    /// Numbers that can't be: they are neither kept nor believed.
    void impossibleNumbersCountAsNone() {
        const std::string folder = made("impossible");
        for (const float wrong :
             {-1.0F, 101.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
            ExpertHeat heat = thirds();
            heat.uses[5] = wrong;
            record(folder).keep(heat);
            QVERIFY(record(folder).known().empty());
        }
        ExpertHeat endless = thirds();
        endless.tokens[1] = std::numeric_limits<float>::infinity();
        record(folder).keep(endless);
        QVERIFY(record(folder).known().empty());
    }

    /// A folder that can't be written costs the record, and nothing else.
    void withoutAFolderToWrite() {
        const std::string folder = made("no folder");
        QFile file(QString::fromStdString(folder));
        QVERIFY(file.open(QFile::WriteOnly));
        QVERIFY(open(folder)->completeTokens(randomTokens(20, 300), greedy(2), {}).ok());
        QVERIFY(record(folder).known().empty());
    }
};

QTEST_GUILESS_MAIN(TestHeatRecord)
#include "tst_heat_record.moc"
