// SPDX-License-Identifier: Apache-2.0
// The layers of a chat's settings: the value of the topmost layer that sets a key holds, and only keys of an answer can
// be set above the program. Every key reaches the engine, from every layer; and a chat keeps its own.
#include "app/app_bench.h"
#include "settings/chat_settings.h"
#include "settings/presets.h"
#include "settings/settings.h"

#include <QJsonArray>
#include <QSignalSpy>
#include <QtTest>

#include <functional>
#include <map>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

const QString kHeat = QStringLiteral("temperature"), kPrecise = QStringLiteral("precise");

using Reached = std::function<bool(const engine::GenerateOptions& options)>;

/// A value of a key, other settings that it needs, and whether the engine got it.
struct KeyCase {
    QJsonValue value;
    Reached reached;
    QJsonObject besides{};
};

/// A case for every key of an answer; the system prompt is no option but the first message.
const std::map<QString, KeyCase>& keyCases() {
    static const std::map<QString, KeyCase> cases{
        {"thinking", {false, [](const auto& o) { return o.prompt.thinking == std::optional(false); }}},
        {"tools", {true, [](const auto& o) { return !o.prompt.tools.empty() && !o.prompt.xmlTools.empty(); }}},
        {"temperature", {0.25, [](const auto& o) { return o.sampling.temperature == 0.25F; }}},
        {"topP", {0.5, [](const auto& o) { return o.sampling.topP == 0.5F; }}},
        {"topK", {7, [](const auto& o) { return o.sampling.topK == 7; }}},
        {"minP", {0.125, [](const auto& o) { return o.sampling.minP == 0.125F; }}},
        {"repetitionPenalty", {1.25, [](const auto& o) { return o.sampling.repetitionPenalty == 1.25F; }}},
        {"presencePenalty", {-0.5, [](const auto& o) { return o.sampling.presencePenalty == -0.5F; }}},
        {"frequencyPenalty", {0.75, [](const auto& o) { return o.sampling.frequencyPenalty == 0.75F; }}},
        {"penaltyWindow", {9, [](const auto& o) { return o.sampling.penaltyWindow == 9; }}},
        {"seed",
         {9007199254740991.0, [](const auto& o) { return o.sampling.seed == std::optional(9007199254740991ULL); }}},
        {"maxTokens", {2, [](const auto& o) { return o.maxTokens == 2; }}},
        {"stopTexts",
         {QJsonArray{"END", "\n\n"},
          [](const auto& o) {
              return o.stop == std::vector<std::string>{"END", "\n\n"};
          }}},
        {"headRows", {"all", [](const auto& o) { return o.head == engine::HeadRows::All; }}},
        {"tools", {true, [](const auto& o) { return !o.prompt.tools.empty() && o.prompt.xmlTools == o.prompt.tools; }}},
        {"preferCachedWhen",
         {"scarce",
          [](const auto& o) {
              return o.routing.preferCached > 0 && o.preferCachedWhen == engine::RoutingWhen::Scarce;
          }}},
        {"preferCached",
         {0.5, [](const auto& o) { return o.routing.preferCached == 0.5F; }, {{"preferCachedWhen", "always"}}}},
        {"sureWhen",
         {"always",
          [](const auto& o) {
              return o.routing.topWeightShare > 0 && o.topWeightShareWhen == engine::RoutingWhen::Always;
          }}},
        {"sure", {0.5, [](const auto& o) { return o.routing.topWeightShare == 0.5F; }, {{"sureWhen", "always"}}}},
    };
    return cases;
}

} // namespace

class TestChatSettings : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { program_ = std::make_unique<Settings>(QString()); }
    void theTopmostLayerHolds();
    void aLayerThatIsTakenAwayUncoversTheOneBelow();
    void theProgramsOwnKeysAreNotLayered();
    void valuesComeIntoTheirRange();
    void onlyAChangeIsAChange();
    void optionsFollowTheLayers();
    void theDefaultsAreThoseOfTheEngine();
    void theChatNamesItsPreset();
    void theEngineGetsEachKey_data();
    void theEngineGetsEachKey();
    void theSystemPromptComesFirst();
    void aChatKeepsItsSettings();
    void aNewChatKeepsWhatWasChosenForIt();
    void aModelHasSettingsOfItsOwn();
    void thinkingIsSwitchedWhereItComesFrom();

  private:
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
    program_->setValue(QStringLiteral("topP"), 0.5);
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

