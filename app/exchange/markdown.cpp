// SPDX-License-Identifier: Apache-2.0
// See markdown.h.
#include "exchange/markdown.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr QLatin1String kSystemPrompt("systemPrompt"); // key of a setting

/// The texts around the messages. The class is their context: lupdate needs one.
class Markdown {
    Q_DECLARE_TR_FUNCTIONS(Markdown)
  public:
    Markdown(const ChatTree& tree, bool branches) : tree_(tree), branches_(branches) {}

    QString made() const;

  private:
    QString heading(const TreeMessage& message, qsizetype number) const;
    QString body(const TreeMessage& message) const;
    static QString ending(const TreeMessage& message);
    QString settings() const;
    static QString part(const TreePart& part);
    static QString quoted(const QString& title, const QString& text);
    static QString fenced(const QString& language, const QString& code);
    std::vector<qsizetype> shown() const;

    const ChatTree& tree_;
    bool branches_;
};

QString dateText(qint64 time) { return QLocale().toString(QDateTime::fromMSecsSinceEpoch(time), QLocale::ShortFormat); }

/// A title on one line: Markdown's own signs in it mean nothing.
QString plainLine(const QString& text) {
    QString line;
    for (const QChar c : text.simplified()) {
        if (QStringLiteral("\\`*_[]<>#").contains(c)) line += QLatin1Char('\\');
        line += c;
    }
    return line;
}

/// A value on one line: a text as it is, anything else as JSON.
QString valueLine(const QJsonValue& value) {
    if (value.isString()) return plainLine(value.toString());
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return plainLine(QString::fromUtf8(list.mid(1, list.size() - 2)));
}

std::vector<qsizetype> Markdown::shown() const {
    std::vector<qsizetype> indexes;
    if (branches_) {
        for (size_t i = 0; i < tree_.messages.size(); ++i) indexes.push_back(static_cast<qsizetype>(i));
        return indexes;
    }
    for (qsizetype i = tree_.leaf; i >= 0; i = tree_.messages[static_cast<size_t>(i)].parent) indexes.push_back(i);
    std::reverse(indexes.begin(), indexes.end());
    return indexes;
}

QString Markdown::heading(const TreeMessage& message, qsizetype number) const {
    QString who = tr("You");
    if (message.role == engine::Role::Assistant)
        who = message.model.isEmpty() ? tr("Answer") : plainLine(message.model);
    else if (message.role == engine::Role::System)
        who = tr("System prompt");
    else if (message.role == engine::Role::Tool)
        who = tr("Tool");
    const QString line = tr("%1, %2", "who wrote a message, and when").arg(who, dateText(message.created));
    if (!branches_) return QStringLiteral("## ") + line;
    if (message.parent < 0) return QStringLiteral("## ") + tr("Message %1: %2").arg(number + 1).arg(line);
    return QStringLiteral("## ") +
           tr("Message %1, after message %2: %3").arg(number + 1).arg(message.parent + 1).arg(line);
}

QString Markdown::quoted(const QString& title, const QString& text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    for (QString& line : lines) line = line.isEmpty() ? QStringLiteral(">") : QStringLiteral("> ") + line;
    return QStringLiteral("> **") + title + QStringLiteral("**\n>\n") + lines.join(QLatin1Char('\n'));
}

/// The fence is longer than any in the code.
QString Markdown::fenced(const QString& language, const QString& code) {
    qsizetype longest = 2, run = 0;
    for (const QChar c : code) {
        run = c == QLatin1Char('`') ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const QString fence(longest + 1, QLatin1Char('`'));
    return fence + language + QLatin1Char('\n') + code + (code.endsWith(QLatin1Char('\n')) ? "" : "\n") + fence;
}

QString Markdown::part(const TreePart& part) {
    const MessagePart fields = messagePart(part);
    switch (part.kind) {
    case PartKind::Text:
        return part.text.trimmed();
    case PartKind::Thought:
        return quoted(tr("Thought"), part.text.trimmed());
    case PartKind::ToolCall:
        if (fields.tool.isEmpty()) return tr("Code that the model ran:") + "\n\n" + fenced({}, fields.code);
        return tr("The model called %1:").arg(QLatin1Char('`') + fields.tool + QLatin1Char('`')) + "\n\n" +
               fenced(QStringLiteral("json"), fields.arguments);
    case PartKind::ToolResult:
        return tr("Result:") + "\n\n" + fenced({}, part.text);
    case PartKind::Attachment: {
        const QString name = tr("Attached file: %1").arg(plainLine(fields.name));
        return part.text.isEmpty() ? name : name + "\n\n" + fenced({}, part.text);
    }
    }
    return {};
}

QString Markdown::body(const TreeMessage& message) const {
    QStringList blocks;
    for (const TreePart& one : message.parts)
        if (const QString text = part(one); !text.isEmpty()) blocks.append(text);
    if (const QString end = ending(message); !end.isEmpty()) blocks.append(QLatin1Char('*') + end + QLatin1Char('*'));
    return blocks.join(QStringLiteral("\n\n"));
}

/// Returns why the message has no proper end; an empty text if it has one.
QString Markdown::ending(const TreeMessage& message) {
    const auto said = [&](const char* field) {
        return plainLine(message.error.value(QLatin1String(field)).toString());
    };
    const QString what = said("what"), why = said("why");
    if (message.state == QLatin1String("stopped"))
        return why.isEmpty() ? tr("Stopped here.") : tr("Ended here. %1.").arg(why);
    return what.isEmpty() ? QString() : tr("Failed: %1.").arg(what);
}

/// The chat's own settings by their keys, without the system prompt; empty if there are none.
QString Markdown::settings() const {
    QStringList lines;
    for (auto setting = tree_.settings.begin(); setting != tree_.settings.end(); ++setting)
        if (setting.key() != kSystemPrompt)
            lines.append(QStringLiteral("- %1: %2").arg(plainLine(setting.key()), valueLine(setting.value())));
    return lines.join(QLatin1Char('\n'));
}

QString Markdown::made() const {
    QStringList blocks{QStringLiteral("# ") + plainLine(tree_.title), dateText(tree_.updated)};
    if (const QString list = settings(); !list.isEmpty()) blocks.append(tr("Settings of this chat:") + "\n\n" + list);
    const QString system = tree_.settings.value(kSystemPrompt).toString().trimmed();
    if (!system.isEmpty()) blocks.append(quoted(tr("System prompt"), system));
    for (const qsizetype index : shown()) {
        const TreeMessage& message = tree_.messages[static_cast<size_t>(index)];
        blocks.append(heading(message, index));
        if (const QString text = body(message); !text.isEmpty()) blocks.append(text);
    }
    return blocks.join(QStringLiteral("\n\n")) + QLatin1Char('\n');
}

} // namespace

QString markdownOf(const ChatTree& tree, bool branches) { return Markdown(tree, branches).made(); }

} // namespace coterie::app
