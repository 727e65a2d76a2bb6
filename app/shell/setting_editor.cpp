// SPDX-License-Identifier: Apache-2.0
// All changes of values go through apply(), which gets the place of the values and not what is in view: so the same
// place undoes them later.
#include "shell/setting_editor.h"

#include "common/isolated_name.h"
#include "settings/setting_texts.h"
#include "shell/app.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace coterie::app {
namespace {

/// Whether the key is one of the values that the scope shows together. Those of the program are in groups of their own.
bool isOfScope(ChatSettings::Layer layer, const SettingRow& row) {
    return row.scope == SettingScope::Answer ||
           (layer != ChatSettings::Program && ChatSettings::sets(layer, row.scope));
}

/// Returns the keys that can be set in this layer.
QStringList keysOf(ChatSettings::Layer layer) {
    QStringList keys;
    for (const SettingRow& row : settingTable())
        if (isOfScope(layer, row)) keys.append(row.key);
    if (layer != ChatSettings::Program) return keys;
    for (const SettingText& text : settingTexts())
        if (text.kind != SettingKind::Special && !keys.contains(text.key)) keys.append(text.key);
    return keys;
}

/// Returns the words about a setting. The strength of an option has those of the option.
const SettingText& textOf(const QString& key) {
    const std::vector<SettingText>& texts = settingTexts();
    const auto isIt = [&](const SettingText& text) { return text.key == key; };
    return settingText(std::any_of(texts.begin(), texts.end(), isIt) ? key : key + QStringLiteral("When"));
}

/// Whether the value changes with each letter that is typed, or with each step of a slider.
bool changesGradually(const SettingText& text) {
    return text.kind == SettingKind::Slider || text.kind == SettingKind::LongText || text.kind == SettingKind::Lines;
}

/// The conversation that knows the chat's own settings best: the one that shows it, if one does.
Conversation& conversationOf(App& app, qint64 chat) {
    Conversation* const shows = app.panes()->showing(chat);
    return shows ? *shows : *app.conversation();
}

} // namespace

SettingEditor::SettingEditor(QObject* parent) : QObject(parent) {}
SettingEditor::~SettingEditor() = default;

App* SettingEditor::app() const { return app_; }

Conversation* SettingEditor::conversation() const { return conversation_; }

void SettingEditor::setApp(App* app) {
    if (app == app_) return;
    app_ = app;
    resolved_ = std::make_unique<ChatSettings>(app->settings());
    connect(app->settings(), &Settings::changed, this, &SettingEditor::resolve);
    connect(app->presets(), &Presets::changed, this, &SettingEditor::resolve);
    connect(app->models(), &ModelController::modelChanged, this, &SettingEditor::resolve);
    resolve();
}

void SettingEditor::setConversation(Conversation* conversation) {
    if (conversation == conversation_) return;
    if (conversation_) disconnect(conversation_->answerSettings(), nullptr, this, nullptr);
    conversation_ = conversation;
    if (conversation_) {
        connect(conversation_->answerSettings(), &ChatSettings::changed, this, &SettingEditor::resolve);
        connect(conversation_, &Conversation::chatChanged, this, &SettingEditor::resolve);
    }
    resolve();
}

void SettingEditor::setLayer(ChatSettings::Layer layer) {
    if (layer == layer_) return;
    layer_ = layer;
    resolve();
}

QString SettingEditor::preset() const {
    if (!app_) return shown_.isEmpty() ? QString() : shown_.constLast();
    const Presets& presets = *app_->presets();
    for (auto id = shown_.crbegin(); id != shown_.crend(); ++id)
        if (presets.contains(*id)) return *id;
    return presets.contains(chatPreset()) ? chatPreset() : presets.first();
}

void SettingEditor::setPreset(const QString& id) {
    if (!shown_.isEmpty() && id == shown_.constLast()) return;
    const QString before = preset(); // it may be in view without having been chosen
    for (const QString& each : {before, id}) {
        shown_.removeAll(each);
        if (!each.isEmpty()) shown_.append(each);
    }
    if (id.isEmpty()) shown_.clear(); // none is chosen any more
    resolve();
}

QString SettingEditor::chatPreset() const { return conversation_ ? conversation_->settings().preset() : QString(); }

