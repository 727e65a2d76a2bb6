// SPDX-License-Identifier: Apache-2.0
// Only rows that have changed are refreshed: a field keeps what is being typed into it while others change.
#include "shell/setting_rows.h"

#include "settings/setting_table.h"

#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

const QString kOn = QStringLiteral("on"), kOff = QStringLiteral("off");
const QList<int> kValueRoles{SettingRows::NumberRole, SettingRows::TextRole, SettingRows::SetHereRole,
                             SettingRows::SourceRole, SettingRows::ResetTextRole};

constexpr const char* kKindNames[] = {"choice",   "number", "slider",
                                      "longText", "lines",  "special"}; // in the order of SettingKind

/// The texts as lines; a line break inside one is written as "\n", and a backslash as two.
QString linesOf(const QJsonArray& texts) {
    QStringList lines;
    for (const QJsonValue& text : texts) {
        QString line = text.toString();
        line.replace(u'\\', QStringLiteral("\\\\")).replace(u'\n', QStringLiteral("\\n"));
        lines.append(line);
    }
    return lines.join(u'\n');
}

QJsonArray textsOf(const QString& lines) {
    QJsonArray texts;
    for (const QString& line : lines.split(u'\n', Qt::SkipEmptyParts)) {
        QString text;
        for (qsizetype i = 0; i < line.size(); ++i) {
            const bool escapes = line[i] == u'\\' && i + 1 < line.size();
            if (escapes && (line[i + 1] == u'n' || line[i + 1] == u'\\'))
                text.append(line[++i] == u'n' ? u'\n' : u'\\');
            else
                text.append(line[i]);
        }
        texts.append(text);
    }
    return texts;
}

} // namespace

void SettingRows::setEditor(SettingEditor* editor) {
    if (editor == editor_) return;
    if (editor_) disconnect(editor_, nullptr, this, nullptr);
    editor_ = editor;
    if (editor_) connect(editor_, &SettingEditor::changed, this, &SettingRows::refreshValues);
    refreshValues();
    Q_EMIT changed();
}

void SettingRows::setSearch(SettingSearch* search) {
    if (search == search_) return;
    if (search_) disconnect(search_, nullptr, this, nullptr);
    search_ = search;
    if (search_) connect(search_, &SettingSearch::changed, this, &SettingRows::refreshShown);
    refreshShown();
}

void SettingRows::setKeys(const QStringList& keys) {
    if (keys == keys_) return;
    beginResetModel();
    keys_ = keys;
    known_.clear();
    endResetModel();
    refreshValues();
    Q_EMIT changed();
}

int SettingRows::shownCount() const {
    if (!search_) return 0;
    return static_cast<int>(std::count_if(keys_.begin(), keys_.end(),
                                          [this](const QString& key) { return search_->shown().contains(key); }));
}

void SettingRows::setNumber(const QString& key, double number) {
    const SettingText& text = settingText(key);
    const bool empty = text.empty && number == *text.empty;
    if (editor_) editor_->set(key, empty ? number : number * text.scale);
}

void SettingRows::setText(const QString& key, const QString& text) {
    if (!editor_) return;
    const SettingRow& row = settingRow(key);
    if (row.texts)
        editor_->set(key, textsOf(text));
    else if (row.usual.isBool())
        editor_->set(key, text == kOn);
    else
        editor_->set(key, text);
}

/// Tells views which rows have other values than they know.
void SettingRows::refreshValues() {
    known_.resize(keys_.size());
    for (int row = 0; row < keys_.size(); ++row) {
        QVariantList now;
        for (const int role : kValueRoles) now.append(data(index(row), role));
        if (std::exchange(known_[row], now) != now) Q_EMIT dataChanged(index(row), index(row), kValueRoles);
    }
}

void SettingRows::refreshShown() {
    if (!keys_.isEmpty()) Q_EMIT dataChanged(index(0), index(count() - 1), {ShownRole});
    Q_EMIT changed();
}

QString SettingRows::textOf(const SettingText& text) const {
    const QJsonValue value = editor_->value(text.key);
    if (value.isArray()) return linesOf(value.toArray());
    if (value.isBool()) return value.toBool() ? kOn : kOff;
    return value.toString();
}

QVariantList SettingRows::optionsOf(const SettingText& text) const {
    const SettingRow& row = settingRow(text.key);
    const QStringList values = row.usual.isBool() ? QStringList{kOn, kOff} : row.choices;
    QVariantList options;
    for (qsizetype i = 0; i < text.options.size(); ++i)
        options.append(QVariantMap{{QStringLiteral("value"), values[i]}, {QStringLiteral("text"), text.options[i]}});
    return options;
}

/// Returns what does not depend on the value.
QVariant SettingRows::describe(const SettingText& text, int role) const {
    switch (role) {
    case KeyRole:
        return text.key;
    case KindRole:
        return QString::fromLatin1(kKindNames[static_cast<size_t>(text.kind)]);
    case TitleRole:
        return text.title;
    case HintRole:
        return text.hint;
    case LabelRole:
        return text.label.isEmpty() ? text.title : text.label;
    case UnitRole:
        return text.unit;
    case DecimalsRole:
        return text.decimals;
    case LeastRole:
        return text.least;
    case MostRole:
        return text.most;
    case StepRole:
        return text.step;
    case CanBeEmptyRole:
        return text.empty.has_value();
    case EmptyNumberRole:
        return text.empty.value_or(0);
    case EmptyTextRole:
        return text.emptyText;
    case OptionsRole:
        return optionsOf(text);
    default:
        return {};
    }
}

QVariant SettingRows::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const SettingText& text = settingText(keys_[index.row()]);
    if (role == ShownRole) return search_ && search_->shown().contains(text.key);
    if (!editor_) return describe(text, role);
    switch (role) {
    case NumberRole: {
        const double value = editor_->value(text.key).toDouble();
        return text.empty && value == *text.empty ? value : value / text.scale;
    }
    case TextRole:
        return textOf(text);
    case SetHereRole:
        return editor_->isSet(text.key);
    case SourceRole:
        return editor_->source(text.key);
    case ResetTextRole:
        return editor_->resetText(text.key);
    default:
        return describe(text, role);
    }
}

} // namespace coterie::app
