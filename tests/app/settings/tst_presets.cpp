// SPDX-License-Identifier: Apache-2.0
// Presets: those that come with the program, those that a user makes, and that all of them are there after a restart.
#include "common/language.h"
#include "settings/presets.h"
#include "settings/settings.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;

class TestPresets : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); }
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void someComeWithTheProgram();
    void changesAreThereAfterARestart();
    void deletingAllIsNotTheBeginning();
    void theOnesThatCameWithTheProgramComeBack();
    void noTwoHaveTheSameName();
    void aCopyHasItsOwnValues();
    void damagedEntriesAreLeftOut();
    void missingOnesAreAdded();
    void theModelHoldsWhileAllHappens();

  private:
    QString path() const { return folder_->filePath(QStringLiteral("settings.json")); }
    QStringList names(const Presets& presets) const {
        QStringList names;
        for (int row = 0; row < presets.rowCount(); ++row)
            names.append(presets.index(row).data(Presets::NameRole).toString());
        return names;
    }
    std::unique_ptr<QTemporaryDir> folder_;
};

namespace {

const QString kHeat = QStringLiteral("temperature"), kPrecise = QStringLiteral("precise");
const QStringList kShipped{QStringLiteral("Precise"), QStringLiteral("Balanced"), QStringLiteral("Creative")};

} // namespace

void TestPresets::someComeWithTheProgram() {
    Settings settings(path());
    const Presets presets(&settings);
    QCOMPARE(names(presets), kShipped);
    QVERIFY(presets.complete());
    double before = -1;
    for (const char* id : {"precise", "balanced", "creative"}) { // from the least to the most variety
        const double heat = presets.values(QLatin1String(id)).value(kHeat).toDouble();
        QVERIFY(heat > before);
        before = heat;
        for (const QString& key : presets.values(QLatin1String(id)).keys()) {
            const QJsonValue value = presets.values(QLatin1String(id)).value(key);
            QCOMPARE(settingRow(key).accepted(value), value);
        }
    }
    QVERIFY(presets.values(QStringLiteral("unknown")).isEmpty());
    QVERIFY(!QFile::exists(path())); // reading writes nothing
}

void TestPresets::changesAreThereAfterARestart() {
    QString poems;
    {
        Settings settings(path());
        Presets presets(&settings);
        poems = presets.add(QStringLiteral("Poems"), {{kHeat, 1.5}});
        QVERIFY(presets.rename(kPrecise, QStringLiteral("Exact")));
        presets.setValues(kPrecise, {{kHeat, 0.0}});
        presets.remove(QStringLiteral("balanced"));
    }
    Settings settings(path());
    const Presets presets(&settings);
    QCOMPARE(names(presets),
             (QStringList{QStringLiteral("Exact"), QStringLiteral("Creative"), QStringLiteral("Poems")}));
    QCOMPARE(presets.values(poems).value(kHeat).toDouble(), 1.5);
    QCOMPARE(presets.values(kPrecise).value(kHeat).toDouble(), 0.0);
    QVERIFY(presets.usualValues(kPrecise).value(kHeat).toDouble() > 0);
}

void TestPresets::deletingAllIsNotTheBeginning() {
    {
        Settings settings(path());
        Presets presets(&settings);
        while (presets.count() > 0) presets.remove(presets.first());
    }
    Settings settings(path());
    const Presets presets(&settings);
    QCOMPARE(presets.count(), 0);
    QVERIFY(presets.first().isEmpty());
}

void TestPresets::theOnesThatCameWithTheProgramComeBack() {
    Settings settings(path());
    Presets presets(&settings);
    presets.add(QStringLiteral("Mine"), {});
    presets.remove(kPrecise);
    QVERIFY(!presets.complete());
    presets.restoreShipped();
    QVERIFY(presets.complete());
    QCOMPARE(presets.count(), 4);
    presets.restoreShipped();
    QCOMPARE(presets.count(), 4);
}

void TestPresets::noTwoHaveTheSameName() {
    Settings settings(path());
    Presets presets(&settings);
    const QString second = presets.add(QStringLiteral("  Precise "), {});
    QCOMPARE(presets.name(second), QStringLiteral("Precise 2"));
    QVERIFY(!presets.rename(second, QStringLiteral("Creative")));
    QVERIFY(!presets.rename(second, QStringLiteral("   ")));
    QVERIFY(presets.rename(second, QStringLiteral("Precise 2"))); // its own name
    QCOMPARE(presets.name(second), QStringLiteral("Precise 2"));
    QVERIFY(!presets.name(presets.add({}, {})).isEmpty());
}