/// Without any setting, an answer is sampled as the engine's own defaults say.
void TestChatSettings::theDefaultsAreThoseOfTheEngine() {
    const ChatSettings settings(program_.get());
    const engine::GenerateOptions options = settings.options(true), usual;
    QCOMPARE(options.sampling.temperature, usual.sampling.temperature);
    QCOMPARE(options.sampling.topK, usual.sampling.topK);
    QCOMPARE(options.sampling.topP, usual.sampling.topP);
    QCOMPARE(options.sampling.minP, usual.sampling.minP);
    QCOMPARE(options.sampling.repetitionPenalty, usual.sampling.repetitionPenalty);
    QCOMPARE(options.sampling.presencePenalty, usual.sampling.presencePenalty);
    QCOMPARE(options.sampling.frequencyPenalty, usual.sampling.frequencyPenalty);
    QCOMPARE(options.sampling.penaltyWindow, usual.sampling.penaltyWindow);
    QVERIFY(!options.sampling.seed);
    QCOMPARE(options.maxTokens, usual.maxTokens);
    QVERIFY(options.stop.empty());
    QVERIFY(options.head == usual.head);
    QVERIFY(options.routing.exact());
    // The ends of every range are values that the engine accepts.
    for (const bool most : {false, true}) {
        ChatSettings ends(program_.get());
        QJsonObject values;
        for (const SettingRow& row : settingTable())
            if (row.scope == SettingScope::Answer && row.usual.isDouble())
                values[row.key] = most ? row.most : row.least;
        ends.setLayer(ChatSettings::Chat, values);
        const engine::Status checked = engine::checkSamplingOptions(ends.options(true).sampling);
        QVERIFY2(checked, checked ? "" : checked.error().line().c_str());
    }
}

void TestChatSettings::theChatNamesItsPreset() {
    Presets presets(program_.get());
    ChatSettings settings(program_.get(), &presets);
    QCOMPARE(settings.layerOf(kHeat), ChatSettings::Program);
    settings.setLayer(ChatSettings::Chat, {{kPresetKey, kPrecise}});
    QCOMPARE(settings.layerOf(kHeat), ChatSettings::Preset);
    QCOMPARE(settings.value(kHeat).toDouble(), 0.2);
    const QSignalSpy changed(&settings, &ChatSettings::changed);
    presets.setValues(kPrecise, {{kHeat, 0.3}}); // the chat follows its preset
    QCOMPARE(settings.value(kHeat).toDouble(), 0.3);
    QVERIFY(changed.count() > 0);
    presets.remove(kPrecise);
    QCOMPARE(settings.value(kHeat).toDouble(), 0.8);
    QCOMPARE(settings.preset(), kPrecise); // if the preset comes back, the chat has it again
}

void TestChatSettings::theEngineGetsEachKey_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("layer");
    for (const SettingRow& row : settingTable()) {
        if (row.scope != SettingScope::Answer || row.key == QStringLiteral("systemPrompt")) continue;
        for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat})
            QTest::addRow("%s in layer %d", qPrintable(row.key), layer) << row.key << int(layer);
    }
}

void TestChatSettings::theEngineGetsEachKey() {
    QFETCH(QString, key);
    QFETCH(int, layer);
    const auto found = keyCases().find(key);
    QVERIFY2(found != keyCases().end(), "a key of the table has no case here");
    const KeyCase& one = found->second;
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench.chat().busy());
    QVERIFY2(!one.reached(bench.control().options().back()), "the default value is the tested one");
    QJsonObject values = one.besides;
    values[key] = one.value;
    Settings& program = *bench.app().settings();
    if (layer == ChatSettings::Program) {
        for (const QString& name : values.keys()) program.setValue(name, values[name]);
    } else if (layer == ChatSettings::Model) {
        program.setModelSettings(bench.models().settingsKey(), values);
    } else if (layer == ChatSettings::Preset) {
        const QString id = bench.app().presets()->add(QStringLiteral("Mine"), values);
        QVERIFY(bench.chat().setOwnSettings(bench.chat().chatId(), {{kPresetKey, id}}));
    } else {
        QVERIFY(bench.chat().setOwnSettings(bench.chat().chatId(), values));
    }
    QVERIFY(bench.chat().send(QStringLiteral("Again")));
    QTRY_VERIFY(!bench.chat().busy());
    QVERIFY(one.reached(bench.control().options().back()));
}

