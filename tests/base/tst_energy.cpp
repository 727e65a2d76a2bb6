// SPDX-License-Identifier: Apache-2.0
// The energy of processors: Linux's counters come from folders that the test makes.
#include "base/power/energy.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie::engine;

class TestEnergy : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    void write(const QString& zone, const char* file, const QByteArray& text) {
        QVERIFY(QDir(folder_.path()).mkpath(zone));
        QFile made(folder_.filePath(zone) + "/" + file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.write(text + "\n");
    }
    void add(const QString& zone, const char* name, const QByteArray& range, const QByteArray& counter) {
        write(zone, "name", name);
        write(zone, "max_energy_range_uj", range);
        write(zone, "energy_uj", counter);
    }
    EnergyMeter started() const { return EnergyMeter(folder_.path().toStdString()); }

  private Q_SLOTS:
    void init() {
        QVERIFY(QDir(folder_.path()).removeRecursively());
        QVERIFY(QDir().mkpath(folder_.path()));
    }

    void thisMachineSaysSomethingPossible() {
        EnergyMeter meter;
        const std::optional<double> first = meter.joules(), second = meter.joules();
        QVERIFY(!first || *first >= 0);
        QVERIFY(!first || !second || *second >= *first);
    }

    void aMachineWithoutCounters() {
        QVERIFY(!started().joules());
        QVERIFY(!EnergyMeter(folder_.filePath("nowhere").toStdString()).joules());
        add("dtpm", "package-0", "100", "5"); // not a counter of a processor
        QVERIFY(!started().joules());
    }

#ifdef COTERIE_LINUX
    void twoPackages() {
        add("intel-rapl:0", "package-0", "262143328850", "1000000");
        add("intel-rapl:1", "package-1", "262143328850", "7000000");
        add("intel-rapl:2", "psys", "262143328850", "0");
        add("intel-rapl:0:0", "core", "262143328850", "0");
        add("intel-rapl:0:1", "package-x", "262143328850", "0"); // a part, whatever its name is
        EnergyMeter meter = started();
        QCOMPARE(meter.joules(), std::optional(0.0));
        write("intel-rapl:0", "energy_uj", "3500000");
        QCOMPARE(meter.joules(), std::optional(2.5));
        write("intel-rapl:1", "energy_uj", "8000000");
        for (const char* part : {"intel-rapl:2", "intel-rapl:0:0", "intel-rapl:0:1"})
            write(part, "energy_uj", "9000000");
        QCOMPARE(meter.joules(), std::optional(3.5));
        QCOMPARE(meter.joules(), std::optional(3.5));
    }

    void aCounterStartsAgain() {
        add("intel-rapl:0", "package-0", "10000000", "9000000");
        EnergyMeter meter = started();
        write("intel-rapl:0", "energy_uj", "500000");
        QCOMPARE(meter.joules(), std::optional(1.5));
        write("intel-rapl:0", "energy_uj", "9500000");
        QCOMPARE(meter.joules(), std::optional(10.5));
        write("intel-rapl:0", "energy_uj", "0");
        QCOMPARE(meter.joules(), std::optional(11.0));
    }

    void aCounterThatCanNotBeRead() {
        add("intel-rapl:0", "package-0", "10000000", "1");
        add("intel-rapl:1", "package-1", "10000000", "");
        QVERIFY(!started().joules()); // half of the machine's energy would be a wrong figure
        add("intel-rapl:1", "package-1", "none", "1");
        QVERIFY(!started().joules());
        add("intel-rapl:1", "package-1", "10000000", "1");
        EnergyMeter meter = started();
        QVERIFY(meter.joules());
        QVERIFY(QFile::remove(folder_.filePath("intel-rapl:0/energy_uj")));
        QVERIFY(!meter.joules());
        write("intel-rapl:0", "energy_uj", "5");
        QVERIFY(!meter.joules()); // the counter may have started again meanwhile
    }
#endif
};

QTEST_GUILESS_MAIN(TestEnergy)
#include "tst_energy.moc"
