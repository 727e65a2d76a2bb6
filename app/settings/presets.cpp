// SPDX-License-Identifier: Apache-2.0
// Presets are written as [{id, name, values}] under the key "presets". As long as that list is missing or empty, there
// are those that came with the program.
#include "settings/presets.h"

#include "settings/settings.h"

#include <QUuid>

#include <algorithm>

namespace coterie::app {
namespace {

const QString kList = QStringLiteral("presets");
const QString kId = QStringLiteral("id"), kName = QStringLiteral("name"), kValues = QStringLiteral("values");
/// Written in place of a preset if the user has deleted all of them: an empty list means "not changed yet".
const QString kNone = QStringLiteral("none");
// Limits of a list that comes from a file. A person has some ten presets.
constexpr qsizetype kLongestName = 200; // characters
constexpr int kMostAdded = 200;

QString temperature() { return QStringLiteral("temperature"); }

} // namespace

/// The three differ in the temperature and in how unlikely a token may be: enough to hear the difference, and no value
/// is far from what model cards suggest.
std::vector<Presets::Preset> Presets::shipped() {
    const auto preset = [](const char* id, double heat, double topP, double minP) {
        return Preset{
            .id = QLatin1String(id),
            .name = {},
            .values = {{temperature(), heat}, {QStringLiteral("topP"), topP}, {QStringLiteral("minP"), minP}}};
    };
    return {preset("precise", 0.2, 0.9, 0.1), preset("balanced", 0.7, 0.95, 0.05), preset("creative", 1.1, 0.98, 0.02)};
}

Presets::Presets(Settings* settings, QObject* parent) : RowList(parent), settings_(settings) { read(); }

/// Returns a preset without an id if the entry is none.
Presets::Preset Presets::presetOf(const QJsonObject& entry) {
    const QString id = entry.value(kId).toString();
    if (id == kNone) return {};
    return {.id = id, .name = entry.value(kName).toString(), .values = entry.value(kValues).toObject()};
}

void Presets::read() {
    const QJsonArray entries = settings_->value(kList).toArray();
    if (entries.isEmpty()) presets_ = shipped();
    for (const QJsonValue& entry : entries)
        if (const Preset preset = presetOf(entry.toObject()); !preset.id.isEmpty() && !contains(preset.id))
            presets_.push_back(preset);
}

QJsonArray Presets::list() const {
    QJsonArray entries;
    for (const Preset& preset : presets_)
        entries.append(QJsonObject{{kId, preset.id}, {kName, preset.name}, {kValues, preset.values}});
    return entries;
}

void Presets::write() {
    QJsonArray entries = list();
    if (entries.isEmpty()) entries.append(QJsonObject{{kId, kNone}});
    settings_->setValue(kList, entries);
    Q_EMIT changed();
}

const Presets::Preset* Presets::find(const QString& id) const {
    const int row = rowOf(id);
    return row < 0 ? nullptr : &presets_[static_cast<size_t>(row)];
}

int Presets::rowOf(const QString& id) const {
    const auto at = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& p) { return p.id == id; });
    return at == presets_.end() ? -1 : static_cast<int>(at - presets_.begin());
}

bool Presets::complete() const {
    const std::vector<Preset> came = shipped();
    return std::all_of(came.begin(), came.end(), [this](const Preset& preset) { return contains(preset.id); });
}

QString Presets::first() const { return presets_.empty() ? QString() : presets_.front().id; }

QString Presets::name(const QString& id) const {
    const Preset* preset = find(id);
    if (preset == nullptr) return {};
    if (!preset->name.isEmpty()) return preset->name;
    if (id == QStringLiteral("precise")) return tr("Precise");
    if (id == QStringLiteral("balanced")) return tr("Balanced");
    if (id == QStringLiteral("creative")) return tr("Creative");
    return tr("Preset");
}

QJsonObject Presets::values(const QString& id) const {
    const Preset* preset = find(id);
    return preset == nullptr ? QJsonObject() : preset->values;
}

