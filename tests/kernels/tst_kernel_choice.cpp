// SPDX-License-Identifier: Apache-2.0
// The choice of kernels by default and by name; the completeness of tables; the facts of formats.
#include "kernel_test.h"
#include "kernels/quants.h"

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

    /// The order in which "auto" asks, which is also the list in the message. ARM compilers that lack I8MM build only
    /// "neon".
    void orderOfPreference() {
        std::vector<std::string> names;
        for (const KernelTable* table : kernelTables()) names.emplace_back(table->name);
#if defined(__x86_64__) || defined(_M_X64)
        const std::vector<std::string> expected = {"amx", "avx512vnni", "avx2vnni", "avx2", "scalar"};
        QVERIFY(names == expected);
#elif defined(__aarch64__) || defined(_M_ARM64)
        const std::vector<std::string> expected = {"i8mm", "neondot", "neon", "scalar"},
                                       oldCompiler = {"neon", "scalar"};
        QVERIFY(names == expected || names == oldCompiler);
#else
        QVERIFY(names == std::vector<std::string>{"scalar"});
#endif
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
        for (const KernelTable* table : kernelTables()) // a table that is chosen by name stays
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

    /// All tests go through supportedFormats(), so every format that the reader knows must be among them.
    void formats() {
        for (const KnownType& known : kKnownTypes) {
            QVERIFY2(kernelsSupport(known.type), known.traits.name);
            QVERIFY(kernelFormats().find(known.traits.name) != std::string::npos);
        }
        QCOMPARE(supportedFormats().size(), kKnownTypes.size());
        QVERIFY(!kernelsSupport(static_cast<TensorType>(9))); // Q8_1
        QVERIFY(!kernelsSupport(static_cast<TensorType>(40)) && !kernelsSupport(static_cast<TensorType>(0xffffffff)));
        QVERIFY(kernelFormats().starts_with("F32, F16, "));
        QVERIFY(kernelFormats().ends_with(", MXFP4"));
    }

    /// Compares the facts in kFormats with real blocks: the bytes that are unpacked, and the positions of the factors.
    void factsOfFormatsHold() {
        Random random(16);
        for (const Format& format : kFormats) {
            if (format.vector == VectorForm::Floats) continue;
            const std::string name = traits(format.type).name;
            const std::vector<int64_t> halves = halvesOf(format.type);
            if (!halves.empty()) QVERIFY2(halves.at(0) == format.factorOffset, name.c_str());
            QVERIFY2((factorCount(format.type) == 2) == format.hasMinimum, name.c_str());
            const Weights w(format.type, 16, 4096, random);
            int least = 255, largest = 0;
            withQuantisedFormat(format.type, [&]<TensorType type>() {
                Unpacked unpacked;
                for (int64_t r = 0; r < 16; ++r)
                    for (int64_t b = 0; b < 128; ++b) {
                        unpack<type>(w.matrix().row(r), b, unpacked);
                        for (const int8_t q : unpacked.q) {
                            least = std::min(least, q + quantOffset(type));
                            largest = std::max(largest, q + quantOffset(type));
                        }
                    }
            });
            QVERIFY2(least == 0 || (least == 1 && largest == 241), name.c_str()); // IQ4's lowest level is -127
            QVERIFY2(largest == format.largestByte, name.c_str());
        }
    }

    /// A table consists of pointers, and all of them must be set. The check covers new entries too.
    void tablesAreComplete() {
        static_assert(sizeof(KernelTable) % sizeof(void*) == 0);
        for (const KernelTable* table : kernelTables()) {
            void* entries[sizeof(KernelTable) / sizeof(void*)];
            std::memcpy(entries, table, sizeof entries);
            for (const void* entry : entries) QVERIFY2(entry != nullptr, table->name);
        }
    }
};

QTEST_APPLESS_MAIN(KernelChoiceTest)
#include "tst_kernel_choice.moc"