void SettingEditor::setChatPreset(const QString& id) {
    if (!app_ || !conversation_ || id == chatPreset()) return;
    const Place chat{.layer = ChatSettings::Chat, .name = {}, .chat = conversation_->chatId()};
    const QJsonValue value = id.isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(id);
    const QString name = isolatedName(app_->presets()->name(id));
    apply(chat, {{kPresetKey, value}},
          {.title = tr("Choose the preset of the chat"),
           .notice = id.isEmpty() ? tr("The chat uses no preset") : tr("The chat uses the preset %1").arg(name)});
}

bool SettingEditor::possible() const {
    if (!app_) return false;
    switch (layer_) {
    case ChatSettings::Program:
        return true;
    case ChatSettings::Model:
        return app_->models()->state() == ModelController::Ready;
    case ChatSettings::Preset:
        return app_->presets()->contains(preset());
    case ChatSettings::Chat:
        return conversation_ != nullptr;
    }
    return false;
}

QString SettingEditor::explanation() const {
    if (!app_) return {};
    switch (layer_) {
    case ChatSettings::Program:
        return tr("These values apply to all chats, unless a model, a preset or a chat has a value of its own.");
    case ChatSettings::Model:
        if (!possible()) return tr("Open a model to give it values of its own.");
        return tr("These values apply whenever %1 answers, unless a preset or a chat has a value of its own.")
            .arg(isolatedName(app_->models()->name()));
    case ChatSettings::Preset:
        if (!possible()) return tr("There are no presets. A preset is a set of values that chats can use.");
        return tr("These values apply to all chats that use this preset, unless a chat has a value of its own.");
    case ChatSettings::Chat:
        return tr("These values apply to this chat only. They come before those of its preset, of the model and of all "
                  "chats.");
    }
    return {};
}

/// Reads the layers again that this scope shows.
void SettingEditor::resolve() {
    if (!app_) return;
    const bool ready = app_->models()->state() == ModelController::Ready;
    const QString chosen = layer_ == ChatSettings::Preset ? preset() : chatPreset();
    resolved_->setLayer(ChatSettings::Model,
                        ready && layer_ >= ChatSettings::Model ? app_->models()->answerSettings() : QJsonObject());
    resolved_->setLayer(ChatSettings::Preset,
                        layer_ >= ChatSettings::Preset ? app_->presets()->values(chosen) : QJsonObject());
    resolved_->setLayer(ChatSettings::Chat, layer_ == ChatSettings::Chat && conversation_
                                                ? conversation_->settings().layer(ChatSettings::Chat)
                                                : QJsonObject());
    Q_EMIT changed();
}

QJsonValue SettingEditor::value(const QString& key) const {
    return resolved_ ? resolved_->value(key) : settingRow(key).usual;
}

QVariantMap SettingEditor::values() const {
    QVariantMap values;
    for (const QString& key : keysOf(layer_)) values.insert(key, value(key).toVariant());
    return values;
}

bool SettingEditor::isSet(const QString& key) const {
    if (!app_) return false;
    if (layer_ == ChatSettings::Program) return app_->settings()->changedFromDefault(key);
    return resolved_->layerOf(key) == layer_;
}

int SettingEditor::count() const {
    int count = 0;
    for (const QString& key : keysOf(layer_))
        if (isOfScope(layer_, settingRow(key)) && isSet(key)) ++count;
    return count;
}

QString SettingEditor::source(const QString& key) const {
    if (!app_ || layer_ == ChatSettings::Program) return {};
    const ChatSettings::Layer from = resolved_->layerOf(key);
    if (from == layer_) return {};
    if (from == ChatSettings::Preset)
        return tr("From the preset %1").arg(isolatedName(app_->presets()->name(chatPreset())));
    if (from == ChatSettings::Model) return tr("From the settings of %1").arg(isolatedName(app_->models()->name()));
    return app_->settings()->changedFromDefault(key) ? tr("From the settings of all chats") : tr("Default");
}

QString SettingEditor::resetText(const QString& key) const {
    const QString title = settingText(key).title;
    return layer_ == ChatSettings::Program ? tr("Reset %1 to its default").arg(title)
                                           : tr("Remove the value of %1 that is set here").arg(title);
}

SettingEditor::Place SettingEditor::place() const {
    Place place{.layer = layer_, .name = {}};
    if (layer_ == ChatSettings::Model) place.name = app_->models()->settingsKey();
    if (layer_ == ChatSettings::Preset) place.name = preset();
    if (layer_ == ChatSettings::Chat) place.chat = conversation_->chatId();
    return place;
}

