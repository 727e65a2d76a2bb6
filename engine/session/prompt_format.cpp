// SPDX-License-Identifier: Apache-2.0
// See prompt_format.h. The three ways from messages to a prompt.
#include "session/prompt_format.h"

#include "prompt/blanks.h"
#include "prompt/calls/call_reader.h"
#include "prompt/json_text.h"
#include "prompt/published_files.h"
#include "prompt/unicode_table.h"
#include "prompt/utf8.h"
#include "session/turns.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::engine {

namespace {

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
/// message starts a new line. A text that is merely continued has no place for a system message, so it joins the first
/// question. The whole text is foreign.
PromptText plainText(std::span<const Message> conversation) {
    std::vector<Message> messages(conversation.begin(), conversation.end());
    joinSystemMessage(messages);
    std::string out;
    for (const Turn& turn : turnsOf(messages, false)) {
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

/// Words that templates take out of messages, because they switch thinking.
constexpr std::string_view kSwitches[] = {"/no_think", "/nothink", "/think"};

/// The next word of a text from `at` on, which moves behind it. Templates strip white space of any kind.
std::string_view nextWord(std::string_view text, size_t& at) {
    size_t begin = text.npos;
    while (at < text.size()) {
        const Utf8Step step = utf8Step(text, at);
        const bool whole = step.kind == Utf8Step::Character;
        const bool space =
            whole && (step.codePoint <= 0x20 || (characterClasses(step.codePoint) & CharacterClass::kSpace) != 0);
        if (space && begin != text.npos) break;
        if (!space && begin == text.npos) begin = at;
        at += whole ? step.length : 1;
    }
    return begin == text.npos ? std::string_view() : text.substr(begin, at - begin);
}

/// The foreign pieces of a prompt, each on a line.
std::string foreignText(const PromptText& prompt) {
    std::string out;
    for (const ByteRange& range : prompt.foreign())
        out.append(prompt.text, range.begin, range.end - range.begin).push_back('\n');
    return out;
}

std::string withoutSwitches(std::string word) {
    for (const std::string_view name : kSwitches)
        for (size_t at = 0; (at = word.find(name, at)) != word.npos;) word.erase(at, name.size());
    return word;
}

/// Returns the end of the word in the text from `from` on: as it is, as JSON writes it, or without switches. npos: it
/// is not there.
size_t endOfWord(std::string_view text, const std::string& word, size_t from) {
    std::vector<std::string> spellings{word, withoutSwitches(word)};
    for (const bool ascii : {false, true}) {
        const std::string json = nlohmann::json(word).dump(-1, ' ', ascii);
        spellings.push_back(json.substr(1, json.size() - 2));
    }
    for (const std::string& spelling : spellings)
        if (const size_t found = text.find(spelling, from); found != text.npos) return found + spelling.size();
    return text.npos;
}

/// Whether the words of a message stand in a text in their order.
bool standsIn(std::string_view message, std::string_view text) {
    if (text.rfind(message) != text.npos) return true; // nearly always it stands there whole, near the end
    size_t from = 0, at = 0;
    for (std::string_view word = nextWord(message, at); !word.empty(); word = nextWord(message, at)) {
        from = endOfWord(text, std::string(word), from);
        if (from == text.npos) return false;
    }
    return true;
}

Error leavesOut() {
    return {ErrorKind::BadInput, "The model would not get your message",
            "The file's chat template makes a prompt in which its words don't stand",
            "Write the message in another way, or use another file of this model"};
}

/// The last question of a conversation, and the words of everything else that a prompt is made of.
struct Asked {
    Asked(std::span<const Message> conversation, const PromptOptions& options) {
        for (const Message& message : conversation)
            if (message.role == Role::User) last = &message;
        if (last != nullptr) question = validUtf8(joinedText(last->parts));
        for (const std::string* text : {&options.tools, &options.xmlTools, &options.pythonTools, &options.variables})
            others += *text + '\n';
        for (const Message& message : conversation)
            for (const Part& part : message.parts)
                if (&message != last) others += validUtf8(part.text) + '\n' + part.call.arguments + '\n';
    }
    const Message* last = nullptr;
    std::string question, others;
};

/// A word that stands in no conversation.
constexpr std::string_view kMarkedQuestion = "probe8question";

/// The conversation with other words in place of its last question.
std::vector<Message> withMarkedQuestion(std::span<const Message> conversation, const Message* last) {
    std::vector<Message> messages(conversation.begin(), conversation.end());
    messages[static_cast<size_t>(last - conversation.data())] = Message::text(Role::User, std::string(kMarkedQuestion));
    return messages;
}

/// The question's words may stand in the prompt because others said them before: then the template must show other
/// words in their place, too.
Status checkQuestion(const TemplatePrompt& used, std::span<const Message> conversation, const PromptOptions& options,
                     const PromptText& prompt) {
    const Asked asked(conversation, options);
    const std::string_view question = trimmed(asked.question);
    if (question.empty()) return {};
    if (!standsIn(question, foreignText(prompt))) return leavesOut();
    if (!standsIn(question, asked.others)) return {};
    const Result<PromptText> marked = used.render(withMarkedQuestion(conversation, asked.last), options);
    if (marked && marked->text.find(kMarkedQuestion) == std::string::npos) return leavesOut();
    return {};
}

/// Adds what the template can't do, for the person who chats with the model.
void noteAbilities(const TemplateAbilities& can, bool thinks, std::vector<Sentence>& notes) {
    if (!can.system || !can.systemWithTools)
        notes.push_back(can.system ? Sentence("The chat template drops a system message when tools are offered, so it "
                                              "joins the first question then")
                                   : "The chat template has no place for a system message, so it joins the first "
                                     "question");
    if (!can.tools) notes.push_back("The chat template has no place for tools, so the model can't know them");
    if (!can.thoughts && thinks)
        notes.push_back("The chat template leaves out what the model thought in earlier answers");
}

Sentence whyUnusable(std::string_view source) {
    if (source.empty()) return "It is empty";
    if (source.find('{') == source.npos) return {"It is only the text \"%1\"", validUtf8(source.substr(0, 40))};
    return "A question doesn't stand in what it writes";
}

constexpr std::string_view kTemplateKey = "tokenizer.chat_template",
                           kToolTemplateKey = "tokenizer.chat_template.tool_use";

/// A template of a file, or the reason why it can't be used, or neither if the file has none.
struct ReadTemplate {
    std::optional<TemplatePrompt> usable{};
    std::optional<Sentence> unusable{};
};

ReadTemplate readTemplate(std::optional<std::string_view> source, const TemplateTokens& tokens,
                          const TemplateLimits& limits, bool needsTools) {
    if (!source) return {};
    Result<TemplatePrompt> made = TemplatePrompt::probe(*source, tokens, limits, needsTools);
    if (!made) return {.unusable = made.error().sentence()};
    if (!made->abilities().question) return {.unusable = whyUnusable(trimmed(*source))};
    return {.usable = std::move(made).value()};
}

/// Whether the model may write programs. Llama 3's templates take the name of their interpreter as a variable.
bool offersPython(const PromptOptions& options) {
    if (!options.pythonTools.empty()) return true;
    const std::optional<JsonText> variables = readJson(options.variables);
    const JsonText* builtIn = variables ? variables->member("builtin_tools") : nullptr;
    return builtIn != nullptr && std::any_of(builtIn->items.begin(), builtIn->items.end(),
                                             [](const JsonText& name) { return name.text == "code_interpreter"; });
}

} // namespace

/// `unusable` gets the reason if the usual template can't be used.
void PromptFormat::readTemplates(const gguf::Header& header, const TemplateTokens& tokens, const TemplateLimits& limits,
                                 std::optional<Sentence>& unusable, std::vector<Sentence>& notes) {
    const auto usual = header.string(kTemplateKey), forTools = header.string(kToolTemplateKey);
    ReadTemplate read = readTemplate(usual, tokens, limits, false);
    ReadTemplate tools = readTemplate(forTools, tokens, limits, true);
    template_ = std::move(read.usable);
    unusable = std::move(read.unusable);
    if (tools.unusable)
        notes.push_back({"The file's chat template for tools can't be used (%1)", std::move(*tools.unusable)});
    if (!tools.usable || !tools.usable->abilities().tools) return;
    toolTemplate_ = std::move(tools.usable);
    if (template_) return;
    template_ = readTemplate(forTools, tokens, limits, false).usable;
    if (template_ && unusable)
        notes.push_back(
            {"The file's chat template can't be used (%1), so the one for tools is always used", *unusable});
}

PromptFormat PromptFormat::choose(const gguf::Header& header, const Tokenizer& tokenizer, std::vector<Sentence>& notes,
                                  const TemplateLimits& limits) {
    for (Sentence& note : tokenizer.notes()) notes.push_back(std::move(note));
    PromptFormat format;
    format.readHabits(header, tokenizer);
    TemplateTokens tokens{.end = tokenTextAt(header, "tokenizer.ggml.eos_token_id", tokenizer)};
    if (const std::optional<TokenId> bos = tokenizer.beginning()) tokens.beginning = tokenizer.tokenText(*bos);

    std::optional<Sentence> unusable;
    format.readTemplates(header, tokens, limits, unusable, notes);
    if (!format.template_) {
        const bool namesChatMl = trimmed(header.string(kTemplateKey).value_or("")) == "chatml";
        format.chooseWithoutTemplate(namesChatMl, unusable, tokenizer, notes);
        return format;
    }
    format.turns_ = Turns::Template;
    TemplateAbilities can = format.template_->abilities();
    if (format.toolTemplate_) {
        can.tools = true;
        can.systemWithTools = format.toolTemplate_->abilities().systemWithTools;
    }
    const bool thinks = format.template_->knows("think") || format.template_->knows("reasoning") ||
                        format.hasChannels_ || format.familyThoughts_ != FormSet<ThoughtForm>{};
    noteAbilities(can, thinks, notes);
    return format;
}

/// Marks the forms of calls and thoughts by which an answer may be known without a template's words.
void PromptFormat::readHabits(const gguf::Header& header, const Tokenizer& tokenizer) {
    hasChannels_ = tokenizer.find("<|channel|>") && tokenizer.find("<|message|>");
    const PublishedFiles* files = findPublishedFiles(header.string("general.architecture").value_or(""));
    if (files == nullptr) return;
    if (hasChannels_) familyCalls_.add(files->callForms.common({CallForm::GptOssChannels}));
    for (const CallMarker& marker : callMarkers())
        if (tokenizer.find(marker.open)) familyCalls_.add(files->callForms.common(marker.forms));
    for (const ThoughtMarkers& marker : thoughtMarkers())
        if (files->thoughtForms.has(marker.form) && tokenizer.find(marker.token())) familyThoughts_.add(marker.form);
}

/// namesChatMl: the file names ChatML in place of a template.
void PromptFormat::chooseWithoutTemplate(bool namesChatMl, const std::optional<Sentence>& unusable,
                                         const Tokenizer& tokenizer, std::vector<Sentence>& notes) {
    const bool markers = tokenizer.find("<|im_start|>") && tokenizer.find("<|im_end|>");
    if (namesChatMl || markers) turns_ = Turns::ChatMl;
    if (namesChatMl)
        notes.push_back("The file names ChatML in place of a chat template, so turns are marked that way");
    else if (markers)
        notes.push_back(unusable
                            ? Sentence("The file's chat template can't be used (%1), so turns are marked as in ChatML, "
                                       "whose tokens the vocabulary has",
                                       *unusable)
                            : "The file has no chat template, so turns are marked as in ChatML, whose tokens the "
                              "vocabulary has");
    else
        notes.push_back(unusable
                            ? Sentence("The file's chat template can't be used (%1), so the model continues the text "
                                       "of the conversation",
                                       *unusable)
                            : "The file has no chat template, so the model continues the text of the conversation");
    if (familyThoughts_ != FormSet<ThoughtForm>{} || familyCalls_.has(CallForm::GptOssChannels))
        notes.push_back("Without a chat template there is no place for what the model thought in earlier answers");
    notes.push_back("Without a chat template there is no place for tools, so the model can't know them");
}

const TemplatePrompt* PromptFormat::templateFor(const PromptOptions& options) const {
    if (toolTemplate_ && offersTools(options)) return &*toolTemplate_;
    return template_ ? &*template_ : nullptr;
}

bool PromptFormat::showsTools(const PromptOptions& options) const {
    const TemplatePrompt* chosen = templateFor(options);
    return chosen != nullptr && chosen->abilities().tools;
}

Result<PromptText> PromptFormat::render(std::span<const Message> conversation, const PromptOptions& options) const {
    if (const TemplatePrompt* chosen = templateFor(options)) {
        Result<PromptText> prompt = chosen->render(conversation, options);
        if (!prompt) return prompt;
        if (const Status stands = checkQuestion(*chosen, conversation, options, *prompt); !stands)
            return stands.error();
        return prompt;
    }
    return turns_ == Turns::ChatMl ? chatMl(conversation) : plainText(conversation);
}

AnswerForms PromptFormat::answerForms(std::span<const Message> conversation, const PromptOptions& options,
                                      std::string_view prompt) const {
    const auto tools = std::make_shared<OfferedTools>();
    const bool offersNow = offersTools(options);
    bool offered = offersNow;
    for (const std::string* list : {&options.tools, &options.xmlTools, &options.pythonTools}) tools->add(*list);
    for (const Message& message : conversation)
        for (const Part& part : message.parts)
            if (part.kind == PartKind::ToolCall && !offersNow) tools->addName(part.call.name), offered = true;
    const TemplatePrompt* chosen = templateFor(options);
    const auto knows = [chosen](std::string_view word) { return chosen != nullptr && chosen->knows(word); };
    const bool plain = turns_ == Turns::Plain;
    const bool channels = hasChannels_ && (chosen != nullptr || familyCalls_.has(CallForm::GptOssChannels));
    const size_t last = prompt.find_last_not_of(" \n");
    const std::string_view end = last == prompt.npos || plain ? std::string_view() : prompt.substr(0, last + 1);
    AnswerForms forms;
    forms.tools = tools;
    bool showsThoughts = false;
    if (plain) forms.thoughts = {};
    for (const ThoughtMarkers& marker : thoughtMarkers()) {
        const bool known = knows(marker.begin) || knows(marker.end);
        showsThoughts = showsThoughts || known;
        if (known) forms.thoughts.add(marker.form);
        forms.startsInThought = forms.startsInThought || (!channels && end.ends_with(marker.begin));
    }
    if (!showsThoughts) forms.thoughts.add(familyThoughts_);
    if (channels) forms.calls.add(CallForm::GptOssChannels);
    if (offered && !channels && !plain) forms.calls.add(kMarkedCalls);
    if (offered && (chosen == nullptr || !chosen->abilities().tools)) forms.calls.add(familyCalls_);
    const bool python = offersNow && chosen != nullptr && chosen->abilities().pythonTools;
    if ((python || !options.pythonTools.empty()) && !plain) forms.calls.add(CallForm::PythonCode);
    const bool llama = knows("ipython"); // Llama 3's name for the role of a tool
    if (offered && llama) forms.calls.add(CallForm::BareJson);
    if (llama && offersPython(options)) forms.calls.add(CallForm::PythonTag);
    return forms;
}

} // namespace coterie::engine
