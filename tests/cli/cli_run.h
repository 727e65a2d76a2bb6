// SPDX-License-Identifier: Apache-2.0
// Runs the real coterie-cli as a process, and reads what it printed.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace coterie::test {

struct Run {
    int code = -1;
    QByteArray out, err;
};

/// The path of the program.
QString cliProgram();

/// Runs the program to its end, for a minute at most; code is -1 if it did not end by itself. environment: variables
/// beside those of the test.
Run cli(const QStringList& arguments, const QByteArray& input = {}, const QStringList& environment = {});

/// Whether err is one line, "error: what; why; what to do", and nothing else.
bool isErrorLine(const QByteArray& err);

QJsonObject object(const QByteArray& json);

/// The contents of a file; nothing if it can't be read.
QByteArray bytesOf(const QString& path);

} // namespace coterie::test