/// Reads and writes the values of a place.
SettingPlace SettingEditor::keeperOf(const Place& place) const {
    App* const app = app_;
    if (place.layer == ChatSettings::Program) return programPlace(app->settings());
    if (place.layer == ChatSettings::Model) return modelPlace(app->settings(), place.name);
    if (place.layer == ChatSettings::Preset)
        return objectPlace(
            [app, id = place.name]() -> engine::Result<QJsonObject> { return app->presets()->values(id); },
            [app, id = place.name](const QJsonObject& all) -> engine::Status {
                app->presets()->setValues(id, all);
                return {};
            });
    return objectPlace(
        [app, chat = place.chat]() -> engine::Result<QJsonObject> {
            return conversationOf(*app, chat).ownSettings(chat);
        },
        [app, chat = place.chat](const QJsonObject& all) -> engine::Status {
            return conversationOf(*app, chat).setOwnSettings(chat, all);
        });
}

/// Keeps the error, if there is one. Returns whether there is none.
bool SettingEditor::report(const engine::Status& done) {
    const ErrorInfo error = done ? ErrorInfo() : ErrorInfo(done.error());
    if (error == error_) return done.ok();
    error_ = error;
    Q_EMIT errorChanged();
    return done.ok();
}

void SettingEditor::set(const QString& key, const QJsonValue& value) {
    change(key, value, changesGradually(textOf(key)));
}

void SettingEditor::slide(const QString& key, double value) { change(key, value, true); }

void SettingEditor::slideBack(const QString& key) {
    if (!possible() || !isSet(key)) return;
    const Place where = place();
    apply(where, {{key, QJsonValue(QJsonValue::Undefined)}}, gradualChangeOf(key, where));
}

/// Sets the value. gradual: a change that follows one of the same value is the same step of undo.
void SettingEditor::change(const QString& key, const QJsonValue& value, bool gradual) {
    if (!possible()) return;
    const QJsonValue accepted = settingRow(key).accepted(value);
    if (isSet(key) && this->value(key) == accepted) return;
    if (layer_ == ChatSettings::Program && this->value(key) == accepted) return;
    const Place where = place();
    apply(where, {{key, accepted}}, gradual ? gradualChangeOf(key, where) : changeOf(key));
}

/// A step that changes the setting, in words.
Undoable SettingEditor::changeOf(const QString& key) {
    const QString title = textOf(key).title;
    return {.title = tr("Change %1").arg(title), .notice = tr("%1 changed", "a setting").arg(title)};
}

/// The same for a change that is a part of the step before it, if that changed the same value in the same place.
Undoable SettingEditor::gradualChangeOf(const QString& key, const Place& where) {
    Undoable step = changeOf(key);
    step.key =
        QStringLiteral("setting %1 %2 %3 %4").arg(static_cast<int>(where.layer)).arg(where.chat).arg(key, where.name);
    return step;
}

void SettingEditor::setValue(const QString& key, const QVariant& value) { set(key, QJsonValue::fromVariant(value)); }

/// Makes changes as a step, of which the words are given.
void SettingEditor::apply(const Place& where, const SettingValues& changes, Undoable step) {
    if (changes.isEmpty()) return;
    auto changed = changeSettings(keeperOf(where), changes, std::move(step));
    if (!report(changed ? engine::Status() : engine::Status(changed.error())) || !*changed) return;
    Undoable done = std::move(**changed);
    if (where.layer == ChatSettings::Chat && conversation_) conversation_->claim(done);
    app_->undo()->push(std::move(done));
}

void SettingEditor::reset(const QStringList& keys) {
    if (!possible()) return;
    SettingValues changes;
    for (const QString& key : keys)
        if (isSet(key)) changes.insert(key, QJsonValue::Undefined);
    Undoable step = changeOf(keys.first());
    step.title = tr("Reset %1").arg(textOf(keys.first()).title);
    apply(place(), changes, std::move(step));
}

void SettingEditor::resetAll() {
    if (!possible()) return;
    const QJsonObject usual = layer_ == ChatSettings::Preset ? app_->presets()->usualValues(preset()) : QJsonObject();
    SettingValues changes;
    for (const QString& key : keysOf(layer_))
        if (isOfScope(layer_, settingRow(key)) && (isSet(key) || usual.contains(key)))
            changes.insert(key, usual.value(key));
    applyReset(tr("Reset the values"), changes);
}

void SettingEditor::applyReset(const QString& title, const SettingValues& changes) {
    apply(place(), changes, {.title = title, .notice = resetNotice()});
}

