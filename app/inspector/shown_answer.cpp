// SPDX-License-Identifier: Apache-2.0
// See shown_answer.h.
#include "inspector/shown_answer.h"

namespace coterie::app {
namespace {

/// The words of a token of a message whose tokens have these places.
QString wordsIn(const std::vector<MessagePart>& parts, const std::vector<engine::TokenRecord>& tokens,
                const TokenRanges& ranges, int token) {
    const auto at = static_cast<size_t>(token);
    if (token < 0 || at >= tokens.size()) return {};
    // A token that wrote into several parts is looked up by bytes.
    if (at >= ranges.all().size() || tokens[at].text.size() != 1) return textOf(tokens[at], parts);
    const PartRange& range = ranges.all()[at];
    const auto part = static_cast<size_t>(range.part);
    return part < parts.size() ? parts[part].text.mid(range.begin, range.end - range.begin) : QString();
}

} // namespace

void ShownAnswer::setRecord(std::shared_ptr<TracedAnswer> record, bool live) {
    record_ = std::move(record);
    live_ = live;
    ranges_ = questionRanges_ = {};
    question_.clear();
    if (record_) growRanges();
}

void ShownAnswer::growRanges() {
    ranges_.grow(record_->tokens(), parts());
    if (!question_.empty()) return; // it does not grow
    const std::vector<MessagePart>& asked = partsOf(sources_.question);
    question_ = record_->question(asked);
    questionRanges_.grow(question_, asked);
}

const std::vector<MessagePart>& ShownAnswer::partsOf(const Parts& source) {
    static const std::vector<MessagePart> none;
    const std::vector<MessagePart>* parts = source();
    return parts ? *parts : none;
}

int ShownAnswer::questionTokenAt(int position) const {
    const int token = record_ ? position - record_->questionBegins() : -1;
    return token >= 0 && token < static_cast<int>(question_.size()) ? token : -1;
}

QString ShownAnswer::words(int token) const { return wordsIn(parts(), record_->tokens(), ranges_, token); }

QString ShownAnswer::wordsAt(int position) const {
    if (!record_) return {};
    const int asked = questionTokenAt(position);
    return asked < 0 ? words(record_->tokenAt(position))
                     : wordsIn(partsOf(sources_.question), question_, questionRanges_, asked);
}

QString ShownAnswer::nameAt(int position) const {
    const QString words = wordsAt(position);
    if (!words.isEmpty() || !record_ || !record_->fromPrompt(position)) return words;
    const engine::TokenId id = record_->promptToken(position);
    return id < 0 ? QString() : sources_.nameOf(id);
}

bool ShownAnswer::isThought(int token) const {
    const auto at = static_cast<size_t>(token);
    if (at >= ranges_.all().size() || record_->tokens()[at].text.empty()) return false;
    const auto part = static_cast<size_t>(ranges_.all()[at].part);
    return part < parts().size() && parts()[part].kind == PartKind::Thought;
}

} // namespace coterie::app
