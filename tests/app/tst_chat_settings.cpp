// SPDX-License-Identifier: Apache-2.0
// The layers of a chat's settings: the value of the topmost layer that sets a key holds, and only keys of an answer can
// be set above the program.
#include "chat_settings.h"
#include "settings.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;

class TestChatSettings : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { program_ = std::make_unique<Settings>(folder_.filePath(QStringLiteral("none.json"))); }
    void theTopmostLayerHolds();
    void aLayerThatIsTakenAwayUncoversTheOneBelow();
    void theProgramsOwnKeysAreNotLayered();
    void valuesComeIntoTheirRange();
    void onlyAChangeIsAChange();
    void optionsFollowTheLayers();

  private:
    QTemporaryDir folder_;
    std::unique_ptr<Settings> program_;
};

void TestChatSettings::theTopmostLayerHolds() {
    ChatSettings settings(program_.get());
    const QString key = QStringLiteral("temperature");
    program_->temperature = 0.1;
    QCOMPARE(settings.value(key).toDouble(), 0.1);
    QCOMPARE(settings.layerOf(key), ChatSettings::Program);
    double value = 0.1;
    for (const auto layer : {ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat}) {
        settings.setLayer(layer, {{key, value += 0.1}});
        QCOMPARE(settings.value(key).toDouble(), value);
        QCOMPARE(settings.layerOf(key), layer);
    }
    settings.setLayer(ChatSettings::Model, {{key, 1.5}, {QStringLiteral("topK"), 7}}); // below: only topK shows
    QCOMPARE(settings.value(key).toDouble(), value);
    QCOMPARE(settings.value(QStringLiteral("topK")).toInt(), 7);
    QCOMPARE(settings.layerOf(QStringLiteral("topK")), ChatSettings::Model);
}

void TestChatSettings::aLayerThatIsTakenAwayUncoversTheOneBelow() {
    ChatSettings settings(program_.get());
    settings.setLayer(ChatSettings::Preset, {{QStringLiteral("systemPrompt"), QStringLiteral("preset")}});
    settings.setLayer(ChatSettings::Chat, {{QStringLiteral("systemPrompt"), QStringLiteral("chat")}});
    QCOMPARE(settings.systemPrompt(), QStringLiteral("chat"));
    settings.setLayer(ChatSettings::Chat, {});
    QCOMPARE(settings.systemPrompt(), QStringLiteral("preset"));
    settings.setLayer(ChatSettings::Preset, {});
    QCOMPARE(settings.systemPrompt(), program_->systemPrompt());
}

/// A chat that was imported, or a damaged row, must not change the window's theme or the memory budget.
void TestChatSettings::theProgramsOwnKeysAreNotLayered() {
    ChatSettings settings(program_.get());
    settings.setLayer(ChatSettings::Chat,
                      {{QStringLiteral("theme"), QStringLiteral("dark")}, {QStringLiteral("nobody knows this"), 1}});
    QCOMPARE(settings.layerOf(QStringLiteral("theme")), ChatSettings::Program);
    QCOMPARE(settings.value(QStringLiteral("theme")).toString(), QStringLiteral("system"));
}

void TestChatSettings::valuesComeIntoTheirRange() {
    ChatSettings settings(program_.get());
    settings.setLayer(ChatSettings::Chat, {{QStringLiteral("temperature"), -3.0},
                                           {QStringLiteral("topK"), QStringLiteral("many")},
                                           {QStringLiteral("sureWhen"), QStringLiteral("perhaps")}});
    QCOMPARE(settings.value(QStringLiteral("temperature")).toDouble(), settingRow(QStringLiteral("temperature")).least);
    QCOMPARE(settings.value(QStringLiteral("topK")), settingRow(QStringLiteral("topK")).usual);
    QCOMPARE(settings.value(QStringLiteral("sureWhen")).toString(), QStringLiteral("never"));
}

void TestChatSettings::onlyAChangeIsAChange() {
    ChatSettings settings(program_.get());
    const QSignalSpy changed(&settings, &ChatSettings::changed);
    settings.setLayer(ChatSettings::Chat, {{QStringLiteral("topK"), 3}});
    settings.setLayer(ChatSettings::Chat, {{QStringLiteral("topK"), 3}});
    QCOMPARE(changed.count(), 1);
    program_->topP = 0.5;
    QCOMPARE(changed.count(), 2);
}

void TestChatSettings::optionsFollowTheLayers() {
    program_->maxTokens = 50;
    program_->thinking = true;
    ChatSettings settings(program_.get());
    settings.setLayer(ChatSettings::Model, {{QStringLiteral("temperature"), 0.5}, {QStringLiteral("topK"), 11}});
    settings.setLayer(ChatSettings::Preset, {{QStringLiteral("topP"), 0.75}, {QStringLiteral("thinking"), false}});
    settings.setLayer(ChatSettings::Chat, {{QStringLiteral("minP"), 0.25},
                                           {QStringLiteral("sureWhen"), QStringLiteral("scarce")},
                                           {QStringLiteral("sure"), 0.75}});
    const auto options = settings.options(true);
    QCOMPARE(options.sampling.temperature, 0.5F);
    QCOMPARE(options.sampling.topK, 11);
    QCOMPARE(options.sampling.topP, 0.75F);
    QCOMPARE(options.sampling.minP, 0.25F);
    QCOMPARE(options.maxTokens, 50);
    QCOMPARE(options.prompt.thinking, std::optional(false));
    QVERIFY(!settings.options(false).prompt.thinking); // the model decides
    QCOMPARE(options.routing.topWeightShare, 0.75F);
    QVERIFY(options.topWeightShareWhen == coterie::engine::RoutingWhen::Scarce);
    QCOMPARE(options.routing.preferCached, 0.0F); // "never"
}

QTEST_GUILESS_MAIN(TestChatSettings)
#include "tst_chat_settings.moc"