/// Says for people what a reset of this scope does. The other scopes keep their values, so that the defaults may not
/// hold yet.
QString SettingEditor::resetNotice() const {
    switch (layer_) {
    case ChatSettings::Program:
        return tr("The defaults are back. Models, presets and chats keep their own values.");
    case ChatSettings::Model:
        return tr("Removed the values of %1").arg(isolatedName(app_->models()->name()));
    case ChatSettings::Preset:
        return app_->presets()->usualValues(preset()).isEmpty() ? tr("The preset sets no values now")
                                                                : tr("The preset has the values that it came with");
    case ChatSettings::Chat:
        if (chatPreset().isEmpty()) return tr("Removed the chat's own values");
        return tr("Removed the chat's own values. It still uses the preset %1.")
            .arg(isolatedName(app_->presets()->name(chatPreset())));
    }
    return {};
}

void SettingEditor::resetProgram() {
    if (layer_ != ChatSettings::Program) return;
    SettingValues changes;
    for (const QString& key : keysOf(ChatSettings::Program))
        if (app_->settings()->changedFromDefault(key)) changes.insert(key, QJsonValue::Undefined);
    applyReset(tr("Reset all settings"), changes);
}

QString SettingEditor::makePreset() {
    QJsonObject values;
    for (const QString& key : keysOf(ChatSettings::Preset)) {
        const bool changed = value(key) != settingRow(key).usual;
        if (changed || resolved_->layerOf(key) != ChatSettings::Program) values.insert(key, value(key));
    }
    return addPreset(values);
}

void SettingEditor::newPreset() { addPreset({}); }

QString SettingEditor::addPreset(const QJsonObject& values) {
    const QString id = app_->presets()->add(tr("My preset"), values);
    setPreset(id);
    pushAdded(tr("Make a preset"), tr("Made the preset %1").arg(isolatedName(app_->presets()->name(id))), {id});
    return id;
}

void SettingEditor::duplicatePreset() {
    const QString id = app_->presets()->duplicate(preset());
    if (id.isEmpty()) return;
    setPreset(id);
    pushAdded(tr("Duplicate the preset"), tr("Made the preset %1").arg(isolatedName(app_->presets()->name(id))), {id});
}

void SettingEditor::restorePresets() {
    const QStringList ids = app_->presets()->restoreShipped();
    if (!ids.isEmpty()) pushAdded(tr("Bring back Coterie's presets"), tr("Coterie's presets are back"), ids);
}

/// Makes it a step that these presets were added.
void SettingEditor::pushAdded(const QString& title, const QString& notice, const QStringList& ids) {
    Presets* const presets = app_->presets();
    std::vector<std::pair<int, Presets::Preset>> added; // in the order of their rows
    for (const QString& id : ids) added.emplace_back(presets->rowOf(id), *presets->find(id));
    app_->undo()->push({.title = title,
                        .undo =
                            [presets, ids] {
                                for (const QString& id : ids) presets->remove(id);
                                return engine::Status();
                            },
                        .redo =
                            [presets, added] {
                                for (const auto& [row, preset] : added) presets->insert(row, preset);
                                return engine::Status();
                            },
                        .notice = notice});
}

void SettingEditor::renamePreset(const QString& name) {
    Presets* const presets = app_->presets();
    const QString id = preset();
    if (!presets->contains(id)) return;
    const QString before = presets->find(id)->name;
    if (!presets->rename(id, name)) return;
    const QString after = presets->find(id)->name;
    if (after == before) return;
    const auto call = [presets, id](const QString& to) {
        presets->setName(id, to);
        return engine::Status();
    };
    app_->undo()->push({.title = tr("Rename the preset"),
                        .undo = [call, before] { return call(before); },
                        .redo = [call, after] { return call(after); },
                        .notice = tr("Renamed the preset to %1").arg(isolatedName(after))});
}

void SettingEditor::removePreset() {
    Presets* const presets = app_->presets();
    const QString id = preset();
    const Presets::Preset* const found = presets->find(id);
    if (found == nullptr) return;
    const Presets::Preset removed = *found;
    const QString name = isolatedName(presets->name(id)); // one that came with the program has none in `removed`
    const int row = presets->rowOf(id);
    presets->remove(id);
    app_->undo()->push({.title = tr("Delete the preset %1").arg(name),
                        .undo =
                            [presets, removed, row] {
                                presets->insert(row, removed);
                                return engine::Status();
                            },
                        .redo =
                            [presets, id] {
                                presets->remove(id);
                                return engine::Status();
                            },
                        .notice = tr("Deleted the preset %1").arg(name),
                        .stands = [presets, id] { return !presets->contains(id); }});
}

} // namespace coterie::app
