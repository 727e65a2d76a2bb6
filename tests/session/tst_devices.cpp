// SPDX-License-Identifier: Apache-2.0
// Devices of a session: which one is chosen, what is said of its limits, and what happens when it is lost in the middle
// of a prompt or an answer.
#include "fakes/losing_backend.h"
#include "fakes/second_backend.h"
#include "model/model_shape.h"
#include "session/devices.h"
#include "session/opened_model.h"
#include "support/effort.h"
#include "support/random.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <thread>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// An answer as a caller sees it.
struct Heard {
    std::vector<TokenId> tokens;
    std::string text;
    int64_t promptDone = 0;
    bool promptRises = true;
    DeltaCallback listen() {
        return [this](const Delta& d) {
            if (d.token >= 0) tokens.push_back(d.token);
            text += d.text;
            promptRises &= d.promptDone >= std::exchange(promptDone, d.promptDone);
        };
    }
};

/// Longer than a chunk.
const std::string& prompt() {
    static const std::string text = [] {
        std::string words;
        while (words.size() < 330) words += "A prompt of some words, none of which a tiny vocabulary knows. ";
        return words;
    }();
    return text;
}

} // namespace

class TestDevices : public QObject {
    Q_OBJECT

    ModelFolder folder_;
    std::string path_;

    OpenOptions on(DeviceScript& script) const {
        OpenOptions options;
        options.path = path_;
        options.threads = 1;
        options.memory = uint64_t{4} << 30;
        options.device = script.name;
        options.devices = losingDevices({&script});
        return options;
    }
    std::unique_ptr<Session> open(const OpenOptions& options) const {
        Result<std::unique_ptr<Session>> session = openSession(options);
        if (session) return std::move(session).value();
        qWarning("%s", session.error().line().c_str());
        return nullptr;
    }

  private Q_SLOTS:
    void initTestCase() {
        TinyModelOptions tiny;
        tiny.architecture = "smallthinker";
        tiny.context = 512;
        path_ = folder_.save(tiny);
    }

    void aDeviceIsChosenByName() {
        DeviceScript broken{.name = "fake:0", .problem = "Its driver is too old"}, good{.name = "fake:1"},
            other{.name = "other"};
        const DeviceFactory factory = losingDevices({&broken, &good, &other});
        QCOMPARE(listDevices(factory).size(), size_t{4});
        QCOMPARE(listDevices().front().name, std::string("cpu"));
        const auto chosen = [](const DeviceFactory& from, const char* name) {
            const Result<DeviceInfo> device = chooseDevice(from, name);
            return device ? device->name : device.error().line();
        };
        QCOMPARE(chosen(factory, "cpu"), std::string("cpu"));
        QCOMPARE(chosen(factory, "auto"), std::string("cpu")); // a model decides, see tst_automatic_device
        QCOMPARE(chosen(factory, "fake"), std::string("fake:1"));
        QCOMPARE(chosen(factory, "other"), std::string("other"));
        QVERIFY(chosen(factory, "fake:0").find("driver is too old") != std::string::npos);
        QCOMPARE(chooseDevice(factory, "fake:0").error().kind, ErrorKind::Unsupported);
        for (const char* unknown : {"", "fak", "fake:2", "cpu:0", "CPU"}) {
            QCOMPARE(chooseDevice(factory, unknown).error().kind, ErrorKind::BadInput);
            QVERIFY(chosen(factory, unknown).find("cpu, fake:0, fake:1, other") != std::string::npos);
        }
    }

    /// Listing devices opens drivers.
    void devicesAreListedOnlyWhereTheyMatter() {
        DeviceScript script;
        DeviceFactory factory = losingDevices({&script});
        int lists = 0;
        factory.list = [&lists, list = factory.list] {
            ++lists;
            return list();
        };
        QCOMPARE(chooseDevice(factory, "cpu")->name, std::string("cpu"));
        QCOMPARE(lists, 0);
        QCOMPARE(chooseDevice(factory, "fake")->name, std::string("fake:0"));
        QCOMPARE(lists, 1);
    }

    /// To try a device takes seconds: opening a model leaves that to the backend.
    void devicesAreTriedWhereTheyAreListed() {
        DeviceScript good{.name = "fake:0"}, bad{.name = "fake:1"}, old{.name = "fake:2", .problem = "Too old"};
        DeviceFactory factory = losingDevices({&good, &bad, &old});
        std::vector<std::string> tried;
        factory.test = [&tried](const std::string& name) {
            tried.push_back(name);
            return name == "fake:1" ? Sentence("It adds wrongly") : Sentence();
        };
        QCOMPARE(chooseDevice(factory, "fake:1")->name, std::string("fake:1"));
        QVERIFY(tried.empty());
        const std::vector<DeviceInfo> listed = listDevices(factory);
        QCOMPARE(tried, (std::vector<std::string>{"fake:0", "fake:1"}));
        QVERIFY(listed[0].usable() && listed[1].usable());
        QCOMPARE(listed[2].problem.english(), std::string("It adds wrongly"));
        QVERIFY(!listed[0].passedSelfTest && listed[1].passedSelfTest == true && listed[2].passedSelfTest == false);
        QVERIFY(!listed[3].passedSelfTest);
        QCOMPARE(listed[3].problem.english(), std::string("Too old"));
    }

