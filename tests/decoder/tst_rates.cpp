// SPDX-License-Identifier: Apache-2.0
// The promise of a device beside the CPU: arithmetic over made-up rates, the work of models, and the way of measuring
// with clocks that are made up. The CPU's own measurement is only asked for rates in all formats.
#include "decoder/loaded_model.h"
#include "decoder/rates/cpu_rates.h"
#include "decoder/rates/model_work.h"
#include "decoder/rates/rate_measure.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

ModelWork workWith(const TokenWork& token) { return {.answer = token, .prompt = token}; }

DeviceRates ratesWith(double answers, double prompts) {
    return {.formats = {{TensorType::Q4_K, answers, prompts}, {TensorType::F16, answers, prompts}}};
}

DevicePromise promised(const ModelWork& work, const DeviceRates& device, const DeviceRates& cpu) {
    return promiseOf({work, device}, {work, cpu});
}

double bytesOf(const ModelWork& work, TensorType type) {
    double bytes = 0;
    for (const FormatBytes& part : work.answer.weights)
        if (part.type == type) bytes += part.bytes;
    return bytes;
}

struct ReadModel {
    std::unique_ptr<ModelFile> file;
    ModelShape shape;
    ModelTensors tensors;
};

ReadModel readModel(FileSystem& files) {
    ReadModel model;
    model.file = ModelFile::open(files, "model").value();
    model.shape = readModelShape(model.file->header()).value();
    model.tensors = findTensors(model.shape, model.file->header()).value();
    return model;
}

} // namespace

