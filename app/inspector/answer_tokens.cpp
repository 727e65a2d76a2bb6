// SPDX-License-Identifier: Apache-2.0
// See answer_tokens.h. Measures and served tokens are computed once for each token: the cost of one that is new does
// not depend on the length of the answer.
#include "inspector/answer_tokens.h"

#include "inspector/inspector_texts.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kStripMargin = 8; // tokens that the strip shows beyond the position, while there are more
constexpr size_t kTopTokens = 8;

/// These two are about experts.
bool needsExperts(TokenMeasure measure) { return measure == TokenMeasure::Misses || measure == TokenMeasure::Neurons; }

} // namespace

AnswerTokens::AnswerTokens(const ShownAnswer& shown, Sources sources, QObject* parent)
    : QObject(parent), shown_(shown), sources_(std::move(sources)) {}

void AnswerTokens::setEnabled(bool enabled) {
    enabled_ = enabled;
    if (enabled) return;
    link_.detach(); // documentChanged() stays away: a page that closes keeps its text
    questionLink_.detach();
}

void AnswerTokens::restart() {
    measured_ = {};
    served_ = {};
}

void AnswerTokens::attach(TextDocument* document, TextDocument* question) {
    questionLink_.attach(question);
    if (document == link_.document()) return;
    link_.attach(document);
    Q_EMIT documentChanged();
}

void AnswerTokens::grow(size_t kept) {
    link_.setTokens(shown_.ranges().all(), kept);
    const std::vector<PartRange>& question = shown_.questionRanges().all();
    questionLink_.setTokens(question, kept == 0 ? 0 : question.size());
    growMeasures(measured_, *shown_.record(), measure_);
}

void AnswerTokens::setDark(bool dark) {
    if (dark == dark_) return;
    dark_ = dark;
    drawText();
    Q_EMIT darkChanged();
}

void AnswerTokens::setMeasure(TokenMeasure measure) {
    Q_EMIT measureChosen();
    changeMeasure(measure);
}

void AnswerTokens::changeMeasure(TokenMeasure measure) {
    if (measure == measure_) return;
    measure_ = measure;
    measured_ = {};
    drawText();
    Q_EMIT measureChanged();
    Q_EMIT measureTextChanged();
    drawStrip();
}

void AnswerTokens::dropExpertMeasure() {
    if (needsExperts(measure_)) changeMeasure(TokenMeasure::None);
}

void AnswerTokens::setStripLength(int length) {
    if (length == stripLength_ || length < 1) return;
    stripLength_ = length;
    drawStrip();
    Q_EMIT stripLengthChanged();
}

void AnswerTokens::setSelected(int layer, int expert) {
    selectedLayer_ = layer;
    selectedExpert_ = expert;
    drawText();
    drawStrip();
    topTokens_.reset();
    Q_EMIT selectionChanged();
    Q_EMIT measureTextChanged();
}

void AnswerTokens::refreshTexts() {
    Q_EMIT measureTextChanged();
    if (selectedLayer_ < 0) return;
    topTokens_.reset();
    Q_EMIT selectionChanged();
}

// ------------------------------------------------------------------------------------------------ colours

/// The measure of each token of the answer. They are computed once, and again when the answer has grown.
const MeasuredTokens& AnswerTokens::measured() const {
    if (measured_.values.size() != shown_.record()->tokens().size())
        growMeasures(measured_, *shown_.record(), measure_);
    return measured_;
}

/// The selected expert has the colours, else the measure.
std::vector<double> AnswerTokens::shares() const {
    if (selectedLayer_ < 0) return measure_ != TokenMeasure::None ? measured().shares : std::vector<double>();
    const TracedAnswer& answer = *shown_.record();
    std::vector<double> shares(answer.tokens().size(), std::nan(""));
    for (const int position : served().positions)
        if (const int token = answer.tokenAt(position); token >= 0) shares[static_cast<size_t>(token)] = 1;
    return shares;
}

void AnswerTokens::drawText() {
    if (!enabled_ || !shown_.record()) return;
    const TracedAnswer& answer = *shown_.record();
    TokenTints tints;
    tints.dark = dark_;
    tints.shares = shares();
    // While the newest token is followed, the end of the text shows where it is.
    if (!sources_.following()) tints.current = answer.tokenAt(sources_.position());
    link_.setTints(tints);
    drawQuestion();
}

/// The words of the question that the selected expert worked on, and the current one.
void AnswerTokens::drawQuestion() {
    TokenTints tints;
    tints.dark = dark_;
    tints.shares = questionShares();
    if (!sources_.following()) tints.current = shown_.questionTokenAt(sources_.position());
    questionLink_.setTints(tints);
}

