// SPDX-License-Identifier: Apache-2.0
// Random chats that have everything a chat can have: branches, all kinds of parts, files, errors, figures, records,
// folders, settings, drafts, and messages and chats in the bin.
#pragma once

#include "store/chat_tree.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QString>

namespace coterie::test {

class RandomChats {
  public:
    explicit RandomChats(quint32 seed) : random_(seed) {}

    app::ChatTree next() {
        const int number = ++made_;
        app::ChatTree tree;
        tree.uid = QString::fromLatin1(
            QCryptographicHash::hash("chat " + QByteArray::number(number), QCryptographicHash::Sha256)
                .toHex()
                .left(32));
        tree.title = QStringLiteral("Chat %1 ").arg(number) + words(3);
        tree.created = 1700000000000 + number * 1000LL + below(1000);
        tree.updated = tree.created + below(1000000);
        if (below(10) == 0) tree.removed = tree.updated + 5;
        tree.pinned = below(5) == 0;
        tree.unread = below(6) == 0;
        if (below(3) == 0) tree.folder = QStringLiteral("Folder %1").arg(below(7));
        if (below(4) == 0)
            tree.settings = {{QStringLiteral("temperature"), 0.1 * below(20)},
                             {QStringLiteral("systemPrompt"), words(4)}};
        if (below(4) == 0) tree.draft = words(6);
        addMessages(tree, below(12));
        return tree;
    }

    int below(int most) { return static_cast<int>(random_.bounded(most)); }

  private:
    QString words(int most) {
        static const QStringList kWords{QStringLiteral("plain"),
                                        QStringLiteral("caf\u00e9"),
                                        QStringLiteral("\U0001F469\u200D\U0001F4BB"),
                                        QStringLiteral("\"quoted\" \\ back"),
                                        QStringLiteral("two\n\nlines\ttab"),
                                        QStringLiteral("```\ncode < 2 && 3\n```"),
                                        QStringLiteral("\u05e9\u05dc\u05d5\u05dd"),
                                        QString(QChar(1)) + QStringLiteral(" control"),
                                        QStringLiteral("]}],{[")};
        QStringList list;
        for (int i = 1 + below(most); i > 0; --i) list.append(kWords.at(below(static_cast<int>(kWords.size()))));
        return list.join(QLatin1Char(' '));
    }

    QByteArray bytes(int most) {
        QByteArray made(below(most), '\0');
        for (char& byte : made) byte = static_cast<char>(below(256));
        return made;
    }

    void addMessages(app::ChatTree& tree, int count) {
        std::vector<bool> hidden;
        for (int i = 0; i < count; ++i) {
            app::TreeMessage message;
            message.parent = i == 0 || below(8) == 0 ? -1 : below(i);
            if (below(2) == 0 && i > 0) message.parent = i - 1; // mostly one after the other
            const bool user = message.parent < 0 || below(2) == 0;
            message.role = user ? engine::Role::User : engine::Role::Assistant;
            if (below(20) == 0) message.role = below(2) == 0 ? engine::Role::System : engine::Role::Tool;
            message.state = below(6) == 0 ? QStringLiteral("stopped") : QStringLiteral("complete");
            message.created = tree.created + i * 1000 + below(999);
            if (message.role == engine::Role::Assistant) addFigures(message);
            if (below(12) == 0) message.removed = tree.updated + 1;
            for (int part = below(4); part > 0; --part) message.parts.push_back(nextPart(tree));
            hidden.push_back(message.removed || (message.parent >= 0 && hidden[static_cast<size_t>(message.parent)]));
            tree.messages.push_back(std::move(message));
        }
        for (int i = 0; i < count; ++i)
            if (!hidden[static_cast<size_t>(i)]) tree.leaf = i;
        if (tree.leaf >= 0 && below(2) == 0) {
            tree.seen = tree.leaf;
            tree.seenOffset = 0.25 * below(400);
        }
        if (tree.leaf >= 0 && below(5) == 0) tree.leftOut = tree.leaf;
        for (int i = below(10) - 7; i > 0; --i) tree.waiting.append(words(4));
        for (qsizetype prompt = -1; prompt < tree.waiting.size(); ++prompt)
            for (int i = below(6) - 4; i > 0; --i) tree.unsent.push_back({.part = nextFile(tree), .waiting = prompt});
    }

    void addFigures(app::TreeMessage& message) {
        message.model = QStringLiteral("Model %1").arg(below(3));
        message.statistics = {{QStringLiteral("tokens"), 1 + below(300)},
                              {QStringLiteral("tokensPerSecond"), 0.1 * below(1000)},
                              {QStringLiteral("ofALaterVersion"), true}};
        if (below(7) == 0) {
            message.state = QStringLiteral("failed");
            message.error = {{QStringLiteral("what"), words(2)}, {QStringLiteral("why"), words(2)}};
        }
        if (below(5) != 0) return;
        for (const app::RecordKind kind : {app::RecordKind::Tokens, app::RecordKind::Trace})
            message.records.push_back({.kind = kind,
                                       .version = 1 + below(3),
                                       .created = message.created,
                                       .bytes = app::packedRecord({.version = 1, .bytes = bytes(500)})->bytes});
    }

    app::TreePart nextFile(app::ChatTree& tree) {
        if (tree.files.empty() || below(2) == 0) tree.files.push_back(bytes(3000) + QByteArray::number(made_));
        return {.kind = app::PartKind::Attachment,
                .text = words(3),
                .meta = {{QStringLiteral("name"), QStringLiteral("a.txt")}},
                .file = static_cast<qsizetype>(tree.files.size()) - 1};
    }

    app::TreePart nextPart(app::ChatTree& tree) {
        switch (below(8)) {
        case 0:
            return {.kind = app::PartKind::Thought,
                    .text = words(5),
                    .meta = {{QStringLiteral("seconds"), 0.5 * below(50)}}};
        case 1:
            return {.kind = app::PartKind::ToolCall,
                    .meta = {{QStringLiteral("tool"), words(1)}, {QStringLiteral("arguments"), QStringLiteral("{}")}}};
        case 2:
            return {.kind = app::PartKind::ToolResult, .text = words(5)};
        case 3:
            return nextFile(tree);
        default:
            return {.kind = app::PartKind::Text, .text = words(9)};
        }
    }

    QRandomGenerator random_;
    int made_ = 0;
};

} // namespace coterie::test
