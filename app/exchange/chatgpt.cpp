// SPDX-License-Identifier: Apache-2.0
// A conversation of ChatGPT's export:
//
//     {"conversation_id", "title", "create_time", "update_time", "current_node", "is_starred", "pinned_time",
//      "mapping": {ID: {"id", "parent", "children", "message": null or
//          {"author": {"role", "name"}, "create_time", "recipient", "status",
//           "content": {"content_type", "parts" | "text" | "thoughts" | "result", "language", "title", "url"},
//           "metadata": {"model_slug", "is_visually_hidden_from_conversation",
//                        "attachments": [{"id", "name"}],
//                        "content_references": [{"matched_text", "alt"}]}}}}}
//
// A part is a text, or {"content_type": "image_asset_pointer", "asset_pointer": "file-service://ID"} and the like.
// Times are seconds with a fraction. Pictures, recordings and files are not in the JSON file: a note stands in the
// place of each. The user's custom instructions and hidden messages are left out.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace coterie::app {
namespace {

// A citation, a name and the like are written as begin, kind, split, values, end.
constexpr QChar kMarkBegin(0xe200), kMarkEnd(0xe201), kMarkSplit(0xe202);

/// The words of a mark for which the message gives none.
QString wordsOfMark(const QString& mark) {
    const QStringList values = mark.mid(1, mark.size() - 2).split(kMarkSplit);
    if (values.front() == QLatin1String("url")) return values.value(1);
    if (values.front() != QLatin1String("entity")) return {}; // a number that stands for a source
    return QJsonDocument::fromJson(values.value(1).toUtf8()).array().at(1).toString();
}

/// Marks become what the message gives for them, such as a link, or go.
QString withoutMarks(const QString& text, const QJsonObject& metadata) {
    if (!text.contains(kMarkBegin)) return text;
    QHash<QString, QString> given;
    for (const QJsonValue& value : metadata.value(QLatin1String("content_references")).toArray())
        given.insert(textAt(value.toObject(), "matched_text"), textAt(value.toObject(), "alt"));
    QString clean;
    qsizetype from = 0;
    for (qsizetype begin = text.indexOf(kMarkBegin); begin >= 0; begin = text.indexOf(kMarkBegin, from)) {
        const qsizetype end = text.indexOf(kMarkEnd, begin);
        if (end < 0) break;
        const QString mark = text.mid(begin, end - begin + 1);
        QString words = given.value(mark);
        if (words.isEmpty()) words = wordsOfMark(mark);
        clean.append(QStringView(text).mid(from, begin - from));
        if (words.isEmpty() && clean.endsWith(QLatin1Char(' '))) clean.chop(1);
        clean.append(words);
        from = end + 1;
    }
    return clean.append(QStringView(text).mid(from));
}

/// Thoughts come with a headline each.
QString thoughtsOf(const QJsonObject& content) {
    QStringList texts;
    for (const QJsonValue& one : content.value(QLatin1String("thoughts")).toArray()) {
        const QString summary = textAt(one.toObject(), "summary"), words = textAt(one.toObject(), "content");
        texts.append(summary.isEmpty() || words.startsWith(summary) ? words : summary + QLatin1Char('\n') + words);
    }
    return texts.join(QStringLiteral("\n\n")).trimmed();
}

/// Reads the parts of one message.
class MessageParts {
  public:
    MessageParts(ForeignTree& tree, const QJsonObject& message);

    std::vector<TreePart> read();
    /// Adds notes for attachments that no part has named.
    void addAttachments(std::vector<TreePart>& parts);

  private:
    /// An attachment; its name goes to the part that shows it.
    struct Attachment {
        QString id, name;
    };

    QString note(NotImported what, const QJsonObject& pointer);
    QString wordsOfPart(const QJsonObject& part);
    QString joinedParts();
    QString quote() const;
    QString anyWords();

