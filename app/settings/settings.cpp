// SPDX-License-Identifier: Apache-2.0
// A JSON object, from which the file is written: so unknown keys survive.
#include "settings/settings.h"

#include "base/files.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace coterie::app {
namespace {

constexpr int kWriteDelayMs = 300;
constexpr uint64_t kLargestFile = 64 << 20; // system prompts of many models and presets may be long
constexpr int kRecentModels = 12;

void read(const QJsonValue& json, bool& value) { value = json.toBool(); }
void read(const QJsonValue& json, int& value) { value = json.toInt(); }
void read(const QJsonValue& json, double& value) { value = json.toDouble(); }
void read(const QJsonValue& json, QString& value) { value = json.toString(); }

void read(const QJsonValue& json, QRect& value) {
    const QJsonArray a = json.toArray();
    if (a.size() == 4) value = QRect(a[0].toInt(), a[1].toInt(), a[2].toInt(), a[3].toInt());
}

void read(const QJsonValue& json, QStringList& value) {
    const QJsonArray texts = json.toArray();
    for (qsizetype i = 0; i < texts.size(); ++i)
        if (texts[i].isString() && value.size() < kRecentModels) value.append(texts[i].toString());
}

template <typename T>
QJsonValue jsonOf(const T& value) {
    return value;
}
QJsonValue jsonOf(const QRect& value) { return QJsonArray{value.x(), value.y(), value.width(), value.height()}; }
QJsonValue jsonOf(const QStringList& value) { return QJsonArray::fromStringList(value.mid(0, kRecentModels)); }

/// Refuses a file that would not be read again.
engine::Status writeFile(const QString& path, const std::string& bytes) {
    if (bytes.size() > kLargestFile)
        return engine::Error{engine::ErrorKind::BadInput,
                             "The settings can't be kept",
                             {"They have %1, and at most %2 can be read again", engine::ByteCount{bytes.size()},
                              engine::ByteCount{kLargestFile}},
                             "Shorten system prompts of models and presets, or delete presets"};
    return engine::writeWholeFile(engine::systemFiles(), path.toStdString(), bytes);
}

} // namespace

template <typename T>
Setting<T>::Setting(Settings* settings, const char* key) : settings_(settings), key_(QLatin1String(key)) {}

template <typename T>
T Setting<T>::operator()() const {
    T value{};
    read(settings_->value(key_), value);
    return value;
}

template <typename T>
Setting<T>& Setting<T>::operator=(const T& value) {
    settings_->setValue(key_, jsonOf(value));
    return *this;
}

template class Setting<bool>;
template class Setting<int>;
template class Setting<double>;
template class Setting<QString>;
template class Setting<QRect>;
template class Setting<QStringList>;

Settings::Settings(const QString& path, QObject* parent) : QObject(parent), path_(path) {
    writeTimer_.setSingleShot(true);
    writeTimer_.setInterval(kWriteDelayMs);
    connect(&writeTimer_, &QTimer::timeout, this, &Settings::flush);
    load();
}

Settings::~Settings() { flush(); }

void Settings::load() {
    if (path_.isEmpty() || !QFile::exists(path_)) return;
    const auto bytes = engine::readWholeFile(engine::systemFiles(), path_.toStdString(), kLargestFile);
    const auto document = bytes ? QJsonDocument::fromJson(QByteArray::fromStdString(bytes.value())) : QJsonDocument();
    if (document.isObject()) {
        values_ = document.object();
        return;
    }
    // The next change would replace it, also if it is whole and can't be read now.
    const QString aside = path_ + QStringLiteral(".bad");
    QFile::remove(aside);
    QFile::rename(path_, aside);
}

void Settings::flush() {
    if (!unwritten_) return;
    writeTimer_.stop();
    if (path_.isEmpty()) return; // kept in memory only
    const std::string bytes = QJsonDocument(values_).toJson().toStdString();
    const engine::Status written = writeFile(path_, bytes);
    if (!written && !reportedFailure_) Q_EMIT failed(ErrorInfo(written.error()));
    reportedFailure_ = unwritten_ = !written;
}

QJsonValue Settings::value(const QString& key) const { return settingRow(key).accepted(values_.value(key)); }

void Settings::setValue(const QString& key, const QJsonValue& value) {
    const QJsonValue accepted = settingRow(key).accepted(value);
    if (values_.value(key) == accepted) return;
    values_.insert(key, accepted);
    unwritten_ = true;
    writeTimer_.start();
    Q_EMIT changed();
    Q_EMIT valueChanged(key);
}

bool Settings::changedFromDefault(const QString& key) const { return value(key) != settingRow(key).usual; }

QJsonObject Settings::modelSettings(const QString& model) const {
    return value(QStringLiteral("modelSettings")).toObject().value(model).toObject();
}

void Settings::setModelSettings(const QString& model, const QJsonObject& values) {
    QJsonObject all = value(QStringLiteral("modelSettings")).toObject();
    if (values.isEmpty())
        all.remove(model);
    else
        all.insert(model, values);
    setValue(QStringLiteral("modelSettings"), all);
}

} // namespace coterie::app
