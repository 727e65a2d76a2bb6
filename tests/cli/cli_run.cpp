// SPDX-License-Identifier: Apache-2.0
// Runs the real coterie-cli as a process. The build passes the program's path in COTERIE_CLI.
#include "cli_run.h"

#include "../support/patience.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>

namespace coterie::test {

QString cliProgram() { return QStringLiteral(COTERIE_CLI); }

Run cli(const QStringList& arguments, const QByteArray& input, const QStringList& environment) {
    QProcess process;
    if (!environment.isEmpty()) process.setEnvironment(QProcess::systemEnvironment() + environment);
    process.start(cliProgram(), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(kPatienceMs) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished(kPatienceMs);
        return {-1, process.readAllStandardOutput(), "did not end well"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

bool isErrorLine(const QByteArray& err) {
    static const QRegularExpression line(QStringLiteral("^error: [^;\\n]+; [^;\\n]+; [^;\\n]+\\n$"));
    return line.match(QString::fromUtf8(err)).hasMatch();
}

QJsonObject object(const QByteArray& json) { return QJsonDocument::fromJson(json).object(); }

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace coterie::test