void TestChatSettings::theSystemPromptComesFirst() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.app().settings()->systemPrompt = QStringLiteral("for all");
    QVERIFY(bench.chat().setOwnSettings(0, {{QStringLiteral("systemPrompt"), QStringLiteral("Answer in rhymes")}}));
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench.chat().busy());
    const auto asked = bench.control().conversations().back();
    QVERIFY(asked.front().role == engine::Role::System);
    QCOMPARE(QString::fromStdString(engine::joinedText(asked.front().parts)), QStringLiteral("Answer in rhymes"));
}

void TestChatSettings::aChatKeepsItsSettings() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    const qint64 chat = bench.chat().chatId();
    QTRY_VERIFY(!bench.chat().busy());
    QVERIFY(bench.chat().setOwnSettings(chat, {{kHeat, 0.5}}));
    bench.chat().newChat();
    QCOMPARE(bench.chat().settings().layerOf(kHeat), ChatSettings::Program);
    QCOMPARE(bench.chat().ownSettings(chat).value().value(kHeat).toDouble(), 0.5);
    QVERIFY(bench.chat().setOwnSettings(chat, {{kHeat, 0.75}})); // while it is not in view
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.8);
    bench.restart();
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.75);
    QCOMPARE(bench.chat().settings().layerOf(kHeat), ChatSettings::Chat);
}

/// The settings of a chat without messages survive a look at another chat and a restart, and belong to no later chat.
void TestChatSettings::aNewChatKeepsWhatWasChosenForIt() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Other")));
    const qint64 other = bench.chat().chatId();
    QTRY_VERIFY(!bench.chat().busy());
    bench.chat().newChat();
    QVERIFY(bench.chat().setOwnSettings(0, {{kHeat, 0.5}}));
    bench.chat().openChat(other);
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.8);
    bench.restart();
    OPEN_MODEL(bench);
    bench.control().allowAll();
    bench.chat().newChat();
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.5);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    const qint64 chat = bench.chat().chatId();
    QTRY_VERIFY(!bench.chat().busy());
    QCOMPARE(bench.control().options().back().sampling.temperature, 0.5F);
    QCOMPARE(bench.chat().ownSettings(chat).value().value(kHeat).toDouble(), 0.5);
    bench.chat().newChat();
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.8);
    bench.chat().openChat(chat);
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.5);
}

void TestChatSettings::aModelHasSettingsOfItsOwn() {
    AppBench bench;
    OPEN_MODEL(bench);
    Settings& program = *bench.app().settings();
    program.setModelSettings(bench.models().settingsKey(), {{kHeat, 0.5}});
    QCOMPARE(bench.chat().settings().layerOf(kHeat), ChatSettings::Model);
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.5);
    program.setModelSettings(QStringLiteral("/another.gguf"), {{kHeat, 1.5}});
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.5);
    program.setModelSettings(bench.models().settingsKey(), {});
    QCOMPARE(bench.chat().settings().value(kHeat).toDouble(), 0.8);
    QVERIFY(!program.value(QStringLiteral("modelSettings")).toObject().contains(bench.models().settingsKey()));
}

void TestChatSettings::thinkingIsSwitchedWhereItComesFrom() {
    const QString key = QStringLiteral("thinking");
    AppBench bench;
    OPEN_MODEL(bench);
    Settings& program = *bench.app().settings();
    const auto layer = [&] { return bench.chat().settings().layerOf(key); };
    bench.chat().setThinking(false);
    QVERIFY(!program.thinking() && layer() == ChatSettings::Program);
    program.setModelSettings(bench.models().settingsKey(), {{key, true}, {kHeat, 0.5}});
    bench.chat().setThinking(false);
    QVERIFY(!bench.chat().settings().thinking() && layer() == ChatSettings::Model);
    QCOMPARE(program.modelSettings(bench.models().settingsKey()).value(kHeat).toDouble(), 0.5);
    const QString preset = bench.app().presets()->add(QStringLiteral("Mine"), {{key, true}});
    QVERIFY(bench.chat().setOwnSettings(0, {{kPresetKey, preset}}));
    QVERIFY(bench.chat().settings().thinking());
    bench.chat().setThinking(false);
    QVERIFY(!bench.chat().settings().thinking() && layer() == ChatSettings::Chat);
    QVERIFY(bench.app().presets()->values(preset).value(key).toBool()); // other chats still think
    bench.chat().setThinking(true);
    QVERIFY(bench.chat().settings().thinking() && layer() == ChatSettings::Chat);
}

QTEST_GUILESS_MAIN(TestChatSettings)
#include "tst_chat_settings.moc"
