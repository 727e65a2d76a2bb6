// SPDX-License-Identifier: Apache-2.0
// See template_prompt.h. The probe renders a few short conversations and looks for their marks.
#include "session/template_prompt.h"

#include "prompt/json_text.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace coterie::engine {

namespace {

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

/// Returns what a template can read of the options: the variables, and the lists of tools under their names.
Result<Json> optionsJson(const PromptOptions& options) {
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
    return context;
}

/// For templates that look for these switches in the system message.
void addSwitch(bool thinking, std::vector<Message>& messages) {
    const std::string word = thinking ? "/think" : "/no_think";
    if (messages.empty() || messages.front().role != Role::System)
        messages.insert(messages.begin(), Message::text(Role::System, word));
    else
        messages.front() = Message::text(Role::System, joinedText(messages.front().parts) + " " + word);
}

// Words that no template has, and that no filter of published templates changes.
constexpr std::string_view kQuestion = "probe1question", kAnswer = "probe2answer", kLast = "probe3question",
                           kSystem = "probe4system", kThought = "probe5thought", kTool = "probe6tool",
                           kResult = "probe7result";

Message marked(Role role, std::string_view words) { return Message::text(role, std::string(words)); }

/// Whether all marks stand in the prompt.
bool shows(const Result<PromptText>& prompt, std::initializer_list<std::string_view> marks) {
    return prompt && std::all_of(marks.begin(), marks.end(),
                                 [&](std::string_view mark) { return prompt->text.find(mark) != std::string::npos; });
}

/// A tool with all that templates look for, under the names that the window offers its tools by.
PromptOptions markedTool() {
    const Json tool{{"type", "function"},
                    {"function",
                     {{"name", kTool},
                      {"description", "lookup"},
                      {"parameters",
                       {{"type", "object"},
                        {"properties", {{"words", {{"type", "string"}, {"description", "words"}}}}},
                        {"required", {"words"}}}}}}};
    const std::string tools = Json::array({tool}).dump();
    return {.tools = tools, .xmlTools = tools};
}

} // namespace

bool offersTools(const PromptOptions& options) {
    return !options.tools.empty() || !options.xmlTools.empty() || !options.pythonTools.empty();
}

Result<TemplatePrompt> TemplatePrompt::probe(std::string_view source, TemplateTokens tokens,
                                             const TemplateLimits& limits, bool needsTools) {
    Result<ChatTemplate> parsed = ChatTemplate::parse(source, limits);
    if (!parsed) return parsed.error();
    TemplatePrompt made(std::move(parsed).value(), source, std::move(tokens));
    if (const std::optional<Error> refusal = made.findQuestion(needsTools ? markedTool() : PromptOptions{}))
        return *refusal;
    if (made.abilities_.question) made.findAbilities();
    return made;
}

/// Looks for the form in which a question is shown. Some templates want a system message before it. Returns the
/// template's own words if it fails each time.
std::optional<Error> TemplatePrompt::findQuestion(const PromptOptions& options) {
    std::optional<Error> refusal;
    bool rendered = false;
    for (const bool parts : {false, true})
        for (const bool withSystem : {false, true}) {
            std::vector<Message> talk;
            if (withSystem) talk.push_back(marked(Role::System, kSystem));
            talk.push_back(marked(Role::User, kLast));
            ContentForms forms;
            forms.parts.fill(parts);
            const Result<PromptText> prompt = renderAs(forms, talk, options);
            if (shows(prompt, {kLast})) {
                abilities_.question = true;
                abilities_.forms[Role::User] = parts;
                return std::nullopt;
            }
            rendered = rendered || prompt;
            if (!prompt && !refusal) refusal = prompt.error();
        }
    return rendered ? std::nullopt : refusal;
}

