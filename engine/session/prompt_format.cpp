// SPDX-License-Identifier: Apache-2.0
// See prompt_format.h. The three ways from messages to a prompt.
#include "session/prompt_format.h"

#include "prompt/json_text.h"
#include "prompt/utf8_stream.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::engine {

namespace {

const char* roleName(Role role) {
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "user";
    case Role::Assistant:
        return "assistant";
    case Role::Tool:
        return "tool";
    }
    return "user";
}

/// Templates and JSON need UTF-8; other bytes become U+FFFD.
std::string validUtf8(std::string_view text) {
    Utf8Stream stream;
    std::string out = stream.push(text);
    return out += stream.finish();
}

using Json = nlohmann::ordered_json;

Result<Json> optionJson(const char* name, const std::string& text, Json::value_t wanted) {
    const std::optional<JsonText> read = readJson(text);
    Json value = read ? jsonTree(*read, KeptDigits::WhereLost) : Json(Json::value_t::discarded);
    if (value.type() == wanted) return value;
    const bool list = wanted == Json::value_t::array;
    const Sentence otherType = list ? Sentence("It is not a JSON array") : "It is not a JSON object";
    return Error{ErrorKind::BadInput,
                 {"The option %1 can't be used", name},
                 value.is_discarded() ? "It is not JSON" : otherType,
                 list ? Sentence("Give an array of functions, each with a name, a description and parameters")
                      : "Give an object of names and values"};
}

/// Returns an empty object if they are none.
JsonText argumentsOf(const ToolCall& call) {
    std::optional<JsonText> arguments = readJson(call.arguments);
    return arguments && arguments->is(JsonText::Kind::Object) ? std::move(*arguments) : JsonText::object();
}

/// A call that no model wrote, in the tags that most models use, for templates that know none.
std::string spelled(const ToolCall& call) {
    if (!call.code.empty()) return "<code>\n" + call.code + "\n</code>";
    const std::string name = writeJson(JsonText::string(call.name)), arguments = writeJson(argumentsOf(call));
    return "<tool_call>\n{\"name\":" + name + ",\"arguments\":" + arguments + "}\n</tool_call>";
}