    void itsNameIsToldAndItsLimits() {
        DeviceScript script;
        const auto able = open(on(script));
        QVERIFY(able);
        QCOMPARE(able->info().device, std::string("fake:0"));
        QCOMPARE(able->telemetry().deviceName, std::string("fake:0"));
        script.abilities = {.trace = false, .predictedHead = false, .approximateRouting = false, .sameBits = false};
        const auto unable = open(on(script));
        QVERIFY(unable);
        QCOMPARE(unable->info().notes.size(), able->info().notes.size() + 4);
        QVERIFY(script.calls == 0);

        struct Sink final : TraceSink {
            int layers = 0, tokens = 0;
            void layerDone(int64_t, int, std::span<const ExpertUse>, double) override { ++layers; }
            void tokenDone(int64_t, int64_t, double) override { ++tokens; }
        } sink;
        GenerateOptions generate = greedy(4);
        generate.trace = &sink;
        generate.routing.preferCached = 1;
        generate.routing.topWeightShare = 0.1f;
        const Result<Generated> answer = unable->complete(prompt(), generate, {});
        QVERIFY(answer.ok());
        QVERIFY(sink.layers == 0 && sink.tokens > 0);
        QCOMPARE(answer->statistics.decoding.choicesChanged, uint64_t{0});
        QCOMPARE(answer->statistics.exactness, Exactness::SamePlacement);
        QCOMPARE(able->complete(prompt(), greedy(4), {})->statistics.exactness, Exactness::SameBits);
    }

    /// A thousand times, at a random call: every word once, and the same words as without a loss. The device holds half
    /// of the experts.
    void aLostDeviceLosesNoWord() {
        SecondBackendScript second;
        const auto halfOf = [&second](DeviceScript& script) {
            script.memory = uint64_t{1} << 30;
            script.abilities = SecondBackend::abilitiesOf(second);
            script.inner = [&second](const BackendOptions& made) {
                return std::make_unique<SecondBackend>(second, made);
            };
        };
        DeviceScript script;
        halfOf(script);
        Heard want;
        const auto whole = open(on(script));
        QVERIFY(whole && whole->complete(prompt(), greedy(16), want.listen()).ok());
        const int64_t calls = script.calls;
        QVERIFY(calls > 40 && !want.text.empty());
        Random random(11);
        std::set<int64_t> at;
        const int kLosses = longTests() ? 1000 : kSanitized ? 40 : 150;
        for (int i = 0; i < kLosses; ++i) {
            DeviceScript losing;
            halfOf(losing);
            losing.callsUntilLost = static_cast<int64_t>(random.bits() % static_cast<uint64_t>(calls));
            at.insert(losing.callsUntilLost);
            const auto session = open(on(losing));
            QVERIFY(session);
            Heard heard;
            const Result<Generated> answer = session->complete(prompt(), greedy(16), heard.listen());
            QVERIFY2(answer.ok(), answer ? "" : answer.error().line().c_str());
            QVERIFY(heard.tokens == want.tokens && heard.text == want.text && answer->text() == want.text);
            QVERIFY(heard.promptRises && heard.promptDone == want.promptDone);
            QCOMPARE(answer->notes.size(), size_t{1});
            QCOMPARE(session->telemetry().deviceName, std::string("cpu"));
            QCOMPARE(losing.alive.load(), 0);
            QCOMPARE(answer->statistics.exactness, Exactness::SameBits);
            // The next answer has nothing to tell of it.
            if (i % 100 == 0) QVERIFY(session->complete("Again", greedy(2), {})->notes.empty());
        }
        QVERIFY(at.size() > static_cast<size_t>(std::min<int64_t>(calls, kLosses)) / 2);
        QVERIFY(second.ownRows > 0 && second.missingRows > 0);
    }