/// For each other role the form that shows its words is kept, a string if both or none do.
void TemplatePrompt::findAbilities() {
    TemplateAbilities& found = abilities_;
    const Message question = marked(Role::User, kQuestion), answer = marked(Role::Assistant, kAnswer),
                  last = marked(Role::User, kLast), system = marked(Role::System, kSystem);
    const auto tryBoth = [&](Role role, const std::vector<Message>& talk, const PromptOptions& options,
                             std::initializer_list<std::string_view> marks) {
        for (const bool parts : {found.forms[role], !found.forms[role]}) {
            ContentForms forms = found.forms;
            forms[role] = parts;
            if (!shows(renderAs(forms, talk, options), marks)) continue;
            found.forms = forms;
            return true;
        }
        return false;
    };
    tryBoth(Role::Assistant, {question, answer, last}, {}, {kAnswer, kLast});
    found.system = tryBoth(Role::System, {system, last}, {}, {kSystem, kLast});

    PromptOptions tool = markedTool();
    const auto showsTool = [&](const PromptOptions& options) {
        return shows(renderAs(found.forms, std::vector{last}, options), {kTool, kLast}) ||
               shows(renderAs(found.forms, std::vector{system, last}, options), {kTool, kSystem, kLast});
    };
    const PromptOptions python{.pythonTools = tool.tools};
    found.pythonTools = !showsTool(tool) && showsTool(python);
    if (found.pythonTools) tool = python;
    found.tools = shows(renderAs(found.forms, std::vector{last}, tool), {kTool, kLast});
    const Result<PromptText> both = renderAs(found.forms, std::vector{system, last}, tool);
    const bool toolsBesideSystem = shows(both, {kTool, kSystem, kLast});
    // A template that wants a system message shows tools only beside one.
    found.systemWithTools = toolsBesideSystem || (!found.tools && shows(both, {kSystem, kLast}));
    found.tools = found.tools || toolsBesideSystem;
    PromptOptions usualName = tool;
    usualName.xmlTools.clear();
    found.toolsAsXmlTools = found.tools && !shows(renderAs(found.forms, std::vector{last}, usualName), {kTool}) &&
                            !shows(renderAs(found.forms, std::vector{system, last}, usualName), {kTool});

    const Message asked{Role::Assistant,
                        {{.kind = PartKind::ToolCall, .call = {std::string(kTool), R"({"words":"x"})", ""}}}};
    const std::vector answered{last, asked, Message::toolResult(std::string(kTool), std::string(kResult))};
    tryBoth(Role::Tool, answered, tool, {kResult});
    // Gemma 4's first templates write a message of a tool as a turn like any other, which the model never saw.
    constexpr std::string_view marker = "<|tool_response>";
    found.resultsWithCalls = knows("tool_responses") && !shows(renderAs(found.forms, answered, tool), {marker});
    if (found.resultsWithCalls)
        found.resultsWithCalls = shows(renderAs(found.forms, answered, tool), {marker, kResult});

    const Message thinking{Role::Assistant,
                           {{.kind = PartKind::Thought, .text = std::string(kThought)},
                            {.kind = PartKind::Text, .text = std::string(kAnswer)}}};
    found.thoughts = shows(renderAs(found.forms, std::vector{question, thinking, last}, {}), {kThought});
}

Result<PromptText> TemplatePrompt::render(std::span<const Message> conversation, const PromptOptions& options) const {
    std::vector<Message> messages(conversation.begin(), conversation.end());
    if (options.thinking && !knows("enable_thinking") && knows("/no_think")) addSwitch(*options.thinking, messages);
    const bool hasSystem = !messages.empty() && messages.front().role == Role::System;
    const bool hasPlace = offersTools(options) ? abilities_.systemWithTools : abilities_.system;
    if (!hasPlace) joinSystemMessage(messages);
    Result<PromptText> prompt = renderAs(abilities_.forms, messages, options);
    if (!prompt && hasSystem && hasPlace) {
        joinSystemMessage(messages);
        Result<PromptText> joined = renderAs(abilities_.forms, messages, options);
        if (joined) return joined;
    }
    if (!prompt && !abilities_.tools && offersTools(options) && optionsJson(options)) {
        // It has no place for tools, and fails where others pass them over. Options that can't be read stay an error.
        PromptOptions without = options;
        without.tools.clear(), without.xmlTools.clear(), without.pythonTools.clear();
        Result<PromptText> alone = render(conversation, without);
        if (alone) return alone;
    }
    return prompt; // the first refusal is the one to tell
}

Result<PromptText> TemplatePrompt::renderAs(const ContentForms& forms, std::span<const Message> messages,
                                            const PromptOptions& options) const {
    Result<Json> given = optionsJson(options);
    if (!given) return given.error();
    Json context = std::move(given).value();
    // The name and the form that the template prefers: Python's only if it knows no other one.
    const bool otherNames = context.contains("xml_tools") || context.contains("python_tools");
    if (abilities_.toolsAsXmlTools && context.contains("tools") && !otherNames) context["xml_tools"] = context["tools"];
    if (abilities_.pythonTools && context.contains("tools") && !context.contains("python_tools"))
        context["python_tools"] = context["tools"];
    std::vector<Turn> turns = turnsOf(messages, knows("tool_calls"));
    if (abilities_.resultsWithCalls) joinResults(turns);
    context["messages"] = messagesJson(turns, forms);
    TemplateInput input{.now = options.now};
    for (const Turn& turn : turns) input.ownContent.push_back(turn.content.own);
    context["add_generation_prompt"] = true;
    context["bos_token"] = validUtf8(tokens_.beginning);
    context["eos_token"] = validUtf8(tokens_.end);
    if (options.thinking) context["enable_thinking"] = *options.thinking;
    return template_.render(context, input);
}

} // namespace coterie::engine
