// SPDX-License-Identifier: Apache-2.0
// The device "auto": it is one whose rates promise enough beside the CPU's, and the reason is told. The rates are made
// up, those of the CPU too.
#include "fakes/losing_backend.h"
#include "session/automatic_device.h"
#include "session/opened_model.h"

#include <QtTest>

#include <algorithm>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr double kCpuRate = 1e9;

/// The same rates in all formats, and no costs: a device promises its rates over those of the CPU.
DeviceRates ratesOf(double answers, double prompts) {
    DeviceRates rates;
    for (const TensorType type : supportedFormats()) rates.formats.push_back({type, answers, prompts});
    return rates;
}

DeviceRates times(double answers, double prompts) { return ratesOf(answers * kCpuRate, prompts * kCpuRate); }

} // namespace

class TestAutomaticDevice : public QObject {
    Q_OBJECT

    ModelFolder folder_;
    std::string path_;

    OpenOptions automatic(const std::vector<DeviceScript*>& scripts) const {
        OpenOptions options;
        options.path = path_;
        options.threads = 1;
        options.memory = uint64_t{4} << 30;
        options.device = "auto";
        options.devices = losingDevices(scripts);
        options.measureCpu = [](std::span<const TensorType>) { return ratesOf(kCpuRate, kCpuRate); };
        return options;
    }
    std::unique_ptr<Session> open(const OpenOptions& options) const {
        Result<std::unique_ptr<Session>> session = openSession(options);
        if (session) return std::move(session).value();
        qWarning("%s", session.error().line().c_str());
        return nullptr;
    }
    /// "device: why" of a model that is opened with these options. It checks that the reason is a note, too, and that
    /// a look at the model's file alone gives the same.
    std::string chosen(const OpenOptions& options) const {
        const auto session = open(options);
        if (!session) return "not opened";
        const ModelInfo& info = session->info();
        const std::string why = info.deviceChoice.english();
        const auto isNoted = [&](const ModelInfo& model) {
            return std::ranges::count(model.notes, info.deviceChoice) == (info.deviceChoice.empty() ? 0 : 1);
        };
        const Result<ModelInfo> inspected = inspectModel(options);
        if (!inspected || inspected->deviceChoice.english() != why || !isNoted(*inspected) || !isNoted(info))
            return "told in two ways: " + why;
        return info.device + ": " + why;
    }

  private Q_SLOTS:
    void initTestCase() { path_ = folder_.save({.architecture = "qwen3moe"}); }

    void aDeviceIsTakenForWhatItPromises_data() {
        QTest::addColumn<double>("answers");
        QTest::addColumn<double>("prompts");
        QTest::addColumn<QString>("want");
        const QString taken = QStringLiteral("fake:0: The device fake:0 computes this model: it promises ");
        const QString refused =
            QStringLiteral("cpu: The processor computes this model, not the device fake:0: It promises ");
        const QString speed = QStringLiteral("%1 times the processor's speed for answers and %2 times for prompts");
        const QString least = QStringLiteral(", and one of them must be at least 1.2");
        QTest::newRow("just over") << 1.2001 << 0.5 << taken + speed.arg("1.2", "0.5");
        QTest::newRow("just under") << 1.1999 << 0.5 << refused + speed.arg("1.19", "0.5") + least;
        QTest::newRow("prompts alone") << 0.8 << 1.25 << taken + speed.arg("0.8", "1.25");
        QTest::newRow("slower") << 0.8 << 0.1 << refused + speed.arg("0.8", "0.1") + least;
        QTest::newRow("a large card") << 40.0 << 90.0 << taken + speed.arg("40", "90");
    }
    void aDeviceIsTakenForWhatItPromises() {
        QFETCH(double, answers);
        QFETCH(double, prompts);
        QFETCH(QString, want);
        DeviceScript script{.rates = times(answers, prompts)};
        QCOMPARE(QString::fromStdString(chosen(automatic({&script}))), want);
        QCOMPARE(script.alive.load(), 0);
    }

    void aDeviceThatIsTakenComputes() {
        DeviceScript script{.rates = times(2, 2)};
        const auto session = open(automatic({&script}));
        OpenOptions plain = automatic({&script});
        plain.device = "cpu";
        const auto cpu = open(plain);
        QVERIFY(session && cpu);
        QCOMPARE(session->complete("A question", greedy(6), {})->text(),
                 cpu->complete("A question", greedy(6), {})->text());
        QVERIFY(script.calls > 6);
        QVERIFY(cpu->info().deviceChoice.empty());
    }