    /// Each place stays within its part of the plan, and the CPU alone computes the same.
    void memoryIsPlannedByPlace() {
        SecondBackendScript second;
        DeviceScript script;
        script.memory = uint64_t{8} << 20;
        script.abilities = SecondBackend::abilitiesOf(second);
        script.inner = [&second](const BackendOptions& made) { return std::make_unique<SecondBackend>(second, made); };
        const auto session = open(on(script));
        QVERIFY(session);
        const Result<Generated> both = session->complete(prompt(), greedy(8), {});
        OpenOptions alone = on(script);
        alone.device = "cpu";
        const auto cpu = open(alone);
        const Result<Generated> same = cpu->complete(prompt(), greedy(8), {});
        QVERIFY(both.ok() && same.ok() && both->text() == same->text());
        const MemoryPlan plan = session->telemetry().plan, whole = cpu->telemetry().plan;
        QCOMPARE(plan.device.name, std::string("fake:0"));
        QVERIFY(plan.device.total() <= script.memory && plan.device.slots > 0);
        QVERIFY(plan.device.resident == whole.resident && plan.device.keyValue == whole.keyValue);
        QVERIFY(plan.keyValue == 0 && plan.resident < whole.resident && plan.total() < whole.total());
        QVERIFY(whole.device.name.empty() && whole.device.total() == 0);
        const Telemetry used = session->telemetry();
        QVERIFY(used.device.residentBytes > 0 && used.device.total() <= plan.device.total());
        QVERIFY(used.keyValueBytes == 0 && used.residentBytes <= plan.resident && used.scratchBytes <= plan.scratch);
        OpenOptions limited = on(script);
        limited.deviceMemory = script.memory + 1; // no device has more than it has
        QCOMPARE(open(limited)->telemetry().plan.device.total(), plan.device.total());
        limited.deviceMemory = uint64_t{1} << 16;
        QCOMPARE(openSession(limited).error().kind, ErrorKind::OutOfMemory);
        script.memory = uint64_t{1} << 16;
        const Result<std::unique_ptr<Session>> small = openSession(on(script));
        QCOMPARE(small.error().kind, ErrorKind::OutOfMemory);
        QVERIFY(small.error().line().find("fake:0") != std::string::npos);
    }

