// SPDX-License-Identifier: Apache-2.0
// Getters and setters over a JSON object. The file is written from this object, so unknown keys survive.
#include "settings.h"

#include "base/files.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr int kWriteDelayMs = 300;
constexpr uint64_t kLargestFile = 1 << 20;
constexpr double kLargestMemory = 1024.0 * 1024 * 1024 * 1024 * 64; // 64 TiB: more than any machine has
constexpr int kLargestContext = 1 << 24;
constexpr int kMostThreads = 1024;
constexpr int kRecentModels = 12;

} // namespace

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
    if (!bytes) return;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(bytes.value()));
    if (document.isObject()) {
        values_ = document.object();
        return;
    }
    const QString aside = path_ + QStringLiteral(".bad");
    QFile::remove(aside);
    QFile::rename(path_, aside);
}

void Settings::flush() {
    if (!unwritten_) return;
    writeTimer_.stop();
    if (path_.isEmpty()) return; // kept in memory only
    const std::string bytes = QJsonDocument(values_).toJson().toStdString();
    const engine::Status written = engine::writeWholeFile(engine::systemFiles(), path_.toStdString(), bytes);
    if (!written && !toldFailure_) Q_EMIT failed(ErrorInfo(written.error()));
    toldFailure_ = unwritten_ = !written;
}

void Settings::change(const QString& key, const QJsonValue& value, void (Settings::*changed)()) {
    if (values_.value(key) == value) return;
    values_.insert(key, value);
    unwritten_ = true;
    writeTimer_.start();
    Q_EMIT(this->*changed)();
}

double Settings::number(const QString& key, double least, double most, double usual) const {
    const double value = values_.value(key).toDouble(usual);
    return std::isfinite(value) ? std::clamp(value, least, most) : usual;
}

int Settings::whole(const QString& key, int least, int most, int usual) const {
    return static_cast<int>(number(key, least, most, usual));
}

/// Returns when an option applies; "never" unless the settings name another time.
QString Settings::when(const QString& key) const {
    const QString value = values_.value(key).toString();
    return value == QStringLiteral("scarce") || value == QStringLiteral("always") ? value : QStringLiteral("never");
}

QString Settings::theme() const {
    const QString theme = values_.value(QStringLiteral("theme")).toString();
    return theme == QStringLiteral("light") || theme == QStringLiteral("dark") ? theme : QStringLiteral("system");
}

double Settings::fontScale() const { return number(QStringLiteral("fontScale"), 0.8, 2, 1); }
double Settings::memoryBudget() const { return number(QStringLiteral("memoryBudget"), 0, kLargestMemory, 0); }
int Settings::contextTokens() const { return whole(QStringLiteral("contextTokens"), 0, kLargestContext, 0); }
QString Settings::keyValueFormat() const {
    const QString compact = QStringLiteral("q8_0");
    return values_.value(QStringLiteral("keyValueFormat")).toString() == compact ? compact : QStringLiteral("f16");
}

int Settings::threads() const { return whole(QStringLiteral("threads"), 0, kMostThreads, 0); }
QString Settings::systemPrompt() const { return values_.value(QStringLiteral("systemPrompt")).toString(); }
// The default values are those of the engine (SamplingOptions).
bool Settings::thinking() const { return values_.value(QStringLiteral("thinking")).toBool(true); }
bool Settings::demoThinking() const { return values_.value(QStringLiteral("demoThinking")).toBool(false); }
double Settings::temperature() const { return number(QStringLiteral("temperature"), 0, 2, 0.8); }
double Settings::topP() const { return number(QStringLiteral("topP"), 0, 1, 0.95); }
int Settings::topK() const { return whole(QStringLiteral("topK"), 0, 1000000, 40); }
double Settings::minP() const { return number(QStringLiteral("minP"), 0, 1, 0.05); }
int Settings::maxTokens() const { return whole(QStringLiteral("maxTokens"), 0, kLargestContext, 0); }
QString Settings::preferCachedWhen() const { return when(QStringLiteral("preferCachedWhen")); }
double Settings::preferCached() const { return number(QStringLiteral("preferCached"), 0, 1, 0.2); }
QString Settings::sureWhen() const { return when(QStringLiteral("sureWhen")); }
double Settings::sure() const { return number(QStringLiteral("sure"), 0, 1, 0.9); }
double Settings::sidebarWidth() const { return number(QStringLiteral("sidebarWidth"), 0, 10000, 0); }
QString Settings::lastModel() const { return values_.value(QStringLiteral("lastModel")).toString(); }

