// SPDX-License-Identifier: Apache-2.0
// A message is one string of a data stream, the answer is one byte.
#include "shell/instance_channel.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QThread>

namespace coterie::app {
namespace {

constexpr int kRetryMs = 50;
constexpr qint64 kLongestMessage = 1 << 16; // bytes; more is no path
constexpr char kTaken = 1;
constexpr auto kStream = QDataStream::Qt_6_0;

/// The channel's name follows from the folder. It is short, because the path of a Unix socket has 107 bytes at most.
QString channelName(const QString& folder) {
    const QString canonical = QFileInfo(folder).canonicalFilePath();
    const QByteArray hash =
        QCryptographicHash::hash((canonical.isEmpty() ? folder : canonical).toUtf8(), QCryptographicHash::Sha256);
    const QString name = QStringLiteral("coterie-") + QString::fromLatin1(hash.toHex().left(16));
#ifdef Q_OS_UNIX
    return QDir(qEnvironmentVariable("XDG_RUNTIME_DIR", QDir::tempPath())).filePath(name);
#else
    return name;
#endif
}

} // namespace

InstanceChannel::InstanceChannel(const QString& folder, QObject* parent) : QObject(parent) {
    connect(&server_, &QLocalServer::newConnection, this, &InstanceChannel::receive);
    const QString name = channelName(folder);
    QLocalServer::removeServer(name);
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    server_.listen(name); // without it a second start shows its own window, which says that the folder is in use
}

void InstanceChannel::receive() {
    while (QLocalSocket* socket = server_.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            if (socket->bytesAvailable() > kLongestMessage) return socket->abort();
            QDataStream stream(socket);
            stream.setVersion(kStream);
            QString model;
            stream.startTransaction();
            stream >> model;
            if (!stream.commitTransaction()) return; // the rest is on its way
            socket->write(&kTaken, 1);
            socket->flush();
            Q_EMIT started(model);
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        if (socket->bytesAvailable() > 0) read();
    }
}

bool InstanceChannel::handOver(const QString& folder, const QString& model, int startMs, int answerMs) {
    const QDeadlineTimer deadline(startMs);
    for (;;) {
        QLocalSocket socket;
        socket.connectToServer(channelName(folder));
        if (socket.waitForConnected(kRetryMs)) {
            QDataStream stream(&socket);
            stream.setVersion(kStream);
            stream << (model.isEmpty() ? QString() : QFileInfo(model).absoluteFilePath());
            socket.flush();
            char answer = 0;
            return socket.waitForReadyRead(answerMs) && socket.read(&answer, 1) == 1 && answer == kTaken;
        }
        if (deadline.hasExpired()) return false;
        QThread::msleep(kRetryMs);
    }
}

} // namespace coterie::app