    /// An optional device that is unknown, broken or too small: the CPU computes, and a note says why.
    void theCpuTakesAnOptionalDevicesPlace_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown") << "fake:7"
                                 << "This machine has cpu";
        QTest::newRow("broken") << "fake:0"
                                << "Its driver is too old";
        QTest::newRow("too small") << "fake:1"
                                   << "fake:1";
    }
    void theCpuTakesAnOptionalDevicesPlace() {
        QFETCH(QString, wanted);
        QFETCH(QString, words);
        DeviceScript broken{.name = "fake:0", .problem = "Its driver is too old"};
        DeviceScript small{.name = "fake:1", .memory = uint64_t{1} << 16};
        OpenOptions options = on(small);
        options.device = wanted.toStdString();
        options.devices = losingDevices({&broken, &small});
        QVERIFY(!openSession(options).ok());
        OpenOptions plain = options;
        plain.device = "cpu";
        options.deviceOptional = true;
        const auto session = open(options), cpu = open(plain);
        QVERIFY(session && cpu);
        QCOMPARE(session->info().device, std::string("cpu"));
        QCOMPARE(session->info().notes.size(), cpu->info().notes.size() + 1);
        const std::string note = session->info().notes.back().english();
        QVERIFY2(note.find(words.toStdString()) != std::string::npos, note.c_str());
        QVERIFY(note.starts_with("The processor computes this model"));
        QCOMPARE(session->complete(prompt(), greedy(4), {})->text(), cpu->complete(prompt(), greedy(4), {})->text());
        QCOMPARE(small.alive.load(), 0);
        QVERIFY(inspectModel(options)->problems.empty());
    }

    /// A device that does not compute what the layers need leaves the model to the CPU, unless it was asked for by
    /// name.
    void aDeviceNamesWhatItLacks() {
        ModelShape shape;
        shape.layer.resize(2);
        DeviceInfo device{.name = "fake:0", .description = "A device of a test"};
        std::vector<Sentence> notes;
        OpenOptions automatic, named, optional;
        automatic.device = "auto";
        named.device = optional.device = "fake:0";
        optional.deviceOptional = true;
        device.abilities.lacks = {LayerNeed::GatedAttention, LayerNeed::DeltaRule};
        QCOMPARE(deviceFor(shape, device, named, notes)->name, std::string("fake:0"));
        shape.layer[1].mixer = Mixer::DeltaRule;
        shape.layer[0].attention.gated = true;
        QVERIFY(notes.empty());
        for (const OpenOptions* options : {&automatic, &optional}) {
            notes.clear();
            QCOMPARE(deviceFor(shape, device, *options, notes)->name, std::string("cpu"));
            QCOMPARE(notes.size(), size_t{1});
            QCOMPARE(notes.front().english(),
                     std::string("The processor computes this model, not the device fake:0: It lacks what some layers "
                                 "need: gates on attention, the gated delta rule"));
        }
        const Result<DeviceInfo> refused = deviceFor(shape, device, named, notes);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Unsupported);
        device.abilities.lacks = {LayerNeed::DeltaRule};
        shape.layer[1].mixer = Mixer::Attention;
        QCOMPARE(deviceFor(shape, device, named, notes)->name, std::string("fake:0"));
    }

    void logitsAreToldOnce() {
        DeviceScript script;
        std::vector<TokenId> tokens(100);
        for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<TokenId>(i % 50);
        const auto logitsOn = [&](const OpenOptions& options) {
            std::vector<std::vector<float>> all;
            const auto session = open(options);
            const Status status = session->logits(
                tokens,
                [&](int64_t position, std::span<const float> logits) {
                    if (position == static_cast<int64_t>(all.size()))
                        all.emplace_back(logits.begin(), logits.end());
                    else
                        all.clear();
                },
                nullptr);
            return status ? all : std::vector<std::vector<float>>();
        };
        const auto want = logitsOn(on(script));
        QCOMPARE(want.size(), tokens.size());
        for (int64_t lost = 0; lost < script.calls; ++lost) {
            DeviceScript losing;
            losing.callsUntilLost = lost;
            QVERIFY(logitsOn(on(losing)) == want);
        }
    }

    /// The counts of the lost device and of the next one add up, and other threads may ask at any time.
    void othersMayLookMeanwhile() {
        for (const int64_t lost : {0, 7, 20, 33}) {
            DeviceScript losing;
            losing.callsUntilLost = lost;
            const auto session = open(on(losing));
            QVERIFY(session);
            std::atomic<bool> over{false}, rises{true};
            std::thread other([&] {
                uint64_t read = 0, choices = 0;
                while (!over) {
                    const Telemetry now = session->telemetry();
                    if (now.counts.weightBytesRead < read || now.counts.choices < choices) rises = false;
                    read = now.counts.weightBytesRead;
                    choices = now.counts.choices;
                    if (now.plan.context != session->info().memory.context) rises = false;
                }
            });
            const Result<Generated> answer = session->complete(prompt(), greedy(16), {});
            over = true;
            other.join();
            QVERIFY(answer.ok() && rises);
            const GenerationStatistics& s = answer->statistics;
            QVERIFY(s.decoding.choices > 0 && s.decoding.choices < 1000000 &&
                    s.decoding.weightBytesRead < (uint64_t{1} << 40));
        }
    }

    /// A stop while the next device reads its weights ends the answer; the call after it opens the device.
    void aStopWhileAnotherDeviceIsOpened() {
        DeviceScript losing;
        losing.callsUntilLost = 12;
        OpenOptions options = on(losing);
        std::atomic<bool> cancel{false}, watches{false};
        options.memory = 0;
        options.readMemory = [&] { // asked when the next device is planned
            if (watches && losing.alive == 0) cancel = true;
            return MemoryReading{};
        };
        const auto session = open(options);
        QVERIFY(session);
        watches = true;
        GenerateOptions stopping = greedy(16);
        stopping.cancel = &cancel;
        const Result<Generated> stopped = session->complete(prompt(), stopping, {});
        QVERIFY(stopped.ok());
        QCOMPARE(stopped->reason, FinishReason::Cancelled);
        QCOMPARE(session->telemetry().deviceName, std::string());
        const Result<Generated> again = session->complete(prompt(), greedy(16), {});
        QVERIFY(again.ok());
        QCOMPARE(again->reason, FinishReason::MaxTokens);
        QVERIFY(again->notes.size() == 1 && again->notes.front().english().find("fake:0") != std::string::npos);
        QCOMPARE(session->telemetry().deviceName, std::string("cpu"));
    }

    /// Nothing can take its place: an error that says why. As soon as there is memory again, answers go on.
    void noRoomForAnotherDevice() {
        DeviceScript losing;
        losing.callsUntilLost = 12;
        OpenOptions options = on(losing);
        std::atomic<bool> full{false};
        options.memory = 0;
        options.readMemory = [&full] {
            constexpr uint64_t some = uint64_t{1} << 30, few = uint64_t{1} << 16;
            return MemoryReading{.resident = few, .total = some, .available = full ? few : some};
        };
        const auto session = open(options);
        QVERIFY(session);
        full = true;
        Heard heard;
        const Result<Generated> failed = session->complete(prompt(), greedy(16), heard.listen());
        QVERIFY(!failed.ok());
        QCOMPARE(failed.error().kind, ErrorKind::OutOfMemory);
        full = false;
        const Result<Generated> again = session->complete(prompt(), greedy(16), {});
        QVERIFY(again.ok() && again->statistics.generated == 16);
        QCOMPARE(losing.alive.load(), 0);
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "tst_devices.moc"