QJsonObject Presets::usualValues(const QString& id) const {
    for (const Preset& preset : shipped())
        if (preset.id == id) return preset.values;
    return {};
}

bool Presets::isFree(const QString& name) const {
    const QString wanted = name.trimmed();
    return !wanted.isEmpty() && freeName(wanted) == wanted;
}

bool Presets::isTaken(const QString& name) const {
    return std::any_of(presets_.begin(), presets_.end(), [&](const Preset& p) { return this->name(p.id) == name; });
}

QString Presets::numbered(const QString& name, int number) {
    return tr("%1 %2", "a name and a number").arg(name, QString::number(number));
}

/// Returns the name, with a number behind it if a preset has it already.
QString Presets::freeName(const QString& name) const {
    QString free = name;
    for (int number = 2; isTaken(free); ++number) free = numbered(name, number);
    return free;
}

/// Returns the name without the number that freeName() gave it, if it did: the copy of "Poems 2" is "Poems 3", while
/// there is a preset "Poems". The number of "Version 4" may be a part of the name.
QString Presets::withoutNumber(const QString& name) const {
    const qsizetype space = name.lastIndexOf(u' ');
    if (space <= 0) return name;
    const QString first = name.left(space);
    return isTaken(first) && numbered(first, name.mid(space + 1).toInt()) == name ? first : name;
}

void Presets::insert(int row, const Preset& preset) {
    if (contains(preset.id)) return;
    const int at = std::clamp(row, 0, count());
    beginInsertRows({}, at, at);
    presets_.insert(presets_.begin() + at, preset);
    endInsertRows();
    write();
}

QString Presets::add(const QString& name, const QJsonObject& values) {
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    insert(count(), {id, freeName(name.trimmed().isEmpty() ? tr("Preset") : name.trimmed()), values});
    return id;
}

QString Presets::duplicate(const QString& id) {
    const int row = rowOf(id);
    if (row < 0) return {};
    const QString copy = QUuid::createUuid().toString(QUuid::WithoutBraces);
    insert(row + 1, {copy, freeName(withoutNumber(name(id))), values(id)});
    return copy;
}

bool Presets::rename(const QString& id, const QString& name) {
    const QString wanted = name.trimmed();
    const int row = rowOf(id);
    if (row < 0) return false;
    if (wanted == this->name(id)) return true;
    if (!isFree(wanted)) return false;
    setName(id, wanted);
    return true;
}

void Presets::setName(const QString& id, const QString& name) {
    const int row = rowOf(id);
    if (row < 0) return;
    presets_[static_cast<size_t>(row)].name = name;
    Q_EMIT dataChanged(index(row), index(row), {NameRole});
    write();
}

void Presets::remove(const QString& id) {
    const int row = rowOf(id);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    presets_.erase(presets_.begin() + row);
    endRemoveRows();
    write();
}

int Presets::addMissing(const QJsonArray& list) {
    int added = 0;
    for (const QJsonValue& entry : list) {
        Preset preset = presetOf(entry.toObject());
        if (preset.id.isEmpty() || contains(preset.id) || added == kMostAdded) continue;
        preset.name = preset.name.simplified().left(kLongestName);
        if (!preset.name.isEmpty()) preset.name = freeName(preset.name);
        insert(count(), preset);
        ++added;
    }
    return added;
}

QStringList Presets::restoreShipped() {
    QStringList added;
    for (const Preset& preset : shipped()) {
        if (contains(preset.id)) continue;
        insert(count(), preset);
        added.append(preset.id);
    }
    return added;
}

void Presets::setValues(const QString& id, const QJsonObject& values) {
    const int row = rowOf(id);
    if (row < 0 || presets_[static_cast<size_t>(row)].values == values) return;
    presets_[static_cast<size_t>(row)].values = values;
    write();
}

QVariant Presets::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Preset& preset = presets_[static_cast<size_t>(index.row())];
    if (role == PresetIdRole) return preset.id;
    return role == NameRole || role == Qt::DisplayRole ? name(preset.id) : QVariant();
}

} // namespace coterie::app
