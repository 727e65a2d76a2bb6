// SPDX-License-Identifier: Apache-2.0
// Changes of settings as steps: each can be undone and redone, and what changes nothing is no step.
#include "settings/setting_step.h"

#include "settings/settings.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

const QString kTheme = QStringLiteral("theme"), kScale = QStringLiteral("fontScale"), kTopK = QStringLiteral("topK"),
              kDark = QStringLiteral("dark");

} // namespace

class TestSettingStep : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() {
        settings_ = std::make_unique<Settings>(QString());
        undo_ = std::make_unique<UndoStack>();
    }
    void aChangeIsUndoneAndRedone();
    void aModelKeepsItsOtherValues();
    void whatChangesNothingIsNoStep();
    void aValueThatWasSetBackLeavesNothingToUndo();
    void aPlaceThatFailsMakesNoStep();

  private:
    /// Pushes the step of this change. Returns whether there is one.
    bool push(const SettingPlace& place, const SettingValues& values) {
        const auto step = changeSettings(place, values, {.title = QStringLiteral("Change"), .notice = {}});
        if (!step || !*step) return false;
        undo_->push(**step);
        return true;
    }

    std::unique_ptr<Settings> settings_;
    std::unique_ptr<UndoStack> undo_;
};

void TestSettingStep::aChangeIsUndoneAndRedone() {
    QVERIFY(push(programPlace(settings_.get()), {{kTheme, kDark}, {kScale, 1.5}}));
    QCOMPARE(undo_->undoTitle(), QStringLiteral("Change"));
    QCOMPARE(settings_->theme(), kDark);
    QVERIFY(undo_->undo());
    QCOMPARE(settings_->theme(), QStringLiteral("system"));
    QCOMPARE(settings_->fontScale(), 1.0);
    QVERIFY(undo_->redo());
    QCOMPARE(settings_->theme(), kDark);
    QCOMPARE(settings_->fontScale(), 1.5);
}

void TestSettingStep::aModelKeepsItsOtherValues() {
    const QString model = QStringLiteral("model");
    settings_->setModelSettings(model, {{QStringLiteral("threads"), 3}});
    QVERIFY(push(modelPlace(settings_.get(), model), {{kTopK, 7}}));
    QCOMPARE(settings_->modelSettings(model), QJsonObject({{QStringLiteral("threads"), 3}, {kTopK, 7}}));
    QVERIFY(undo_->undo());
    QCOMPARE(settings_->modelSettings(model), QJsonObject({{QStringLiteral("threads"), 3}}));
    QVERIFY(undo_->redo());
    QCOMPARE(settings_->modelSettings(model), QJsonObject({{QStringLiteral("threads"), 3}, {kTopK, 7}}));
}

/// The default value is not set, a value out of its range is clamped, and an unset value may be taken away again.
void TestSettingStep::whatChangesNothingIsNoStep() {
    const SettingPlace program = programPlace(settings_.get());
    QVERIFY(!push(program, {{kTheme, QStringLiteral("system")}}));
    QVERIFY(!push(program, {{kTheme, QJsonValue(QJsonValue::Undefined)}}));
    QVERIFY(push(program, {{kScale, 2.0}}));
    QVERIFY(!push(program, {{kScale, 2.0}}));
    QVERIFY(!push(program, {{kScale, 9.0}}));
    QCOMPARE(settings_->fontScale(), 2.0);
    QVERIFY(!push(modelPlace(settings_.get(), QStringLiteral("model")), {{kTopK, QJsonValue(QJsonValue::Undefined)}}));
}

void TestSettingStep::aValueThatWasSetBackLeavesNothingToUndo() {
    QVERIFY(push(programPlace(settings_.get()), {{kTheme, kDark}}));
    undo_->dropIdle();
    QCOMPARE(undo_->undoTitle(), QStringLiteral("Change"));
    settings_->theme = QStringLiteral("system");
    undo_->dropIdle();
    QVERIFY(undo_->undoTitle().isEmpty());
}

void TestSettingStep::aPlaceThatFailsMakesNoStep() {
    const engine::Error full{.kind = engine::ErrorKind::Io, .what = {}, .why = {}, .action = {}};
    QJsonObject kept;
    bool readable = false;
    const SettingPlace place = objectPlace(
        [&]() -> engine::Result<QJsonObject> {
            if (!readable) return full;
            return kept;
        },
        [&](const QJsonObject&) -> engine::Status { return full; });
    for (const bool reads : {false, true}) {
        readable = reads;
        const auto step = changeSettings(place, {{kTopK, 7}}, {.title = QStringLiteral("Change"), .notice = {}});
        QVERIFY(!step);
        QCOMPARE(step.error().kind, engine::ErrorKind::Io);
    }
    QVERIFY(kept.isEmpty());
}

QTEST_GUILESS_MAIN(TestSettingStep)
#include "tst_setting_step.moc"