void TestPresets::aCopyHasItsOwnValues() {
    Settings settings(path());
    Presets presets(&settings);
    const QString copy = presets.duplicate(kPrecise);
    QCOMPARE(presets.rowOf(copy), presets.rowOf(kPrecise) + 1);
    QCOMPARE(presets.values(copy), presets.values(kPrecise));
    presets.setValues(copy, {{kHeat, 2.0}});
    QCOMPARE(presets.values(kPrecise), presets.usualValues(kPrecise));
    QVERIFY(presets.duplicate(QStringLiteral("unknown")).isEmpty());
    QCOMPARE(presets.name(copy), QStringLiteral("Precise 2"));
    QCOMPARE(presets.name(presets.duplicate(copy)), QStringLiteral("Precise 3")); // not "Precise 2 2"
    const QString version = presets.add(QStringLiteral("Version 4"), {});         // its number is a part of the name
    QCOMPARE(presets.name(presets.duplicate(version)), QStringLiteral("Version 4 2"));
}

void TestPresets::damagedEntriesAreLeftOut() {
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"presets": [7, {"name": "no id"}, {"id": "a", "name": 3, "values": []}, {"id": "a"}, {"id": "b",
        "name": "Good", "values": {"temperature": "hot", "theme": "dark"}}]})");
    file.close();
    Settings settings(path());
    const Presets presets(&settings);
    QCOMPARE(presets.count(), 2);
    QVERIFY(!presets.name(QStringLiteral("a")).isEmpty());
    QCOMPARE(presets.name(QStringLiteral("b")), QStringLiteral("Good"));
}

void TestPresets::theModelHoldsWhileAllHappens() {
    Settings settings(path());
    Presets presets(&settings);
    const QAbstractItemModelTester tester(&presets, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QSignalSpy changed(&presets, &Presets::changed);
    const QString mine = presets.add(QStringLiteral("Mine"), {{kHeat, 1.0}});
    const QString copy = presets.duplicate(kPrecise);
    QVERIFY(presets.rename(copy, QStringLiteral("Other")));
    presets.setValues(mine, {{kHeat, 1.0}}); // nothing changes
    QCOMPARE(changed.count(), 3);
    const Presets::Preset removed = *presets.find(mine);
    const int row = presets.rowOf(mine);
    presets.remove(mine);
    presets.remove(mine); // gone already
    presets.insert(row, removed);
    presets.insert(row, removed); // there already
    QCOMPARE(changed.count(), 5);
    QCOMPARE(presets.rowOf(mine), row);
    QCOMPARE(names(presets).size(), presets.count());
}

void TestPresets::missingOnesAreAdded() {
    Settings settings(path());
    Presets presets(&settings);
    const QString poems = presets.add(QStringLiteral("Poems"), {{QStringLiteral("temperature"), 1.1}});
    const QJsonArray list = presets.list();
    QCOMPARE(list.size(), 4);
    QCOMPARE(presets.addMissing(list), 0);

    Settings others(folder_->filePath(QStringLiteral("others.json")));
    Presets elsewhere(&others);
    const QString taken = elsewhere.add(QStringLiteral("Poems"), {});
    elsewhere.remove(QStringLiteral("precise"));
    elsewhere.setValues(QStringLiteral("creative"), {{QStringLiteral("temperature"), 2.0}});
    QCOMPARE(elsewhere.addMissing(list), 2);
    QCOMPARE(elsewhere.name(QStringLiteral("precise")), presets.name(QStringLiteral("precise")));
    QCOMPARE(elsewhere.values(poems), presets.values(poems));
    QCOMPARE(elsewhere.name(poems), QStringLiteral("Poems 2")); // the other one has the name
    QCOMPARE(elsewhere.name(taken), QStringLiteral("Poems"));
    QCOMPARE(elsewhere.values(QStringLiteral("creative")).value(QStringLiteral("temperature")).toDouble(), 2.0);

    const QJsonArray wrong{1, QJsonObject(), QJsonObject{{QStringLiteral("id"), QStringLiteral("none")}}, QJsonArray(),
                           QJsonObject{{QStringLiteral("id"), 7}}};
    QCOMPARE(elsewhere.addMissing(wrong), 0);
    const QString longName(5000, QLatin1Char('n'));
    QCOMPARE(elsewhere.addMissing(
                 {QJsonObject{{QStringLiteral("id"), QStringLiteral("x")}, {QStringLiteral("name"), longName}}}),
             1);
    QVERIFY(elsewhere.name(QStringLiteral("x")).size() < 1000);
    QJsonArray many;
    for (int i = 0; i < 5000; ++i) many.append(QJsonObject{{QStringLiteral("id"), QString::number(i)}});
    QVERIFY(elsewhere.addMissing(many) < 1000); // a file can not add any number
}

QTEST_GUILESS_MAIN(TestPresets)
#include "tst_presets.moc"
