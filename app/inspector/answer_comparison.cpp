// SPDX-License-Identifier: Apache-2.0
// See answer_comparison.h.
#include "inspector/answer_comparison.h"

#include "inspector/inspector_texts.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kNameLength = 24; // characters of the beginning of an answer, which name it

/// The beginning of a text, to name it.
QString firstWords(const QString& text) {
    const QString line = text.simplified();
    if (line.size() <= kNameLength) return line;
    qsizetype end = std::max(line.lastIndexOf(u' ', kNameLength), kNameLength / 2);
    while (end > 0 && (line[end].isLowSurrogate() || line[end].isMark())) --end; // a letter is not cut
    return line.left(end) + QChar(0x2026);
}

} // namespace

AnswerComparison::AnswerComparison(const ShownAnswer& shown, std::function<Before()> before, QObject* parent)
    : QObject(parent), shown_(shown), before_(std::move(before)) {}

void AnswerComparison::setAgainst(Against against) {
    if (against == against_) return;
    against_ = against;
    Q_EMIT againstChanged();
}

void AnswerComparison::keep() {
    if (!shown_.record() || shown_.live()) return;
    kept_ = shown_.record();
    keptBegins_ = quotedToken(firstWords(plainText(shown_.parts())));
    if (against_ == Kept) setAgainst(None); // compared with itself, an answer shows nothing
    refresh();
}

/// A menu shows the options: its lines stay while they are the same. What was chosen stays among them before the next
/// answer has a token: the menu keeps its words and its size.
void AnswerComparison::refresh() {
    QVariantList possible;
    for (const Against against : {None, Prompt, Previous, Kept})
        if (against == against_ || isPossible(against))
            possible.append(QVariantMap{{QStringLiteral("value"), static_cast<int>(against)},
                                        {QStringLiteral("text"), title(against)}});
    if (possible != options_) {
        options_ = possible;
        Q_EMIT optionsChanged();
    }
    Q_EMIT keptChanged();
}

QString AnswerComparison::title(Against against) const {
    switch (against) {
    case None:
        break;
    case Prompt:
        return tr("Its prompt");
    case Previous:
        return tr("The answer before it");
    case Kept:
        return tr("The answer %1, which you kept").arg(keptBegins_);
    }
    return tr("Nothing");
}

bool AnswerComparison::isPossible(Against against) const {
    if (!shown_.hasPositions()) return false;
    switch (against) {
    case None:
        return true;
    case Prompt:
        return shown_.record()->prompt().tokens() > 0;
    case Previous: {
        const Before before = before_();
        return before.exists && !before.missing;
    }
    case Kept:
        return kept_ && !kept() && kept_->expertsOfLayer() == shown_.record()->expertsOfLayer();
    }
    return false;
}

std::optional<AnswerComparison::Run> AnswerComparison::run() const {
    if (!shown_.record() || against_ == None) return std::nullopt;
    if (against_ == Prompt) return isPossible(Prompt) ? std::optional(promptRun()) : std::nullopt;
    if (against_ == Kept && kept()) return std::nullopt; // with itself, an answer has no difference
    const std::shared_ptr<TracedAnswer> other = against_ == Kept ? kept_ : before_().record;
    if (!other || other->expertsOfLayer() != shown_.record()->expertsOfLayer()) return std::nullopt;
    return Run{other->answer(),
               against_ == Previous ? tr("the answer before it") : tr("the answer %1, which you kept").arg(keptBegins_),
               title(against_)};
}

/// Only the tokens that were read have routes: the others were in memory from an earlier answer.
AnswerComparison::Run AnswerComparison::promptRun() const {
    const TracedAnswer& answer = *shown_.record();
    const auto read = static_cast<int>(answer.prompt().tokens());
    if (answer.reused() == 0) return {answer.prompt(), tr("its prompt"), title(Prompt)};
    return {answer.prompt(), tr("the %Ln token(s) of its prompt that the model read", nullptr, read),
            tr("Its prompt (%Ln token(s) read)", nullptr, read)};
}

QString AnswerComparison::obstacle() const {
    if (!shown_.hasPositions() || against_ == None || run()) return {};
    if (against_ == Prompt) return tr("The record has no token of its prompt, so nothing is compared.");
    if (against_ == Kept)
        return kept() ? tr("This is the answer that you kept, so nothing is compared.")
                      : tr("Another model wrote the answer that you kept, so nothing is compared.");
    const Before before = before_();
    if (before.above)
        return tr("The answer before it is further up in the chat. Scroll up to it, and it will be compared.");
    if (!before.exists) return tr("There is no answer before it to compare with.");
    if (before.missing) return tr("The answer before it has no record, so nothing is compared.");
    return before.record ? tr("Another model wrote the answer before it, so nothing is compared.") : QString();
}

} // namespace coterie::app