class TestRates : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPromiseIsTheCpusTimeOverTheDevices_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<bool>("enough");
        QTest::newRow("just under") << 1.1999 << false;
        QTest::newRow("just over") << 1.2001 << true;
        QTest::newRow("slower") << 0.8 << false;
        QTest::newRow("as fast") << 1.0 << false;
        QTest::newRow("much faster") << 50.0 << true;
    }
    void aPromiseIsTheCpusTimeOverTheDevices() {
        QFETCH(double, factor);
        QFETCH(bool, enough);
        const ModelWork work = workWith({.weights = {{TensorType::Q4_K, 1e9}, {TensorType::F16, 2e8}}});
        const DeviceRates cpu = ratesWith(1e10, 4e10);
        const DevicePromise answers = promised(work, ratesWith(factor * 1e10, 1e9), cpu);
        QVERIFY(std::abs(answers.answers - factor) < 1e-9 && std::abs(answers.prompts - 0.025) < 1e-9);
        QCOMPARE(isEnough(answers), enough);
        const DevicePromise prompts = promised(work, ratesWith(1e9, factor * 4e10), cpu);
        QVERIFY(std::abs(prompts.prompts - factor) < 1e-9);
        QCOMPARE(isEnough(prompts), enough);
    }

    /// 1 ms of weights on the CPU, 0.5 ms on the device; its dispatches and submissions take the gain away.
    void dispatchesAndSubmissionsCount() {
        const ModelWork work = workWith({.weights = {{TensorType::Q4_K, 1e7}}, .dispatches = 300, .submissions = 10});
        const DeviceRates cpu = ratesWith(1e10, 1e10);
        DeviceRates device = ratesWith(2e10, 2e10);
        QVERIFY(std::abs(promised(work, device, cpu).answers - 2) < 1e-9);
        device.dispatchSeconds = 1e-6; // 0.3 ms
        QVERIFY(std::abs(promised(work, device, cpu).answers - 1 / 0.8) < 1e-9);
        device.submissionSeconds = 2e-5; // 0.2 ms
        QVERIFY(std::abs(promised(work, device, cpu).answers - 1) < 1e-9);
        DeviceRates slowLoops = cpu;
        slowLoops.dispatchSeconds = 1e-5; // 3 ms: the CPU's loops count as well
        QVERIFY(std::abs(promised(work, device, slowLoops).answers - 4) < 1e-9);
    }

    void logitsAreCopiedWhereTheLinkHasARate() {
        const ModelWork work = workWith({.weights = {{TensorType::Q4_K, 1e7}}, .bytesDown = 1e6});
        const DeviceRates cpu = ratesWith(1e10, 1e10);
        DeviceRates device = ratesWith(2e10, 2e10);
        device.downRate = 2e9; // 0.5 ms
        QVERIFY(std::abs(promised(work, device, cpu).answers - 1) < 1e-9);
    }

    void withoutRatesNothingIsPromised() {
        const ModelWork work = workWith({.weights = {{TensorType::Q4_K, 1e9}, {TensorType::IQ3_S, 1}}});
        const DeviceRates some = ratesWith(1e10, 1e10);
        DeviceRates all = some;
        all.formats.push_back({TensorType::IQ3_S, 1e10, 1e10});
        QVERIFY(!formatWithoutRate({work, all}) && promised(work, all, all).answers == 1);
        QVERIFY(formatWithoutRate({work, some}) == TensorType::IQ3_S);
        QVERIFY(promised(work, some, all).most() == 0 && promised(work, all, some).most() == 0);
        constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
        for (const double bad : {0.0, -1.0, kNoNumber}) {
            DeviceRates broken = all;
            broken.formats.back().answers = bad;
            QVERIFY(formatWithoutRate({work, broken}) == TensorType::IQ3_S);
            QVERIFY(promised(work, broken, all).answers == 0 && promised(work, broken, all).prompts == 1);
            QVERIFY(promised(work, all, broken).answers == 0 && !isEnough(promised(work, all, broken)));
        }
        QVERIFY(promised({}, {}, {}).most() == 0); // a model without weights
    }

    void theWorkOfAModelIsThatOfItsHeader() {
        const TinyModelOptions options{.architecture = "qwen3moe",
                                       .typeOf =
                                           [](const std::string& name) {
                                               return name.find("exps") != std::string::npos ? TensorType::Q8_0
                                                                                             : TensorType::F16;
                                           },
                                       .layers = 3,
                                       .tied = false};
        MemoryFiles files(makeTinyModel(options).bytes);
        const ReadModel model = readModel(files);
        double experts = 0, others = 0, routers = 0;
        for (const gguf::Tensor& tensor : model.file->header().tensors) {
            const std::string name(tensor.name);
            if (tensor.dimensions < 2 || name == "token_embd.weight") continue;
            const auto bytes = static_cast<double>(tensor.bytes);
            (name.find("exps") != std::string::npos       ? experts
             : name.find("gate_inp") != std::string::npos ? routers
                                                          : others) += bytes;
        }
        const DeviceAbilities token{.layersAtOnce = 1, .tokenAtOnce = true};
        const ModelWork work = workOf(model.shape, model.tensors, {.abilities = token, .chunk = 8});
        QVERIFY(experts > 0 && others > 0 && routers > 0);
        QVERIFY(std::abs(bytesOf(work, TensorType::Q8_0) - experts * 2 / 8) < 1); // two of eight experts
        QVERIFY(std::abs(bytesOf(work, TensorType::F16) + bytesOf(work, TensorType::F32) - others - routers) < 1);
        QCOMPARE(work.answer.submissions, 1.0);
        QCOMPARE(work.answer.dispatches, 3.0 * 10 + 3);
        QCOMPARE(work.prompt.dispatches, work.answer.dispatches / 8);
        QCOMPARE(work.prompt.submissions, 4.0 / 8); // each layer, and the head
        QCOMPARE(work.answer.bytesDown, 4.0 * static_cast<double>(model.shape.vocabulary));
        QCOMPARE(formatsOf(work).size(), work.answer.weights.size());
        const DeviceAbilities pairs{.layersAtOnce = 2};
        QCOMPARE(workOf(model.shape, model.tensors, {.abilities = pairs, .chunk = 8}).answer.submissions, 3.0);
        // The head is left out if a predictor names its rows.
        const ModelWork predicted =
            workOf(model.shape, model.tensors, {.abilities = token, .chunk = 8, .predictedHead = true});
        const double head = static_cast<double>(model.tensors.head->bytes);
        QVERIFY(std::abs(bytesOf(work, TensorType::F16) - bytesOf(predicted, TensorType::F16) - head) < 1);
    }

    /// A tied head is the embedding, and counts; all of a dense layer counts.
    void aDenseModelReadsAllOfItsLayers() {
        MemoryFiles files(makeTinyModel({}).bytes);
        const ReadModel model = readModel(files);
        double all = 0;
        for (const gguf::Tensor& tensor : model.file->header().tensors)
            if (tensor.dimensions >= 2) all += static_cast<double>(tensor.bytes);
        const DeviceAbilities token{.tokenAtOnce = true};
        const ModelWork work = workOf(model.shape, model.tensors, {.abilities = token});
        QVERIFY(std::abs(bytesOf(work, TensorType::F32) - all) < 1);
        QCOMPARE(work.answer.dispatches, 2.0 * 9 + 3);
    }

    /// Each product takes so long for each byte, and costs; the rate is without the costs.
    void aRateIsMeasuredWithoutItsCosts_data() {
        QTest::addColumn<double>("rate");
        for (const double rate : {1e7, 1e9, 2e10, 1e12, 1e14}) QTest::newRow(qPrintable(QString::number(rate))) << rate;
    }
    void aRateIsMeasuredWithoutItsCosts() {
        QFETCH(double, rate);
        constexpr uint64_t kRow = 2304;
        constexpr double kProduct = 2e-6, kRun = 5e-5;
        double together = 0;
        const auto run = [&](int64_t rows, int64_t products) -> Result<double> {
            const double taken =
                kRun + static_cast<double>(products) * (kProduct + static_cast<double>(rows * kRow) / rate);
            together += taken;
            return taken;
        };
        const Result<double> measured =
            measureRate(run, {.perProduct = kProduct, .perRun = kRun}, {.bytesOfRow = kRow});
        QVERIFY(measured.ok());
        if (rate < 1e13) QVERIFY2(std::abs(*measured / rate - 1) < 0.01, qPrintable(QString::number(*measured)));
        QVERIFY(*measured <= rate * 1.01); // one that is nearly all costs is not made up to be more
        QVERIFY(together < 0.5);
        const Result<double> many =
            measureRate(run, {.perProduct = kProduct, .perRun = kRun}, {.bytesOfRow = kRow, .vectors = 32});
        QVERIFY(std::abs(*many / *measured - 32) < 1e-6);
    }

    void matricesAreNoLargerThanTheirRoom() {
        int64_t most = 0;
        const auto run = [&most](int64_t rows, int64_t products) -> Result<double> {
            most = std::max(most, rows);
            return static_cast<double>(rows * products) * 1e-9;
        };
        QVERIFY(measureRate(run, {}, {.bytesOfRow = 4}).ok());
        QCOMPARE(most, kMostRateRows);
        most = 0;
        QVERIFY(measureRate(run, {}, {.bytesOfRow = 4, .mostBytes = 16000}).ok());
        QCOMPARE(most, int64_t{1024});
    }

    void anErrorEndsTheMeasurement() {
        for (int good = 0; good < 6; ++good) {
            int calls = 0;
            const Result<double> measured = measureRate(
                [&](int64_t, int64_t) -> Result<double> {
                    if (calls++ < good) return 1.0;
                    return Error{ErrorKind::DeviceLost, "Lost", "Gone", "Nothing"};
                },
                {}, {});
            QVERIFY(good < 4 ? !measured && measured.error().kind == ErrorKind::DeviceLost : measured.ok());
        }
    }

    /// Weights of any format are ordinary numbers: no kernel meets infinities, or numbers so small that they are slow.
    void filledBytesAreTameWeights() {
        std::vector<std::byte> bytes(1 << 16);
        fillWithWeights(bytes);
        const KernelTable& kernels = *kernelTables().back();
        std::vector<float> row(4096);
        for (const TensorType type : supportedFormats()) {
            kernels.expandRow(type, bytes.data(), static_cast<int64_t>(row.size()), row.data());
            int wrong = 0;
            for (const float value : row) wrong += value != 0 && !std::isnormal(value);
            const bool byteFactors = type == TensorType::MXFP4; // its factor is any power of two
            QVERIFY2(byteFactors ? wrong < 64 : wrong == 0, traits(type).name);
        }
    }

    void matricesFollowOneAnother() {
        NextMatrix next(1024);
        QCOMPARE(next.take(100), uint64_t{0});
        QCOMPARE(next.take(640), uint64_t{128});
        QCOMPARE(next.take(200), uint64_t{768});
        QCOMPARE(next.take(200), uint64_t{0}); // there is no room for it behind the last one
    }

    void theCpuHasARateInEveryFormat() {
        if (kSanitized) QSKIP("It takes long, and measures nothing");
        const std::vector<TensorType> some{TensorType::F16, TensorType::Q4_K}; // plain kernels are slow
        for (const auto& [kernels, formats] : {std::pair(testedKernels().front(), supportedFormats()),
                                               std::pair(kernelTables().back(), std::span<const TensorType>(some))}) {
            const Result<DeviceRates> rates = measureCpu(*kernels, 2, formats);
            QVERIFY(rates.ok());
            QCOMPARE(rates->formats.size(), formats.size());
            for (const FormatRate& rate : rates->formats) {
                QVERIFY2(rate.answers > 0 && rate.prompts > 0, traits(rate.type).name);
                QVERIFY(std::isfinite(rate.answers) && std::isfinite(rate.prompts));
            }
            QVERIFY(rates->dispatchSeconds >= 0 && rates->submissionSeconds == 0 && rates->downRate == 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestRates)
#include "tst_rates.moc"
