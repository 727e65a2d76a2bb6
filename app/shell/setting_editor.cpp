// SPDX-License-Identifier: Apache-2.0
// All changes go through write(), which gets the place of the values and not what is in view: so the same function
// undoes them later.
#include "shell/setting_editor.h"

#include "common/isolated_name.h"
#include "settings/setting_texts.h"
#include "shell/app.h"

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
    if (!app_ || app_->presets()->contains(preset_)) return preset_;
    return app_->presets()->contains(chatPreset()) ? chatPreset() : app_->presets()->first();
}

void SettingEditor::setPreset(const QString& id) {
    if (id == preset_) return;
    preset_ = id;
    resolve();
}

QString SettingEditor::chatPreset() const { return conversation_ ? conversation_->settings().preset() : QString(); }

void SettingEditor::setChatPreset(const QString& id) {
    if (!app_ || !conversation_ || id == chatPreset()) return;
    const Place chat{.layer = ChatSettings::Chat, .name = {}, .chat = conversation_->chatId()};
    const QJsonValue value = id.isEmpty() ? QJsonValue(QJsonValue::Undefined) : QJsonValue(id);
    report(write(app_, chat, {{kPresetKey, value}}));
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

engine::Result<QJsonObject> SettingEditor::read(App* app, const Place& place) {
    if (place.layer == ChatSettings::Model) return app->settings()->modelSettings(place.name);
    if (place.layer == ChatSettings::Preset) return app->presets()->values(place.name);
    if (place.layer == ChatSettings::Chat) return app->conversation()->ownSettings(place.chat);
    QJsonObject values;
    for (const QString& key : keysOf(place.layer))
        if (app->settings()->changedFromDefault(key)) values.insert(key, app->settings()->value(key));
    return values;
}

engine::Status SettingEditor::write(App* app, const Place& place, const Changes& changes) {
    if (place.layer == ChatSettings::Program) {
        for (const auto& [key, value] : changes.asKeyValueRange())
            app->settings()->setValue(key, value.isUndefined() ? settingRow(key).usual : value);
        return {};
    }
    auto values = read(app, place);
    if (!values) return values.error();
    for (const auto& [key, value] : changes.asKeyValueRange()) values->insert(key, value); // undefined: removes it
    if (place.layer == ChatSettings::Chat) return app->conversation()->setOwnSettings(place.chat, *values);
    if (place.layer == ChatSettings::Model)
        app->settings()->setModelSettings(place.name, *values);
    else
        app->presets()->setValues(place.name, *values);
    return {};
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
    if (!possible()) return;
    const QJsonValue accepted = settingRow(key).accepted(value);
    if (isSet(key) && this->value(key) == accepted) return;
    if (layer_ == ChatSettings::Program && this->value(key) == accepted) return;
    report(write(app_, place(), {{key, accepted}}));
}

void SettingEditor::setValue(const QString& key, const QVariant& value) { set(key, QJsonValue::fromVariant(value)); }

/// Makes changes that take values away, so that they can be undone.
void SettingEditor::applyUndoably(const QString& title, const Changes& changes, const QString& notice) {
    if (!possible() || changes.isEmpty()) return;
    const Place where = place();
    const auto now = read(app_, where);
    if (!now) {
        report(now.error());
        return;
    }
    Changes before;
    for (const auto& [key, value] : changes.asKeyValueRange()) before.insert(key, now->value(key));
    if (!report(write(app_, where, changes))) return;
    App* const app = app_;
    app->undo()->push({.title = title,
                       .undo = [app, where, before] { return write(app, where, before); },
                       .redo = [app, where, changes] { return write(app, where, changes); },
                       .offered = true,
                       .notice = notice});
}

void SettingEditor::reset(const QStringList& keys) {
    Changes changes;
    for (const QString& key : keys)
        if (isSet(key)) changes.insert(key, QJsonValue::Undefined);
    applyUndoably(tr("Reset %1").arg(settingText(keys.first()).title), changes);
}

void SettingEditor::resetAll() {
    const QJsonObject usual = layer_ == ChatSettings::Preset ? app_->presets()->usualValues(preset()) : QJsonObject();
    Changes changes;
    for (const QString& key : keysOf(layer_))
        if (isOfScope(layer_, settingRow(key)) && (isSet(key) || usual.contains(key)))
            changes.insert(key, usual.value(key));
    applyUndoably(tr("Reset the values"), changes, tr("The defaults are back"));
}

void SettingEditor::resetProgram() {
    if (layer_ != ChatSettings::Program) return;
    Changes changes;
    for (const QString& key : keysOf(ChatSettings::Program))
        if (app_->settings()->changedFromDefault(key)) changes.insert(key, QJsonValue::Undefined);
    applyUndoably(tr("Reset all settings"), changes, tr("The defaults are back"));
}

QString SettingEditor::makePreset() {
    QJsonObject values;
    for (const QString& key : keysOf(ChatSettings::Preset)) {
        const bool changed = value(key) != settingRow(key).usual;
        if (changed || resolved_->layerOf(key) != ChatSettings::Program) values.insert(key, value(key));
    }
    const QString id = app_->presets()->add(tr("My preset"), values);
    setPreset(id);
    return id;
}

void SettingEditor::newPreset() { setPreset(app_->presets()->add(tr("My preset"), {})); }

void SettingEditor::removePreset() {
    Presets* const presets = app_->presets();
    const QString id = preset();
    const Presets::Preset* const found = presets->find(id);
    if (found == nullptr) return;
    const Presets::Preset removed = *found;
    const int row = presets->rowOf(id);
    presets->remove(id);
    app_->undo()->push({.title = tr("Delete the preset"),
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
                        .notice = tr("Deleted the preset %1").arg(isolatedName(removed.name)),
                        .stands = [presets, id] { return !presets->contains(id); }});
}

} // namespace coterie::app