    ForeignTree& tree_;
    const QJsonObject message_, content_, metadata_;
    const QString type_;
    std::vector<Attachment> attachments_;
    bool transcribed_ = false; ///< the words of its recordings are there
};

MessageParts::MessageParts(ForeignTree& tree, const QJsonObject& message)
    : tree_(tree), message_(message), content_(message.value(QLatin1String("content")).toObject()),
      metadata_(message.value(QLatin1String("metadata")).toObject()), type_(textAt(content_, "content_type")) {
    for (const QJsonValue& file : metadata_.value(QLatin1String("attachments")).toArray())
        attachments_.push_back({textAt(file.toObject(), "id"), textAt(file.toObject(), "name")});
    for (const QJsonValue& part : content_.value(QLatin1String("parts")).toArray())
        if (textAt(part.toObject(), "content_type") == QLatin1String("audio_transcription")) transcribed_ = true;
}

/// pointer: an object whose "asset_pointer" is an address that ends with the id of an attachment.
QString MessageParts::note(NotImported what, const QJsonObject& pointer) {
    const QString address = textAt(pointer, "asset_pointer");
    const auto named = std::find_if(attachments_.begin(), attachments_.end(), [&](const Attachment& one) {
        return !one.id.isEmpty() && address.endsWith(QLatin1Char('/') + one.id);
    });
    if (named == attachments_.end()) return tree_.note(what);
    const QString name = named->name;
    attachments_.erase(named);
    return tree_.note(what, name);
}

/// A part of a message that is an object: a picture, a recording with its words, or text.
QString MessageParts::wordsOfPart(const QJsonObject& part) {
    const QString type = textAt(part, "content_type");
    const QJsonObject sound = part.value(QLatin1String("audio_asset_pointer")).toObject();
    const bool live = type == QLatin1String("real_time_user_audio_video_asset_pointer");
    const bool seen = part.value(QLatin1String("video_container_asset_pointer")).isObject() ||
                      !part.value(QLatin1String("frames_asset_pointers")).toArray().isEmpty();
    if (type == QLatin1String("image_asset_pointer")) return note(NotImported::Picture, part);
    if (type.startsWith(QLatin1String("video_")) || (live && seen)) return note(NotImported::Video, part);
    if (live || type == QLatin1String("audio_asset_pointer"))
        return transcribed_ ? QString() : note(NotImported::Recording, live ? sound : part);
    const QString words = textAt(part, "text");
    return words.isEmpty() && part.contains(QLatin1String("asset_pointer")) ? note(NotImported::File, part) : words;
}

QString MessageParts::joinedParts() {
    QStringList texts;
    for (const QJsonValue& part : content_.value(QLatin1String("parts")).toArray()) {
        const QString words = part.isString() ? part.toString() : wordsOfPart(part.toObject());
        if (!words.trimmed().isEmpty()) texts.append(words);
    }
    return texts.join(QStringLiteral("\n\n"));
}

/// A page that was read, under its title and address.
QString MessageParts::quote() const {
    QStringList texts{textAt(content_, "title"), textAt(content_, "url"), textAt(content_, "text")};
    texts.removeAll(QString());
    return texts.join(QLatin1Char('\n'));
}

/// Words of whatever type they are.
QString MessageParts::anyWords() {
    if (type_ == QLatin1String("tether_quote") || type_ == QLatin1String("sonic_webpage")) return quote();
    if (type_ == QLatin1String("computer_output"))
        return note(NotImported::Picture, content_.value(QLatin1String("screenshot")).toObject());
    for (const char* key : {"text", "result", "content"})
        if (const QString words = textAt(content_, key); !words.isEmpty()) return words;
    return joinedParts();
}

std::vector<TreePart> MessageParts::read() {
    const QJsonObject author = message_.value(QLatin1String("author")).toObject();
    const QString role = textAt(author, "role"), recipient = textAt(message_, "recipient");
    if (type_ == QLatin1String("user_editable_context") || type_ == QLatin1String("model_editable_context") ||
        type_ == QLatin1String("reasoning_recap"))
        return {};
    if (type_ == QLatin1String("thoughts")) {
        const QString thoughts = thoughtsOf(content_);
        return thoughts.isEmpty() ? std::vector<TreePart>{} : std::vector<TreePart>{foreignThought(thoughts)};
    }
    const QString words = anyWords();
    if (words.trimmed().isEmpty()) return {};
    if (role == QLatin1String("tool")) return {foreignResult(textAt(author, "name"), words)};
    if (role == QLatin1String("assistant") && !recipient.isEmpty() && recipient != QLatin1String("all"))
        return {foreignCall(recipient, words)};
    if (type_ != QLatin1String("code")) return {TreePart{.text = withoutMarks(words, metadata_)}};
    QString language = textAt(content_, "language");
    if (language == QLatin1String("unknown")) language.clear();
    return {TreePart{.text = QStringLiteral("```%1\n").arg(language) + words + QStringLiteral("\n```")}};
}

void MessageParts::addAttachments(std::vector<TreePart>& parts) {
    for (const Attachment& file : attachments_)
        if (!file.name.isEmpty()) parts.push_back({.text = tree_.note(NotImported::File, file.name)});
}

ForeignMessage messageFrom(ForeignTree& tree, const QString& id, const QJsonObject& node) {
    const QJsonObject message = node.value(QLatin1String("message")).toObject();
    const QJsonObject metadata = message.value(QLatin1String("metadata")).toObject();
    ForeignMessage made{.id = id, .parent = textAt(node, "parent")};
    made.role = foreignRole(textAt(message.value(QLatin1String("author")).toObject(), "role"));
    made.created = foreignTime(message.value(QLatin1String("create_time")));
    if (made.role == engine::Role::Assistant) made.model = textAt(metadata, "model_slug");
    if (textAt(message, "status") == QLatin1String("in_progress")) made.state = QStringLiteral("stopped");
    if (metadata.value(QLatin1String("is_visually_hidden_from_conversation")).toBool()) return made;
    MessageParts parts(tree, message);
    made.parts = parts.read();
    if (made.role == engine::Role::User) parts.addAttachments(made.parts);
    return made;
}

} // namespace

engine::Result<ForeignChat> chatFromChatGpt(const QJsonObject& conversation) {
    const QJsonObject mapping = conversation.value(QLatin1String("mapping")).toObject();
    ForeignTree tree;
    for (auto node = mapping.begin(); node != mapping.end(); ++node)
        tree.add(messageFrom(tree, node.key(), node.value().toObject()));
    tree.setLeaf(textAt(conversation, "current_node"));
    tree.setTimes(foreignTime(conversation.value(QLatin1String("create_time"))),
                  foreignTime(conversation.value(QLatin1String("update_time"))));
    const QString id = textAt(conversation, "conversation_id");
    auto made = tree.made("chatgpt", id.isEmpty() ? textAt(conversation, "id") : id, textAt(conversation, "title"));
    if (made)
        made->tree.pinned = conversation.value(QLatin1String("is_starred")).toBool() ||
                            foreignTime(conversation.value(QLatin1String("pinned_time"))) > 0;
    return made;
}

} // namespace coterie::app
