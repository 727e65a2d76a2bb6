// SPDX-License-Identifier: Apache-2.0
// See json_fields.h.
#include "exchange/json_fields.h"

#include <QDateTime>
#include <QJsonArray>

namespace coterie::app {

QString JsonFields::placeOf(const char* key) const {
    return path_.isEmpty() ? QLatin1String(key) : path_ + QLatin1Char('.') + QLatin1String(key);
}

void JsonFields::refuse(const char* key) const {
    if (!*wrong_) *wrong_ = placeOf(key);
}

/// The value if it is of this type. A missing one is undefined.
QJsonValue JsonFields::valueOf(const char* key, QJsonValue::Type type) const {
    const QJsonValue found = value(key);
    if (!found.isUndefined() && found.type() != type) refuse(key);
    return found;
}

QString JsonFields::text(const char* key) const {
    if (value(key).isUndefined()) refuse(key);
    return maybeText(key);
}

QString JsonFields::maybeText(const char* key) const { return valueOf(key, QJsonValue::String).toString(); }

qint64 JsonFields::maybeNumber(const char* key) const {
    const QJsonValue found = valueOf(key, QJsonValue::Double);
    const qint64 number = found.toInteger(found.isUndefined() ? 0 : -1);
    if (number < 0) refuse(key);
    return std::max<qint64>(number, 0);
}

double JsonFields::maybeReal(const char* key) const { return valueOf(key, QJsonValue::Double).toDouble(); }

bool JsonFields::maybeTruth(const char* key) const { return valueOf(key, QJsonValue::Bool).toBool(); }

QJsonObject JsonFields::maybeObject(const char* key) const { return valueOf(key, QJsonValue::Object).toObject(); }

qint64 JsonFields::time(const char* key) const {
    const std::optional<qint64> found = maybeTime(key);
    if (!found) refuse(key);
    return found.value_or(0);
}

std::optional<qint64> JsonFields::maybeTime(const char* key) const {
    const QString written = maybeText(key);
    if (written.isEmpty()) return std::nullopt;
    const QDateTime time = QDateTime::fromString(written, Qt::ISODateWithMs);
    if (!time.isValid()) refuse(key);
    return time.isValid() ? std::optional<qint64>(time.toMSecsSinceEpoch()) : std::nullopt;
}

void JsonFields::eachObject(const char* key, const std::function<void(const JsonFields&)>& use) const {
    const QJsonArray list = valueOf(key, QJsonValue::Array).toArray();
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QString place = placeOf(key) + QStringLiteral("[%1]").arg(i);
        const QJsonValue element = list.at(i);
        if (!element.isObject() && !*wrong_) *wrong_ = place;
        use(JsonFields(element.toObject(), place, wrong_));
    }
}

void JsonFields::eachText(const char* key, const std::function<void(const QString&)>& use) const {
    const QJsonArray list = valueOf(key, QJsonValue::Array).toArray();
    for (const QJsonValue& element : list) {
        if (!element.isString()) refuse(key);
        use(element.toString());
    }
}

engine::Error wrongField(const QString& path) {
    constexpr qsizetype kLongest = 100; // characters of a path that a person reads
    return {engine::ErrorKind::BadInput,
            "The chat was not added",
            {"Its field \"%1\" is missing or of the wrong kind", path.left(kLongest).toStdString()},
            "Export it once more, or leave it out"};
}

} // namespace coterie::app