    /// Its driver computes on the CPU, slower than the CPU itself, whatever it promises.
    void aSimulatedDeviceIsNotEvenMeasured() {
        DeviceScript simulated{.name = "fake:0", .simulated = true, .rates = times(100, 100)};
        QCOMPARE(chosen(automatic({&simulated})),
                 std::string("cpu: The processor computes this model, not the device fake:0: A driver imitates it on "
                             "the processor, and is slower than that"));
        QCOMPARE(simulated.measured.load(), 0);
        DeviceScript card{.name = "fake:1", .rates = times(2, 2)};
        QVERIFY(chosen(automatic({&simulated, &card})).starts_with("fake:1: "));
        OpenOptions named = automatic({&simulated});
        named.device = "fake:0";
        QCOMPARE(chosen(named), std::string("fake:0: "));
        QCOMPARE(simulated.measured.load(), 0);
    }

    void theOneThatPromisesMostIsTaken() {
        DeviceScript some{.name = "fake:0", .rates = times(1.5, 1.5)}, most{.name = "fake:1", .rates = times(3, 1)},
            little{.name = "fake:2", .rates = times(1, 1)};
        QVERIFY(chosen(automatic({&some, &most, &little})).starts_with("fake:1: "));
        QVERIFY(chosen(automatic({&most, &little, &some})).starts_with("fake:1: "));
    }

    void aDeviceThatIsOutOfTheQuestionIsNotMeasured_data() {
        QTest::addColumn<QString>("why");
        QTest::newRow("broken") << "Its driver is too old";
        QTest::newRow("lacks") << "It lacks what some layers need: short convolutions";
        QTest::newRow("small") << "";
    }
    void aDeviceThatIsOutOfTheQuestionIsNotMeasured() {
        QFETCH(QString, why);
        const QString kind = QTest::currentDataTag();
        DeviceScript script{.rates = times(9, 9)};
        OpenOptions options = automatic({&script});
        if (kind == "broken") script.problem = "Its driver is too old";
        if (kind == "small") script.memory = 1 << 16;
        if (kind == "lacks") {
            script.abilities.lacks = {LayerNeed::ShortConvolution};
            options.path = folder_.save({.architecture = "lfm2", .layers = 3, .taps = 3}, "lfm2.gguf");
        }
        const std::string told = chosen(options);
        QVERIFY2(told.starts_with("cpu: The processor computes this model, not the device fake:0: "), told.c_str());
        QVERIFY2(told.find(why.toStdString()) != std::string::npos, told.c_str());
        QCOMPARE(script.measured.load(), 0);
    }

    /// A device whose backend never stops must hold all experts; with room for some it is not measured.
    void allExpertsMustHaveRoom() {
        DeviceScript script{.rates = times(9, 9)};
        OpenOptions options = automatic({&script});
        options.context = 64; // an automatic one would become shorter
        script.memory = uint64_t{1} << 30;
        const uint64_t whole = inspectModel(options)->memory.device.total();
        QVERIFY(whole > 0 && script.measured == 1);
        script.memory = whole - 1;
        const std::string told = chosen(options);
        QVERIFY2(told.find("All of its 16 experts must be in memory at once, and there is room for 15") !=
                     std::string::npos,
                 told.c_str());
        QCOMPARE(script.measured.load(), 1);
    }

    void ratesThatAreMissingPromiseNothing() {
        DeviceScript script{.rates = times(9, 9)};
        std::erase_if(script.rates->formats, [](const FormatRate& rate) { return rate.type == TensorType::F32; });
        const std::string head = "cpu: The processor computes this model, not the device fake:0: ";
        QCOMPARE(chosen(automatic({&script})), head + "It can't compute with weights in the format F32");
        script.rates = times(0, 0);
        QCOMPARE(chosen(automatic({&script})), head + "It can't compute with weights in the format F32");
        script.rates.reset();
        QCOMPARE(chosen(automatic({&script})), head + "The device can't be measured");
        script.rates = times(9, 9);
        OpenOptions options = automatic({&script});
        options.measureCpu = [](std::span<const TensorType>) -> Result<DeviceRates> {
            return Error{ErrorKind::OutOfMemory, "No rates", "There is no memory", "Nothing"};
        };
        QCOMPARE(chosen(options), head + "There is no memory");
        options.measureCpu = [](std::span<const TensorType>) { return DeviceRates(); };
        QVERIFY(chosen(options).starts_with(head + "It promises 0 times"));
    }

