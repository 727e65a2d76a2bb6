// SPDX-License-Identifier: Apache-2.0
// See shown_answer.h.
#include "inspector/shown_answer.h"

namespace coterie::app {

void ShownAnswer::setRecord(std::shared_ptr<TracedAnswer> record, bool live) {
    record_ = std::move(record);
    live_ = live;
    ranges_ = {};
    if (record_) growRanges();
}

const std::vector<MessagePart>& ShownAnswer::parts() const {
    static const std::vector<MessagePart> none;
    const std::vector<MessagePart>* parts = parts_();
    return parts ? *parts : none;
}

QString ShownAnswer::words(int token) const {
    const auto at = static_cast<size_t>(token);
    // A token that wrote into several parts is looked up by bytes.
    if (token < 0 || at >= ranges_.all().size() || record_->tokens()[at].text.size() != 1)
        return record_->text(token, parts());
    const PartRange& range = ranges_.all()[at];
    const auto part = static_cast<size_t>(range.part);
    return part < parts().size() ? parts()[part].text.mid(range.begin, range.end - range.begin) : QString();
}

bool ShownAnswer::isThought(int token) const {
    const auto at = static_cast<size_t>(token);
    if (at >= ranges_.all().size() || record_->tokens()[at].text.empty()) return false;
    const auto part = static_cast<size_t>(ranges_.all()[at].part);
    return part < parts().size() && parts()[part].kind == PartKind::Thought;
}

} // namespace coterie::app