std::vector<double> AnswerTokens::questionShares() const {
    if (selectedLayer_ < 0) return {};
    std::vector<double> shares(shown_.questionRanges().all().size(), std::nan(""));
    for (const int token : served().question) shares[static_cast<size_t>(token)] = 1;
    return shares;
}

QVariantList AnswerTokens::measures() const {
    QVariantList list;
    for (const TokenMeasure measure :
         {TokenMeasure::None, TokenMeasure::Probability, TokenMeasure::Entropy, TokenMeasure::Time,
          TokenMeasure::Waiting, TokenMeasure::Misses, TokenMeasure::Neurons})
        if (!needsExperts(measure) || !sources_.dense())
            list.append(QVariantMap{{QStringLiteral("value"), static_cast<int>(measure)},
                                    {QStringLiteral("text"), measureName(measure)}});
    return list;
}

QString AnswerTokens::measureText() const {
    if (!shown_.record()) return {};
    if (selectedLayer_ >= 0 && measure_ != TokenMeasure::None)
        return shown_.record()->dense()
                   ? tr("The colours show the tokens of the selected layer now. To end that, choose what colours the "
                        "text.")
                   : tr("The colours show the tokens of the selected expert now. To end that, choose what colours "
                        "the text.");
    return measureSentence(*shown_.record(), measure_, measured().most);
}

// ------------------------------------------------------------------------------------------------ the strip

void AnswerTokens::drawStrip() {
    TokenStrip strip = stripNow();
    if (strip == strip_) return;
    strip_ = std::move(strip);
    Q_EMIT stripChanged();
}

/// Whether the user went to a token of the prompt whose words are known. While the newest token is followed, the strip
/// waits for the answer.
bool AnswerTokens::inPrompt() const {
    const int position = sources_.position();
    return !sources_.following() && position >= 0 && shown_.record()->fromPrompt(position) &&
           !shown_.nameAt(position).isEmpty();
}

/// The strip moves only when the position comes near its end: then most of its cells stay where they are.
TokenStrip AnswerTokens::stripNow() {
    if (!enabled_ || !shown_.record() || shown_.record()->tokens().empty()) return {};
    const bool prompt = inPrompt();
    const int begins = shown_.record()->answerBegins();
    const int all = prompt ? begins : static_cast<int>(shown_.record()->tokens().size());
    const int current = std::clamp(sources_.position() - (prompt ? 0 : begins), 0, all - 1);
    const int margin = std::min(kStripMargin, stripLength_ / 4);
    if (prompt != stripOfPrompt_ || current < stripFrom_ + margin || current >= stripFrom_ + stripLength_ - margin)
        stripFrom_ = current - stripLength_ / 2;
    stripOfPrompt_ = prompt;
    stripFrom_ = std::clamp(stripFrom_, 0, std::max(0, all - stripLength_));
    const int count = std::min(stripLength_, all - stripFrom_);
    return prompt ? promptPart(stripFrom_, count) : answerPart(stripFrom_, count);
}

TokenStrip AnswerTokens::answerStrip(int most) const {
    if (!shown_.record()) return {};
    const int all = static_cast<int>(shown_.record()->tokens().size());
    const int current = sources_.position() - shown_.record()->answerBegins();
    const int from = std::clamp(current - most / 2, 0, std::max(0, all - most));
    return answerPart(from, std::min(most, all - from));
}

TokenStrip AnswerTokens::questionStrip(int most) const {
    if (!shown_.record()) return {};
    return promptPart(shown_.record()->questionBegins(),
                      std::min(most, static_cast<int>(shown_.questionRanges().all().size())));
}

TokenStrip AnswerTokens::answerPart(int from, int count) const {
    TokenStrip strip{.from = from, .all = static_cast<int>(shown_.record()->tokens().size())};
    const std::vector<double> coloured = shares();
    for (int i = from; i < from + count; ++i) {
        const double share = static_cast<size_t>(i) < coloured.size() ? coloured[static_cast<size_t>(i)] : 0;
        strip.tokens.push_back(stripToken(i, std::isfinite(share) ? share : 0));
    }
    return strip;
}

/// Only the selected expert colours tokens of the prompt: their measures are not kept.
TokenStrip AnswerTokens::promptPart(int from, int count) const {
    TokenStrip strip{.from = from, .all = shown_.record()->answerBegins(), .prompt = true};
    for (int position = from; position < from + count; ++position) strip.tokens.push_back(promptToken(position));
    return strip;
}

