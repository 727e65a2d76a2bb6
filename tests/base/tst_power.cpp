// SPDX-License-Identifier: Apache-2.0
// The machine's power. Linux's figures come from folders that the test makes, so that every kind of machine is
// tested on any machine.
#include "base/power/power.h"
#ifdef __linux__
#include "base/power/power_linux.h"
#endif

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <initializer_list>
#include <utility>

using namespace coterie::engine;

class TestPower : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    using Files = std::initializer_list<std::pair<const char*, const char*>>;
    void add(const QString& name, const Files& files) {
        QVERIFY(QDir(folder_.path()).mkpath(name));
        for (const auto& [file, text] : files) {
            QFile made(folder_.filePath(name) + "/" + file);
            QVERIFY(made.open(QIODevice::WriteOnly));
            made.write(QByteArray(text) + "\n");
        }
    }
    void addMains(const char* online) { add("AC", {{"type", "Mains"}, {"online", online}}); }
    void addBattery(const char* status, const char* percent, const QString& name = "BAT0") {
        add(name, {{"type", "Battery"}, {"present", "1"}, {"status", status}, {"capacity", percent}});
    }
#ifdef COTERIE_LINUX
    PowerReading reading() const { return readLinuxPower(folder_.path().toStdString()); }
#endif

  private Q_SLOTS:
    void init() {
        QVERIFY(QDir(folder_.path()).removeRecursively());
        QVERIFY(QDir().mkpath(folder_.path()));
    }

    void aFifthIsLow() {
        QVERIFY(batteryIsLow({.onBattery = true, .charge = 0.2}));
        QVERIFY(batteryIsLow({.onBattery = true, .charge = 0.0}));
        QVERIFY(!batteryIsLow({.onBattery = true, .charge = 0.21}));
        QVERIFY(!batteryIsLow({.onBattery = false, .charge = 0.05}));
        QVERIFY(!batteryIsLow({.onBattery = true, .charge = {}})); // an unknown charge is not low
        QVERIFY(!batteryIsLow({}));
    }

    void thisMachineSaysSomethingPossible() {
        const PowerReading now = readPower();
        QVERIFY(!now.charge || (*now.charge >= 0 && *now.charge <= 1));
    }

#ifdef COTERIE_LINUX
    void aMachineWithoutABattery() {
        QVERIFY(!reading().onBattery && !reading().charge); // there is no folder of supplies either
        addMains("1");
        QVERIFY(!reading().onBattery && !reading().charge);
        addMains("0"); // some desktops report this
        QVERIFY(!reading().onBattery && !reading().charge);
        QVERIFY(!readLinuxPower(folder_.filePath("nowhere").toStdString()).onBattery);
    }

    void aLaptopOnAndOffTheMains() {
        addBattery("Charging", "15");
        addMains("1");
        QVERIFY(!reading().onBattery);
        QCOMPARE(reading().charge, std::optional(0.15));
        addMains("0");
        addBattery("Discharging", "15");
        QVERIFY(reading().onBattery);
        QVERIFY(batteryIsLow(reading()));
        addBattery("Discharging", "80");
        QVERIFY(reading().onBattery);
        QCOMPARE(reading().charge, std::optional(0.8));
        addBattery("Unknown", "80"); // some batteries report this while they are drained
        QVERIFY(reading().onBattery);
    }

    void theMainsMayBeUsb() {
        addBattery("Discharging", "15");
        QVERIFY(reading().onBattery); // there is only a battery
        add("ucsi-1", {{"type", "USB"}, {"online", "0"}});
        QVERIFY(reading().onBattery);
        add("ucsi-2", {{"type", "USB"}, {"online", "2"}}); // one of two ports, with a voltage agreed on
        QVERIFY(!reading().onBattery);
    }

    void batteriesOfOtherThingsDoNotCount() {
        add("hidpp_battery_0",
            {{"type", "Battery"}, {"scope", "Device"}, {"status", "Discharging"}, {"capacity", "5"}});
        QVERIFY(!reading().onBattery && !reading().charge);
        addBattery("Discharging", "90");
        QCOMPARE(reading().charge, std::optional(0.9));
    }

    void twoBatteriesAreOne() {
        addMains("0");
        addBattery("Unknown", "0"); // a battery that is drained first
        addBattery("Discharging", "60", "BAT1");
        QVERIFY(reading().onBattery);
        QCOMPARE(reading().charge, std::optional(0.3));
        add("BAT0", {{"energy_full", "10000000"}, {"energy_now", "1"}});
        QCOMPARE(reading().charge, std::optional(0.3)); // the size of only one battery does not help
        add("BAT1", {{"energy_full", "30000000"}, {"energy_now", "18000000"}});
        QVERIFY(qAbs(*reading().charge - 0.45) < 1e-9);
        add("BAT0", {{"present", "0"}});
        QVERIFY(qAbs(*reading().charge - 0.6) < 1e-9); // the battery is taken out
    }

    void withoutAPercentageItIsComputed() {
        add("BAT0",
            {{"type", "Battery"}, {"status", "Discharging"}, {"charge_full", "4000000"}, {"charge_now", "500000"}});
        QCOMPARE(reading().charge, std::optional(0.125));
        add("BAT0", {{"charge_now", "4100000"}});
        QCOMPARE(reading().charge, std::optional(1.0));
        add("BAT0", {{"charge_full", "0"}});
        QVERIFY(!reading().onBattery && !reading().charge); // an unknown charge is not low
    }

    void nonsenseIsNotLow() {
        addBattery("Discharging", "full");
        addMains("maybe");
        add("strange", {{"type", "Windmill"}});
        add("empty", {});
        QVERIFY(!reading().charge && !batteryIsLow(reading()));
    }
#endif
};

QTEST_GUILESS_MAIN(TestPower)
#include "tst_power.moc"