    /// A backend tries by itself what the model needs: one that computes wrongly is not made.
    void aDeviceThatFailsItsSelfTestLeavesTheModelToTheCpu() {
        DeviceScript script{.rates = times(9, 9)};
        OpenOptions options = automatic({&script});
        options.devices.create = [](const std::string&, const BackendOptions&) -> Result<std::unique_ptr<Backend>> {
            return Error{ErrorKind::Unsupported, "No backend", "It adds wrongly", "Nothing"};
        };
        const auto session = open(options);
        QVERIFY(session);
        QCOMPARE(session->info().device, std::string("cpu"));
        QCOMPARE(session->info().deviceChoice.english(),
                 std::string("The processor computes this model, not the device fake:0: It adds wrongly"));
        QVERIFY(session->info().notes.back() == session->info().deviceChoice);
    }

    /// The CPU's own measurement: no device is a thousand million times as fast or as slow.
    void theCpuIsMeasuredIfNobodyKnowsIt() {
        DeviceScript fast{.rates = ratesOf(1e20, 1e20)}, slow{.rates = ratesOf(1, 1)};
        OpenOptions options = automatic({&fast});
        options.measureCpu = {};
        QCOMPARE(open(options)->info().device, std::string("fake:0"));
        options.devices = losingDevices({&slow});
        QCOMPARE(open(options)->info().device, std::string("cpu"));
    }

    /// Listing opens drivers.
    void nothingIsListedOrMeasuredUnlessItIsAskedFor() {
        DeviceScript script{.rates = times(9, 9)};
        OpenOptions options = automatic({&script});
        int lists = 0, cpus = 0;
        options.devices.list = [&lists, list = options.devices.list] {
            ++lists;
            return list();
        };
        options.measureCpu = [&cpus](std::span<const TensorType>) {
            ++cpus;
            return ratesOf(kCpuRate, kCpuRate);
        };
        for (const std::string& name : {OpenOptions().device, std::string("cpu")}) {
            options.device = name;
            QCOMPARE(open(options)->info().device, std::string("cpu"));
            QVERIFY(inspectModel(options).ok());
        }
        QVERIFY(lists == 0 && cpus == 0 && script.measured == 0);
        options.device = "fake:0";
        QCOMPARE(open(options)->info().device, std::string("fake:0"));
        QVERIFY(lists > 0 && cpus == 0 && script.measured == 0);
        lists = 0;
        options.device = "auto";
        QCOMPARE(open(options)->info().device, std::string("fake:0"));
        QVERIFY(lists == 1 && cpus == 1 && script.measured == 1);
    }

    void allDevicesAreMeasuredForAList() {
        DeviceScript fast{.name = "fake:0", .rates = times(3, 0.5)}, slow{.name = "fake:1", .rates = times(0.8, 0.1)},
            simulated{.name = "fake:2", .simulated = true, .rates = times(0.1, 0.1)},
            old{.name = "fake:3", .problem = "Too old", .rates = times(9, 9)}, lost{.name = "fake:4"};
        const OpenOptions options = automatic({&fast, &slow, &simulated, &old, &lost});
        const Result<std::vector<DeviceInfo>> listed = measureDevices(options);
        QVERIFY(listed.ok());
        const std::vector<DeviceInfo>& devices = *listed;
        QCOMPARE(devices.size(), size_t{6});
        QVERIFY(devices[0].rates && devices[1].rates && devices[2].rates && devices[3].rates);
        QVERIFY(!devices[4].rates && !devices[5].rates && old.measured == 0);
        QCOMPARE(devices[0].rates->find(TensorType::Q4_K)->answers, kCpuRate);
        QVERIFY(devices[0].choice.empty() && devices[4].choice.empty());
        const std::string head = "For a model that reads 2.00 GiB of Q4_K for each token it promises ";
        QCOMPARE(devices[1].choice.english(), head + "3 times the processor's speed for answers and 0.5 times for "
                                                     "prompts, and auto takes it");
        QCOMPARE(devices[2].choice.english(), head + "0.8 times the processor's speed for answers and 0.1 times for "
                                                     "prompts, and auto takes none below 1.2");
        QVERIFY(devices[3].choice.english().starts_with("A driver imitates it"));
        QCOMPARE(devices[5].problem.english(), std::string("The device can't be measured"));
    }

    void withoutAnotherDeviceTheCpuIsNotMeasured() {
        DeviceScript old{.problem = "Too old"};
        OpenOptions options = automatic({&old});
        options.measureCpu = [](std::span<const TensorType>) -> Result<DeviceRates> {
            return Error{ErrorKind::Internal, "Measured", "Nobody asked", "Nothing"};
        };
        QVERIFY(measureDevices(options).ok());
        options.devices = {};
        QCOMPARE(measureDevices(options)->size(), size_t{1});
        QCOMPARE(chosen(options), std::string("cpu: "));
    }
};

QTEST_GUILESS_MAIN(TestAutomaticDevice)
#include "tst_automatic_device.moc"
