// SPDX-License-Identifier: Apache-2.0
// Which kernels are chosen, by default and by name.
#include "kernel_test.h"

#include <set>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;

class KernelChoiceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void scalarIsLastAndRunsEverywhere() {
        QVERIFY(!kernelTables().empty());
        QCOMPARE(std::string(kernelTables().back()->name), std::string("scalar"));
        QVERIFY(kernelTables().back()->runsHere());
    }

    /// The order in which "auto" asks on x86-64, the list that the message names.
    void preferenceAmongX86() {
        std::vector<std::string> names;
        for (const KernelTable* table : kernelTables()) names.emplace_back(table->name);
        if (names.front() != "amx") return; // built for another processor
        const std::vector<std::string> expected = {"amx", "avx512vnni", "avx2vnni", "avx2", "scalar"};
        QVERIFY(names == expected);
    }

    void namesAreUnique() {
        std::set<std::string> names;
        for (const KernelTable* table : kernelTables()) QVERIFY(names.insert(table->name).second);
        QVERIFY(!names.contains("auto"));
    }

    void init() { qunsetenv("COTERIE_KERNELS"); }

    void autoTakesTheFirstThatRuns() {
        const auto chosen = chooseKernels("auto");
        QVERIFY(chosen.ok());
        for (const KernelTable* table : kernelTables()) {
            if (!table->runsHere()) continue;
            QCOMPARE(chosen.value(), table);
            return;
        }
    }

    void theEnvironmentDecidesWhatAutoMeans() {
        for (const char* nothing : {"", "auto"}) {
            qputenv("COTERIE_KERNELS", nothing);
            QVERIFY(chooseKernels("auto").ok());
        }
        qputenv("COTERIE_KERNELS", "scalar");
        QCOMPARE(chooseKernels("auto").value(), kernelTables().back());
        for (const KernelTable* table : kernelTables()) // a name that was asked for stays
            if (table->runsHere()) QCOMPARE(chooseKernels(table->name).value(), table);
        qputenv("COTERIE_KERNELS", "nothing");
        QVERIFY(chooseKernels("auto").error().kind == ErrorKind::BadInput);
        QVERIFY(chooseKernels("auto").error().what.english().find("nothing") != std::string::npos);
    }

    void eachIsFoundByName() {
        for (const KernelTable* table : kernelTables()) {
            const auto chosen = chooseKernels(table->name);
            QCOMPARE(chosen.ok(), table->runsHere());
            if (chosen.ok())
                QCOMPARE(chosen.value(), table);
            else
                QVERIFY(chosen.error().kind == ErrorKind::Unsupported);
        }
    }

    void unknownNamesAreRefusedWithTheKnownOnes() {
        for (const char* name : {"", "Scalar", "avx", "avx2 ", "nothing"}) {
            const auto chosen = chooseKernels(name);
            QVERIFY2(!chosen.ok(), name);
            QVERIFY(chosen.error().kind == ErrorKind::BadInput);
            for (const KernelTable* table : kernelTables())
                QVERIFY(chosen.error().why.english().find(table->name) != std::string::npos);
            QVERIFY(chosen.error().why.english().find("auto") != std::string::npos);
            QVERIFY(!chosen.error().action.empty());
        }
    }

    void formats() {
        for (const TensorType type : supportedTypes) {
            QVERIFY(kernelsSupport(type));
            QVERIFY(kernelFormats().find(traits(type).name) != std::string::npos);
        }
        QVERIFY(!kernelsSupport(static_cast<TensorType>(9))); // Q8_1
        QVERIFY(kernelFormats().starts_with("F32, F16, "));
        QVERIFY(kernelFormats().ends_with(", MXFP4"));
    }

    void tablesAreComplete_data() { addTableRows(); }
    void tablesAreComplete() {
        QFETCH(const KernelTable*, kernels);
        QVERIFY(kernels->preparedBytes && kernels->prepare && kernels->multiply && kernels->expandRow);
        QVERIFY(kernels->addScaledRow && kernels->addScaledRows && kernels->rmsNorm && kernels->rope);
        QVERIFY(kernels->swiGlu && kernels->reGlu && kernels->compressRow && kernels->softmaxPart);
        QVERIFY(kernels->attentionScores && kernels->attentionValues);
    }
};

QTEST_APPLESS_MAIN(KernelChoiceTest)
#include "tst_kernel_choice.moc"