/// number: the call's number in its conversation. The id has nine letters and digits, as Mistral's template demands.
std::string callId(int number) {
    const std::string digits = std::to_string(number);
    return "call" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

Json callJson(const ToolCall& call, int number) {
    Json arguments = jsonTree(argumentsOf(call), KeptDigits::All);
    return {{"id", callId(number)},
            {"type", "function"},
            {"function", {{"name", validUtf8(call.name)}, {"arguments", std::move(arguments)}}}};
}

/// A message as templates take it: with one content, and tool results in messages of their own.
struct Turn {
    Role role = Role::User;
    PromptText content{};
    std::string thought{};
    std::vector<ToolCall> calls{};
    std::string tool{};  ///< the tool whose result the content is
    bool inCall = false; ///< the content ends with the text of a call: calls without text belong to it
};

void addLine(PromptText& text, const PromptText& words) {
    if (!text.text.empty()) text.addForeign("\n");
    text.add(words);
}

/// A call goes into the content if the template does not read tool_calls, or if it is code that is more than calls.
void addCall(const Part& part, bool knowsCalls, Turn& turn) {
    if (knowsCalls && !part.call.name.empty()) return turn.calls.push_back(part.call);
    if (part.text.empty() && turn.inCall) return;
    turn.inCall = !part.text.empty();
    addLine(turn.content, turn.inCall ? wordsOfCall(validUtf8(part.text)) : PromptText{validUtf8(spelled(part.call))});
}

void addPart(const Part& part, bool knowsCalls, Turn& turn) {
    turn.inCall = turn.inCall && part.kind == PartKind::ToolCall;
    switch (part.kind) {
    case PartKind::Text:
        return addLine(turn.content, {validUtf8(part.text)});
    case PartKind::Thought:
        if (!turn.thought.empty()) turn.thought += '\n';
        turn.thought += validUtf8(part.text);
        return;
    case PartKind::ToolCall:
        return addCall(part, knowsCalls, turn);
    case PartKind::ToolResult:
        turn.content = {validUtf8(part.text)};
        turn.tool = validUtf8(part.call.name);
        return;
    }
}

std::vector<Turn> turnsOf(std::span<const Message> conversation, bool knowsCalls) {
    std::vector<Turn> turns;
    for (const Message& message : conversation) {
        bool begins = true;
        if (message.parts.empty()) turns.push_back({.role = message.role});
        for (const Part& part : message.parts) {
            const bool result = part.kind == PartKind::ToolResult;
            if (begins || result) turns.push_back({.role = result ? Role::Tool : message.role});
            begins = result;
            addPart(part, knowsCalls, turns.back());
        }
    }
    return turns;
}

Json messagesJson(std::span<const Turn> turns) {
    Json messages = Json::array();
    int calls = 0, results = 0;
    for (const Turn& turn : turns) {
        Json message;
        const std::string& content = turn.content.text;
        message["role"] = roleName(turn.role);
        message["content"] = content;
        Json structured = Json::array();
        for (const ToolCall& call : turn.calls) structured.push_back(callJson(call, ++calls));
        if (!turn.thought.empty()) {
            message["reasoning_content"] = turn.thought;
            // gpt-oss's name for a thought. With calls its template takes a thought or a text, not both.
            if (structured.empty() || content.empty()) message["thinking"] = turn.thought;
        }
        if (!structured.empty()) message["tool_calls"] = std::move(structured);
        if (turn.role == Role::Tool) {
            if (!turn.tool.empty()) message["name"] = turn.tool;
            message["tool_call_id"] = callId(++results);
        }
        messages.push_back(std::move(message));
    }
    return messages;
}

/// For templates that look for these switches in the system message.
void addSwitch(bool thinking, std::vector<Message>& messages) {
    const std::string word = thinking ? "/think" : "/no_think";
    if (messages.empty() || messages.front().role != Role::System)
        messages.insert(messages.begin(), Message::text(Role::System, word));
    else
        messages.front() = Message::text(Role::System, joinedText(messages.front().parts) + " " + word);
}

PromptText chatMl(std::span<const Message> conversation) {
    PromptText out;
    for (const Turn& turn : turnsOf(conversation, false)) {
        out.addOwn(std::string("<|im_start|>") + roleName(turn.role) + "\n");
        out.add(turn.content);
        out.addOwn("<|im_end|>\n");
    }
    out.addOwn("<|im_start|>assistant\n");
    return out;
}

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Joins the messages into one text: an answer follows its question directly, as it was generated, and any other
/// message starts a new line. A text that is merely continued has no place for a system message. The whole text is
/// foreign.
PromptText plainText(std::span<const Message> conversation) {
    std::string out;
    for (const Turn& turn : turnsOf(conversation, false)) {
        if (turn.role == Role::System) continue;
        const std::string& words = turn.content.text;
        const bool apart = turn.role != Role::Assistant && !out.empty() && !words.empty();
        if (apart && !isSpace(out.back()) && !isSpace(words.front())) out += '\n';
        out += words;
    }
    return {std::move(out)};
}

std::string tokenTextAt(const gguf::Header& header, const char* key, const Tokenizer& tokenizer) {
    const std::optional<uint64_t> id = header.unsignedInteger(key);
    if (!id || *id >= static_cast<uint64_t>(tokenizer.vocabularySize())) return {};
    return tokenizer.tokenText(static_cast<TokenId>(*id));
}

} // namespace

PromptFormat PromptFormat::choose(const gguf::Header& header, const Tokenizer& tokenizer,
                                  std::vector<Sentence>& notes) {
    PromptFormat format;
    if (const std::optional<TokenId> bos = tokenizer.beginning()) format.beginning_ = tokenizer.tokenText(*bos);
    format.end_ = tokenTextAt(header, "tokenizer.ggml.eos_token_id", tokenizer);
    format.hasChannels_ = tokenizer.find("<|channel|>") && tokenizer.find("<|message|>");

    std::optional<Error> unusable;
    if (const auto source = header.string("tokenizer.chat_template")) {
        Result<ChatTemplate> parsed = ChatTemplate::parse(*source);
        if (parsed) {
            format.turns_ = Turns::Template;
            format.template_ = std::move(parsed).value();
            format.source_ = std::string(*source);
            return format;
        }
        unusable = parsed.error();
    }
    if (tokenizer.find("<|im_start|>") && tokenizer.find("<|im_end|>")) {
        format.turns_ = Turns::ChatMl;
        notes.push_back(unusable
                            ? Sentence("The file's chat template can't be used (%1), so turns are marked as in ChatML, "
                                       "whose tokens the vocabulary has",
                                       unusable->sentence())
                            : "The file has no chat template, so turns are marked as in ChatML, whose tokens the "
                              "vocabulary has");
    } else {
        notes.push_back(unusable
                            ? Sentence("The file's chat template can't be used (%1), so the model continues the text "
                                       "of the conversation",
                                       unusable->sentence())
                            : "The file has no chat template, so the model continues the text of the conversation");
    }
    return format;
}

