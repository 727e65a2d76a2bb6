// SPDX-License-Identifier: Apache-2.0
// See tool_box.h. A tool is a row of kTools; everything else follows from the rows.
#include "tools/tool_box.h"

#include "tools/calculator.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <algorithm>
#include <array>

namespace coterie::app {
namespace {

constexpr qsizetype kFilePiece = 4000; // characters of a file in one result: about 1,000 tokens
constexpr int kMostHits = 5;           // chats that a search returns

/// One parameter of a tool, in the words of JSON Schema.
struct Parameter {
    const char* name;
    const char* type;
    const char* about;
    bool required;
};

struct Tool {
    const char* name;
    const char* permission; ///< key of a setting
    const char* title;      ///< translated in the context "Tools"
    const char* about;      ///< for the model
    std::vector<Parameter> parameters;
    QString (*run)(const QJsonObject& arguments, const ToolPlace& place);
};

/// Returns the words of an argument. Models also write a number without quotation marks.
QString wordsOf(const QJsonObject& arguments, const char* name) {
    return arguments.value(QLatin1String(name)).toVariant().toString();
}

QString computeExpression(const QJsonObject& arguments, const ToolPlace&) {
    const Calculated result = calculate(wordsOf(arguments, "expression"));
    return result.value ? calculatedText(result) : result.problem;
}

QString currentTime(const QJsonObject&, const ToolPlace& place) {
    // With the day of the week, because models compute it wrongly. Both are in English, as everything for the model.
    return QLocale::c().toString(place.now, QStringLiteral("dddd, yyyy-MM-dd HH:mm:ss")) + u' ' +
           place.now.timeZoneAbbreviation();
}

std::vector<const MessagePart*> filesOf(const ToolPlace& place) {
    std::vector<const MessagePart*> files;
    for (const MessageRow& row : place.path)
        for (const MessagePart& part : row.parts)
            if (part.kind == PartKind::Attachment) files.push_back(&part);
    return files;
}

/// Returns the place in the text that is nearest to this one. It is not between the halves of a character.
qsizetype placeIn(const QString& text, double wanted) {
    if (!(wanted > 0)) return 0; // a model may write any number, or none
    const auto at = static_cast<qsizetype>(std::min(wanted, static_cast<double>(text.size())));
    const bool half = at > 0 && at < text.size() && text[at].isLowSurrogate() && text[at - 1].isHighSurrogate();
    return half ? at - 1 : at;
}

QString readFile(const QJsonObject& arguments, const ToolPlace& place) {
    const std::vector<const MessagePart*> files = filesOf(place);
    if (files.empty()) return QStringLiteral("No file is attached to this conversation.");
    const QString name = wordsOf(arguments, "name");
    // If several files have the name, the user means the one that was attached last.
    const auto file = std::find_if(files.rbegin(), files.rend(), [&](const MessagePart* f) { return f->name == name; });
    if (file == files.rend()) {
        QStringList names;
        for (const MessagePart* attached : files) names.append(attached->name);
        return QStringLiteral("No attached file has this name. The files are: %1")
            .arg(names.join(QStringLiteral(", ")));
    }
    const QString& text = (*file)->text;
    const qsizetype start = placeIn(text, arguments.value(QStringLiteral("start")).toVariant().toDouble());
    const qsizetype end = placeIn(text, static_cast<double>(start + kFilePiece));
    const QString rest =
        end < text.size() ? QStringLiteral("\n[The file goes on: read it with start %1.]").arg(end) : QString();
    return text.mid(start, end - start) + rest;
}

QString searchChats(const QJsonObject& arguments, const ToolPlace& place) {
    const QString words = wordsOf(arguments, "words");
    if (words.trimmed().isEmpty()) return QStringLiteral("Say which words to search for.");
    if (place.chats == nullptr) return QStringLiteral("The chats can't be searched now.");
    const auto found = place.chats->search({.words = words, .most = kMostHits});
    if (!found) return QStringLiteral("The chats can't be searched now.");
    if (found->hits.empty()) return QStringLiteral("No chat contains all of these words.");
    QStringList lines;
    if (found->scattered)
        lines.append(
            QStringLiteral("No message contains all of these words. Chats that contain them in several places:"));
    for (const SearchHit& hit : found->hits) {
        const auto chat = place.chats->chat(hit.chat);
        if (!chat) continue;
        const QString day = QLocale::c().toString(chat->updated.date(), QStringLiteral("yyyy-MM-dd"));
        lines.append(QStringLiteral("%1, chat \"%2\": %3").arg(day, chat->title, hit.snippet));
    }
    return lines.join(u'\n');
}

const std::array<Tool, 4>& allTools() {
    static const std::array<Tool, 4> tools = {
        Tool{"calculator",
             "toolCalculator",
             QT_TRANSLATE_NOOP("Tools", "Calculator"),
             "Computes an arithmetic expression exactly.",
             {{"expression", "string", "for example 2 * (3 + sqrt(16))", true}},
             computeExpression},
        Tool{"current_time",
             "toolTime",
             QT_TRANSLATE_NOOP("Tools", "Current time"),
             "Tells the user's local date and time.",
             {},
             currentTime},
        Tool{"read_file",
             "toolFiles",
             QT_TRANSLATE_NOOP("Tools", "Read an attached file"),
             "Reads a part of a file that the user attached to this conversation.",
             {{"name", "string", "the file's name", true},
              {"start", "integer", "the character to begin with; 0 is the first", false}},
             readFile},
        Tool{"search_chats",
             "toolChats",
             QT_TRANSLATE_NOOP("Tools", "Search my chats"),
             "Searches the user's earlier chats.",
             {{"words", "string", "words that all must appear", true}},
             searchChats},
    };
    return tools;
}

const Tool* find(const QString& name) {
    const auto& tools = allTools();
    const auto* tool =
        std::find_if(tools.begin(), tools.end(), [&](const Tool& t) { return name == QLatin1String(t.name); });
    return tool == tools.end() ? nullptr : tool;
}

QJsonObject definition(const Tool& tool) {
    QJsonObject properties;
    QJsonArray required;
    for (const Parameter& parameter : tool.parameters) {
        const QLatin1String name(parameter.name);
        properties.insert(name, QJsonObject{{QStringLiteral("type"), QLatin1String(parameter.type)},
                                            {QStringLiteral("description"), QLatin1String(parameter.about)}});
        if (parameter.required) required.append(name);
    }
    const QJsonObject parameters{{QStringLiteral("type"), QStringLiteral("object")},
                                 {QStringLiteral("properties"), properties},
                                 {QStringLiteral("required"), required}};
    return {{QStringLiteral("type"), QStringLiteral("function")},
            {QStringLiteral("function"), QJsonObject{{QStringLiteral("name"), QLatin1String(tool.name)},
                                                     {QStringLiteral("description"), QLatin1String(tool.about)},
                                                     {QStringLiteral("parameters"), parameters}}}};
}

} // namespace

QStringList toolNames() {
    QStringList names;
    for (const Tool& tool : allTools()) names.append(QLatin1String(tool.name));
    return names;
}

QString toolPermissionKey(const QString& tool) {
    const Tool* known = find(tool);
    return known ? QString(QLatin1String(known->permission)) : QString();
}

QString toolTitle(const QString& tool) {
    const Tool* known = find(tool);
    return known ? QCoreApplication::translate("Tools", known->title) : QString();
}

QByteArray toolDefinitions() {
    QJsonArray definitions;
    for (const Tool& tool : allTools()) definitions.append(definition(tool));
    return QJsonDocument(definitions).toJson(QJsonDocument::Compact);
}

QString runTool(const MessagePart& call, const ToolPlace& place) {
    const Tool* tool = find(call.tool);
    if (tool == nullptr && !call.code.isEmpty() && call.tool.isEmpty())
        return QStringLiteral("This program runs no code. Call one of the tools: %1")
            .arg(toolNames().join(QStringLiteral(", ")));
    if (tool == nullptr)
        return QStringLiteral("There is no such tool. The tools are: %1").arg(toolNames().join(QStringLiteral(", ")));
    const QJsonDocument arguments = QJsonDocument::fromJson(call.arguments.toUtf8());
    if (!call.arguments.trimmed().isEmpty() && !arguments.isObject())
        return QStringLiteral("The arguments are not a JSON object.");
    for (const Parameter& parameter : tool->parameters)
        if (parameter.required && !arguments.object().contains(QLatin1String(parameter.name)))
            return QStringLiteral("The argument \"%1\" is missing.").arg(QLatin1String(parameter.name));
    return tool->run(arguments.object(), place);
}

} // namespace coterie::app
