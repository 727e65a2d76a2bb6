// SPDX-License-Identifier: Apache-2.0
// chat: a conversation in the terminal. With piped input each line is a message, and stdout has only the answers.
#include "cli/commands/commands.h"
#include "cli/delta_writer.h"
#include "cli/format.h"
#include "cli/interrupt.h"

namespace coterie::app {

using namespace engine;

namespace {

constexpr const char* kHelp = "/new    start again with an empty conversation\n"
                              "/help   this list\n"
                              "/quit   end (so does the end of the input)\n"
                              "Ctrl-C  stop the answer; at the prompt: end\n";

struct ChatOptions {
    CommonOptions common;
    GenerateOptions generate;
    std::string system;
};

void describe(CLI::App& command, ChatOptions& options) {
    addModelOptions(command, options.common);
    command.add_option("--system", options.system, "A text that the model reads before the conversation");
    addGenerateOptions(command, options.generate);
}

/// One run of the command.
class TerminalChat {
  public:
    TerminalChat(Session& session, const ChatOptions& options)
        : session_(session), options_(options), talks_(inputIsTerminal() && outputIsTerminal()) {
        startAgain();
    }
    Status run();

  private:
    void startAgain();
    Status greet() const;
    /// Returns the user's next line, or nothing at the end of the input.
    std::optional<std::string> nextMessage() const;
    enum class Line { Message, Done, Quit };
    /// Runs the line if it is a command; returns Message if it is a message.
    Line obey(const std::string& line);
    Status answer(const std::string& line);
    Status finishAnswer(const Generated& result) const;

    Session& session_;
    const ChatOptions& options_;
    const bool talks_; ///< a terminal is used: shows prompts and figures, and errors don't end the chat
    std::vector<Message> conversation_;
};

void TerminalChat::startAgain() {
    conversation_.clear();
    if (!options_.system.empty()) conversation_.push_back(Message::text(Role::System, options_.system));
}

Status TerminalChat::greet() const {
    if (!talks_) return {};
    const ModelInfo& info = session_.info();
    std::string text = (info.name.empty() ? info.path : info.name) + ", " + bytesText(info.fileBytes) +
                       ", context of " + std::to_string(info.memory.context) +
                       " tokens. /help lists what you can do.\n";
    for (const engine::Sentence& note : info.notes) text += "note: " + note.english() + "\n";
    return writeOut(text);
}

std::optional<std::string> TerminalChat::nextMessage() const {
    forgetInterrupts();
    if (talks_ && !writeOut("\n> ")) return std::nullopt;
    std::optional<std::string> line = readLine();
    return interrupts() > 0 ? std::nullopt : line;
}

TerminalChat::Line TerminalChat::obey(const std::string& line) {
    if (line.find_first_not_of(" \t") == std::string::npos) return Line::Done;
    if (line == "/quit" || line == "/exit") return Line::Quit;
    if (line == "/help") return writeOut(kHelp) ? Line::Done : Line::Quit;
    if (line != "/new") return Line::Message;
    startAgain();
    return Line::Done;
}

Status TerminalChat::run() {
    if (Status status = greet(); !status) return status;
    while (const std::optional<std::string> line = nextMessage()) {
        const Line kind = obey(*line);
        if (kind == Line::Quit) break;
        if (kind == Line::Done) continue;
        const Status status = answer(*line);
        if (!status && !talks_) return status;
        if (!status) writeError("error: " + status.error().line() + "\n");
    }
    return talks_ ? writeOut("\n") : Status();
}

Status TerminalChat::answer(const std::string& line) {
    conversation_.push_back(Message::text(Role::User, line));
    CancelOnInterrupt interrupt;
    DeltaWriter writer(interrupt, talks_);
    GenerateOptions generate = options_.generate;
    generate.cancel = interrupt.flag();
    const Result<Generated> result = session_.chat(conversation_, generate, std::ref(writer));
    if (!writer.status()) return writer.status();
    if (!result) { // the question is removed, so that a shorter one may follow
        conversation_.pop_back();
        return result.error();
    }
    writeNotes(result->notes);
    conversation_.push_back({Role::Assistant, result->parts});
    return finishAnswer(result.value());
}

Status TerminalChat::finishAnswer(const Generated& result) const {
    if (!talks_) return writeOut("\n");
    const GenerationStatistics& s = result.statistics;
    std::string text = "\n(" + std::to_string(s.generated) + " tokens";
    if (const std::optional<double> rate = s.decodeRate()) text += ", " + numberText(*rate, 1) + " a second";
    if (result.reason == FinishReason::Cancelled) text += ", stopped";
    if (result.reason == FinishReason::ContextFull) text += ", the context is full: /new starts again";
    return writeOut(text + ")\n");
}

Status run(ChatOptions& options) {
    if (Status status = checkSamplingOptions(options.generate.sampling); !status) return status;
    const Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    return TerminalChat(*session.value(), options).run();
}

} // namespace

void addChat(CLI::App& app, Command& chosen) {
    addCommand<ChatOptions>(app, chosen, "chat", "A chat in the terminal", describe, run);
}

} // namespace coterie::app
