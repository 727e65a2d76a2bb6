// SPDX-License-Identifier: Apache-2.0
// The real coterie-cli as a process, and what tests read of it; for tests that are compiled with COTERIE_CLI.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

namespace coterie::test {

struct Run {
    int code = -1;
    QByteArray out, err;
};

/// environment: variables beside those that the test has.
inline Run cli(const QStringList& arguments, const QByteArray& input = {}, const QStringList& environment = {}) {
    QProcess process;
    if (!environment.isEmpty()) process.setEnvironment(QProcess::systemEnvironment() + environment);
    process.start(QStringLiteral(COTERIE_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), "did not end well"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// One line, "error: what; why; what to do", and nothing else.
inline bool isErrorLine(const QByteArray& err) {
    static const QRegularExpression line(QStringLiteral("^error: [^;\\n]+; [^;\\n]+; [^;\\n]+\\n$"));
    return line.match(QString::fromUtf8(err)).hasMatch();
}

inline QJsonObject object(const QByteArray& json) { return QJsonDocument::fromJson(json).object(); }

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace coterie::test