StripToken AnswerTokens::promptToken(int position) const {
    const QString name = shown_.nameAt(position);
    const bool marked =
        selectedLayer_ >= 0 && std::binary_search(served().prompt.begin(), served().prompt.end(), position);
    return {.position = position,
            .words = name.isEmpty() ? QStringLiteral("\u2026") : name, // only the open model knows its name
            .marker = shown_.questionTokenAt(position) < 0,
            .share = marked ? 1.0 : 0.0};
}

StripToken AnswerTokens::stripToken(int token, double share) const {
    const TracedAnswer& answer = *shown_.record();
    const auto at = static_cast<size_t>(token);
    const bool known = at < measured().shares.size() && std::isfinite(measured().shares[at]);
    const bool marker = answer.tokens()[at].text.empty();
    const QString name = marker ? sources_.nameOf(answer.tokens()[at].id) : QString();
    return {.position = answer.answerBegins() + token,
            .words = name.isEmpty() ? shown_.words(token) : name,
            .thought = shown_.isThought(token),
            .marker = marker,
            .share = share,
            .value = known ? measureValue(measure_, measured().values[at]) : QString()};
}

// ------------------------------------------------------------------------------------------------ the selected expert

QString AnswerTokens::selectionText() const {
    if (!shown_.record() || selectedLayer_ < 0) return {};
    const auto count = static_cast<int>(served().positions.size());
    const int all = tokensOf(*shown_.record(), shown_.live());
    const QString layer = QLocale().toString(selectedLayer_), said = QLocale().toString(count);
    if (shown_.record()->dense())
        return count >= all ? tr("Layer %1 worked on all of this answer's %Ln token(s).", nullptr, all).arg(layer)
                            : tr("Layer %1 worked on %2 of this answer's %Ln token(s).", nullptr, all).arg(layer, said);
    const QString expert = QLocale().toString(selectedExpert_);
    const QString inAnswer =
        count == 0
            ? tr("Expert %1 of layer %2 worked on none of this answer's %Ln token(s).", nullptr, all).arg(expert, layer)
            : tr("Expert %1 of layer %2 worked on %3 of this answer's %Ln token(s).", nullptr, all)
                  .arg(expert, layer, said);
    const QString inQuestion = questionText();
    return inQuestion.isEmpty() ? inAnswer : tr("%1 %2").arg(inAnswer, inQuestion);
}

/// Counts only what was read of the question. It is short: the most frequent tokens have room behind it.
QString AnswerTokens::questionText() const {
    const TracedAnswer& answer = *shown_.record();
    const int begins = std::max(answer.first(), answer.questionBegins());
    const int ends = answer.questionBegins() + static_cast<int>(shown_.questionRanges().all().size());
    const int read = std::min(ends, answer.last() + 1) - begins;
    if (read <= 0) return {};
    return tr("In the question: %1 of %2.").arg(QLocale().toString(served().question.size()), QLocale().toString(read));
}

/// Looks only at what the answer has more since the last call.
const AnswerTokens::Served& AnswerTokens::served() const {
    if (served_.layer != selectedLayer_ || served_.expert != selectedExpert_)
        served_ = {.layer = selectedLayer_, .expert = selectedExpert_};
    const TracedAnswer& answer = *shown_.record();
    for (const int position : answer.servedBy(selectedLayer_, selectedExpert_, served_.next)) {
        (answer.fromPrompt(position) ? served_.prompt : served_.positions).push_back(position);
        if (const int token = shown_.questionTokenAt(position); token >= 0) {
            served_.question.push_back(token);
            ++served_.words[shown_.wordsAt(position)];
        }
    }
    served_.next = answer.last() + 1;
    // The words of the newest tokens may not be there yet.
    for (; served_.counted < served_.positions.size(); ++served_.counted) {
        const int position = served_.positions[served_.counted];
        const int token = answer.tokenAt(position);
        if (shown_.live() && (token < 0 || static_cast<size_t>(token) >= shown_.ranges().settled())) break;
        ++served_.words[shown_.wordsAt(position)];
    }
    return served_;
}

QVariantList AnswerTokens::topTokens() const {
    if (!shown_.record() || selectedLayer_ < 0) return {};
    if (topTokens_) return *topTokens_;
    QVariantList list;
    const std::map<QString, int>& counts = served().words;
    std::vector<std::pair<QString, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (size_t i = 0; i < std::min(kTopTokens, sorted.size()); ++i)
        list.append(QVariantMap{{QStringLiteral("text"), quotedToken(sorted[i].first)},
                                {QStringLiteral("count"), sorted[i].second}});
    topTokens_ = list;
    return list;
}

} // namespace coterie::app
