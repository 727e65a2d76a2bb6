// SPDX-License-Identifier: Apache-2.0
// Reads the fields of a JSON object from a file that may hold anything, and remembers the first field that is missing
// or of the wrong kind.
//
//     std::optional<QString> wrong;
//     const JsonFields fields(object, "", &wrong);
//     const QString title = fields.text("title");
//     if (wrong) return wrongField(*wrong);
//
// Threads: a value that refers to `wrong`.
#pragma once

#include "base/result.h"

#include <QJsonObject>
#include <QString>

#include <functional>
#include <optional>

namespace coterie::app {

class JsonFields {
  public:
    /// path: the object's own place, such as "messages[3]"; empty for the outer one.
    JsonFields(QJsonObject object, QString path, std::optional<QString>* wrong)
        : object_(std::move(object)), path_(std::move(path)), wrong_(wrong) {}

    // These must be there.
    QString text(const char* key) const;
    qint64 time(const char* key) const;

    // These may be missing; then they are empty or 0.
    QString maybeText(const char* key) const;
    qint64 maybeNumber(const char* key) const; ///< a whole number that is not negative
    double maybeReal(const char* key) const;
    bool maybeTruth(const char* key) const;
    QJsonObject maybeObject(const char* key) const;
    std::optional<qint64> maybeTime(const char* key) const;
    void eachObject(const char* key, const std::function<void(const JsonFields&)>& use) const;
    void eachText(const char* key, const std::function<void(const QString&)>& use) const;

    /// Says that the field is wrong.
    void refuse(const char* key) const;

  private:
    QString placeOf(const char* key) const;
    QJsonValue value(const char* key) const { return object_.value(QLatin1String(key)); }
    QJsonValue valueOf(const char* key, QJsonValue::Type type) const;

    QJsonObject object_;
    QString path_;
    std::optional<QString>* wrong_;
};

/// The error for a field that is missing or of the wrong kind.
engine::Error wrongField(const QString& path);

} // namespace coterie::app