QRect Settings::windowGeometry() const {
    const QJsonArray a = values_.value(QStringLiteral("windowGeometry")).toArray();
    return a.size() == 4 ? QRect(a[0].toInt(), a[1].toInt(), a[2].toInt(), a[3].toInt()) : QRect();
}

QStringList Settings::recentModels() const {
    QStringList paths;
    const QJsonArray kept = values_.value(QStringLiteral("recentModels")).toArray();
    for (const QJsonValue value : kept) {
        if (value.isString() && paths.size() < kRecentModels) paths.append(value.toString());
    }
    return paths;
}

void Settings::setTheme(const QString& theme) { change(QStringLiteral("theme"), theme, &Settings::themeChanged); }

void Settings::setFontScale(double scale) {
    change(QStringLiteral("fontScale"), std::clamp(scale, 0.8, 2.0), &Settings::fontScaleChanged);
}

void Settings::setMemoryBudget(double bytes) {
    change(QStringLiteral("memoryBudget"), bytes, &Settings::memoryBudgetChanged);
}

void Settings::setContextTokens(int tokens) {
    change(QStringLiteral("contextTokens"), tokens, &Settings::contextTokensChanged);
}

void Settings::setKeyValueFormat(const QString& format) {
    change(QStringLiteral("keyValueFormat"), format, &Settings::keyValueFormatChanged);
}

void Settings::setThreads(int threads) { change(QStringLiteral("threads"), threads, &Settings::threadsChanged); }

void Settings::setSystemPrompt(const QString& text) {
    change(QStringLiteral("systemPrompt"), text, &Settings::systemPromptChanged);
}

void Settings::setThinking(bool thinks) { change(QStringLiteral("thinking"), thinks, &Settings::thinkingChanged); }

void Settings::setDemoThinking(bool thinks) {
    change(QStringLiteral("demoThinking"), thinks, &Settings::demoThinkingChanged);
}

void Settings::setTemperature(double temperature) {
    change(QStringLiteral("temperature"), temperature, &Settings::temperatureChanged);
}

void Settings::setTopP(double topP) { change(QStringLiteral("topP"), topP, &Settings::topPChanged); }
void Settings::setTopK(int topK) { change(QStringLiteral("topK"), topK, &Settings::topKChanged); }
void Settings::setMinP(double minP) { change(QStringLiteral("minP"), minP, &Settings::minPChanged); }

void Settings::setMaxTokens(int tokens) { change(QStringLiteral("maxTokens"), tokens, &Settings::maxTokensChanged); }

void Settings::setPreferCachedWhen(const QString& when) {
    change(QStringLiteral("preferCachedWhen"), when, &Settings::preferCachedWhenChanged);
}

void Settings::setPreferCached(double share) {
    change(QStringLiteral("preferCached"), share, &Settings::preferCachedChanged);
}

void Settings::setSureWhen(const QString& when) {
    change(QStringLiteral("sureWhen"), when, &Settings::sureWhenChanged);
}

void Settings::setSure(double share) { change(QStringLiteral("sure"), share, &Settings::sureChanged); }

void Settings::setSidebarWidth(double width) {
    change(QStringLiteral("sidebarWidth"), width, &Settings::sidebarWidthChanged);
}

void Settings::setWindowGeometry(const QRect& geometry) {
    const QJsonArray array{geometry.x(), geometry.y(), geometry.width(), geometry.height()};
    change(QStringLiteral("windowGeometry"), array, &Settings::windowGeometryChanged);
}

void Settings::setRecentModels(const QStringList& paths) {
    change(QStringLiteral("recentModels"), QJsonArray::fromStringList(paths.mid(0, kRecentModels)),
           &Settings::recentModelsChanged);
}

void Settings::setLastModel(const QString& path) {
    change(QStringLiteral("lastModel"), path, &Settings::recentModelsChanged);
}

} // namespace coterie::app