Result<PromptText> PromptFormat::render(std::span<const Message> conversation, const PromptOptions& options) const {
    switch (turns_) {
    case Turns::Template:
        return renderTemplate(conversation, options);
    case Turns::ChatMl:
        return chatMl(conversation);
    case Turns::Plain:
        break;
    }
    return plainText(conversation);
}

Result<PromptText> PromptFormat::renderTemplate(std::span<const Message> conversation,
                                                const PromptOptions& options) const {
    Json context = Json::object();
    if (!options.variables.empty()) {
        Result<Json> variables = optionJson("variables", options.variables, Json::value_t::object);
        if (!variables) return variables.error();
        context = std::move(variables).value();
    }
    const std::pair<const char*, const std::string*> lists[] = {
        {"tools", &options.tools}, {"xml_tools", &options.xmlTools}, {"python_tools", &options.pythonTools}};
    for (const auto& [name, text] : lists) {
        if (text->empty()) continue;
        Result<Json> list = optionJson(name, *text, Json::value_t::array);
        if (!list) return list.error();
        context[name] = std::move(list).value();
    }
    std::vector<Message> messages(conversation.begin(), conversation.end());
    if (options.thinking && !knows("enable_thinking") && knows("/no_think")) addSwitch(*options.thinking, messages);
    const std::vector<Turn> turns = turnsOf(messages, knows("tool_calls"));
    context["messages"] = messagesJson(turns);
    TemplateInput input{.now = options.now};
    for (const Turn& turn : turns) input.ownContent.push_back(turn.content.own);
    context["add_generation_prompt"] = true;
    context["bos_token"] = validUtf8(beginning_);
    context["eos_token"] = validUtf8(end_);
    if (options.thinking) context["enable_thinking"] = *options.thinking;
    return template_->render(context, input);
}

AnswerForms PromptFormat::answerForms(std::span<const Message> conversation, const PromptOptions& options,
                                      std::string_view prompt) const {
    const auto tools = std::make_shared<OfferedTools>();
    bool offered = false;
    for (const std::string* list : {&options.tools, &options.xmlTools, &options.pythonTools}) {
        offered = offered || !list->empty();
        tools->add(*list);
    }
    for (const Message& message : conversation)
        for (const Part& part : message.parts)
            if (part.kind == PartKind::ToolCall) tools->addName(part.call.name), offered = true;
    const size_t last = prompt.find_last_not_of(" \n");
    const std::string_view end = last == prompt.npos ? std::string_view() : prompt.substr(0, last + 1);
    AnswerForms forms;
    forms.tools = tools;
    forms.startsInThought = end.ends_with("<think>");
    if (knows("<seed:think>")) forms.thoughts.add(ThoughtForm::SeedThink);
    if (knows("[THINK]")) forms.thoughts.add(ThoughtForm::BracketThink);
    if (knows("<|channel>thought")) forms.thoughts.add(ThoughtForm::GemmaChannel);
    const bool channels = hasChannels_ && turns_ == Turns::Template;
    if (channels) forms.calls.add(CallForm::GptOssChannels);
    if (offered && !channels) forms.calls.add(kMarkedCalls);
    if (!options.pythonTools.empty()) forms.calls.add(CallForm::PythonCode);
    if (offered && knows("ipython")) forms.calls.add(CallForm::BareJson); // Llama 3's name for the role of a tool
    return forms;
}

} // namespace coterie::engine
