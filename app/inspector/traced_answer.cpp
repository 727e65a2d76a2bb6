// SPDX-License-Identifier: Apache-2.0
// Each position of the trace is read once, when it is taken in; only routes are read again.
#include "inspector/traced_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::app {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TokenFigures figuresOf(const engine::TracedToken& token) {
    TokenFigures figures{.probability = kNone,
                         .entropy = kNone,
                         .seconds = token.seconds,
                         .headRows = static_cast<double>(token.headRows)};
    for (const engine::TracedLayer& layer : token.layers) {
        figures.waiting += layer.waitSeconds;
        for (const engine::ExpertUse& use : layer.uses) {
            figures.misses += use.hit ? 0 : 1;
            figures.neurons += use.activeNeurons;
        }
    }
    return figures;
}

bool uses(const engine::TracedToken& token, int layer, int expert) {
    for (const engine::TracedLayer& traced : token.layers)
        if (traced.layer == layer)
            return std::any_of(traced.uses.begin(), traced.uses.end(),
                               [=](const engine::ExpertUse& use) { return use.expert == expert; });
    return false;
}

/// The bytes of a text part in the text of the whole message.
struct TextPlace {
    size_t part = 0, begin = 0, end = 0;
};

std::vector<TextPlace> textPlaces(const std::vector<MessagePart>& parts) {
    constexpr size_t kBetween = 2; // bytes that plainText() puts between two text parts
    std::vector<TextPlace> places;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind != PartKind::Text) continue;
        const size_t begin = places.empty() ? 0 : places.back().end + kBetween;
        places.push_back({i, begin, begin + static_cast<size_t>(parts[i].text.toUtf8().size())});
    }
    return places;
}

/// Whether a model with these numbers of experts can have made a trace of this shape.
bool fits(const std::vector<int64_t>& expertsOfLayer, const engine::TraceShape& shape) {
    return !expertsOfLayer.empty() && static_cast<int64_t>(expertsOfLayer.size()) == shape.layers &&
           *std::max_element(expertsOfLayer.begin(), expertsOfLayer.end()) == shape.experts;
}

} // namespace

QString textOf(const engine::TokenRecord& token, const std::vector<MessagePart>& parts) {
    QByteArray bytes;
    for (const engine::TextRange& range : token.text) {
        if (range.part >= parts.size()) continue;
        const QByteArray part = parts[range.part].text.toUtf8();
        bytes += part.mid(static_cast<qsizetype>(range.begin), static_cast<qsizetype>(range.end - range.begin));
    }
    return QString::fromUtf8(bytes);
}

TracedAnswer::TracedAnswer(AnswerRecord record, std::vector<int64_t> expertsOfLayer)
    : record_(std::move(record)), expertsOfLayer_(std::move(expertsOfLayer)) {
    if (!record_.trace) return;
    const engine::TraceShape& shape = record_.trace->shape();
    if (!fits(expertsOfLayer_, shape)) // another model is open
        expertsOfLayer_ = engine::expertsOfLayers(shape, all());
    forget();
    takeIn();
}

/// Begins anew, with nothing taken in.
void TracedAnswer::forget() {
    steps_.clear();
    ends_.clear();
    prompt_ = answer_ = engine::ExpertUsage(expertsOfLayer_);
    headRows_ = 0;
}

void TracedAnswer::update(const AnswerRecord& record) {
    if (record.message != record_.message || record.trace != record_.trace) return;
    for (size_t i = record_.tokens.size(); i < record.tokens.size(); ++i) record_.tokens.push_back(record.tokens[i]);
    takeIn();
}

std::shared_ptr<TracedAnswer> TracedAnswer::beginning(size_t tokens) const {
    auto part = std::make_shared<TracedAnswer>(*this);
    if (!record_.trace) return part;
    const auto bytes = record_.trace->bytes();
    if (!bytes) return part;
    auto copy = engine::TraceLog::read(*bytes);
    if (!copy) return part;
    copy.value()->endAt(copy.value()->promptTokens() + static_cast<int64_t>(tokens));
    part->record_.trace = std::move(copy).value();
    part->record_.tokens.resize(std::min(tokens, part->record_.tokens.size()));
    part->forget();
    part->takeIn();
    return part;
}

void TracedAnswer::takeIn() {
    if (!record_.trace) return;
    const engine::TraceLog& trace = *record_.trace;
    reused_ = static_cast<int>(trace.reused());
    answerBegins_ = static_cast<int>(trace.promptTokens());
    if (question_.text.empty()) question_ = trace.question();
    const auto newest = static_cast<int>(trace.newest());
    // If nobody looked for a while, the log has lost tokens that were not taken in: what follows is taken in alone. A
    // trace that was ended may have fewer tokens than before.
    const bool lost = last() < newest && !trace.token(last() + 1);
    if (!steps_.empty() && (lost || last() > newest)) forget();
    if (steps_.empty()) {
        // A long answer has lost its beginning.
        first_ = reused_;
        while (first_ <= newest && !trace.token(first_)) ++first_;
    }
    for (int position = last() + 1; position <= newest; ++position) {
        const std::optional<engine::TracedToken> token = trace.token(position);
        if (!token) return;
        (fromPrompt(position) ? prompt_ : answer_).add(*token);
        if (!fromPrompt(position)) headRows_ += static_cast<double>(token->headRows);
        steps_.push_back(figuresOf(*token));
        ends_.push_back((ends_.empty() ? 0 : ends_.back()) + token->seconds);
    }
}

bool TracedAnswer::dense() const {
    return std::all_of(expertsOfLayer_.begin(), expertsOfLayer_.end(), [](int64_t experts) { return experts <= 1; });
}

std::optional<engine::TracedToken> TracedAnswer::token(int position) const {
    if (position < first() || position > last()) return std::nullopt;
    return record_.trace->token(position);
}

int TracedAnswer::tokenAt(int position) const {
    const int token = position - answerBegins_;
    return token >= 0 && token < static_cast<int>(record_.tokens.size()) ? token : -1;
}

TokenFigures TracedAnswer::figures(int position) const {
    if (position < first() || position > last()) return {kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    TokenFigures figures = steps_[static_cast<size_t>(position - first_)];
    if (const int token = tokenAt(position); token >= 0) {
        figures.probability = record_.tokens[static_cast<size_t>(token)].probability.value_or(kNone);
        figures.entropy = record_.tokens[static_cast<size_t>(token)].entropy.value_or(kNone);
    }
    return figures;
}

bool TracedAnswer::hasProbabilities() const {
    return std::any_of(record_.tokens.begin(), record_.tokens.end(),
                       [](const engine::TokenRecord& token) { return token.probability.has_value(); });
}

double TracedAnswer::timeOf(int position) const {
    if (empty()) return 0;
    const int at = std::clamp(position, first(), last());
    const auto sum = [this](int p) { return ends_[static_cast<size_t>(p - first_)]; };
    const std::vector<engine::TokenRecord>& tokens = record_.tokens;
    // The pass at answerBegins() - 1 + j ended when token j was drawn.
    const int drawn = at - (answerBegins_ - 1);
    if (drawn >= 0 && drawn < static_cast<int>(tokens.size())) return tokens[static_cast<size_t>(drawn)].seconds;
    if (tokens.empty()) return sum(at);
    if (drawn < 0) {
        const int promptEnd = std::min(answerBegins_ - 1, last());
        const double whole = sum(promptEnd);
        return whole > 0 ? tokens.front().seconds * sum(at) / whole : tokens.front().seconds;
    }
    // No token followed this pass: it took as long as the trace says.
    const int lastDrawn = std::clamp(answerBegins_ - 1 + static_cast<int>(tokens.size()) - 1, first(), at);
    return tokens.back().seconds + sum(at) - sum(lastDrawn);
}

int TracedAnswer::positionAt(double seconds) const {
    int low = first(), high = last();
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (timeOf(middle) <= seconds)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

QString TracedAnswer::text(int token, const std::vector<MessagePart>& parts) const {
    const bool known = token >= 0 && token < static_cast<int>(record_.tokens.size());
    return known ? textOf(record_.tokens[static_cast<size_t>(token)], parts) : QString();
}

engine::TokenId TracedAnswer::promptToken(int position) const {
    return record_.trace ? record_.trace->promptToken(position) : -1;
}

/// The engine got the words of the message as the end of a text: files and earlier prompts without an answer may stand
/// before them.
std::vector<engine::TokenRecord> TracedAnswer::question(const std::vector<MessagePart>& parts) const {
    std::vector<engine::TokenRecord> tokens;
    if (question_.text.empty()) return tokens;
    const std::vector<TextPlace> places = textPlaces(parts);
    if (places.empty() || places.back().end > question_.bytes) return tokens;
    const size_t before = question_.bytes - places.back().end;
    for (const engine::QuestionTokens::Range& range : question_.text) {
        engine::TokenRecord& token = tokens.emplace_back();
        token.id = promptToken(questionBegins() + static_cast<int>(tokens.size()) - 1);
        const size_t begin = std::max<size_t>(range.begin, before) - before;
        const size_t end = std::max<size_t>(range.end, before) - before;
        for (const TextPlace& place : places)
            if (std::max(begin, place.begin) < std::min(end, place.end))
                token.text.push_back({.part = place.part,
                                      .begin = std::max(begin, place.begin) - place.begin,
                                      .end = std::min(end, place.end) - place.begin});
    }
    return tokens;
}

double TracedAnswer::meanHeadRows() const {
    return answer_.tokens() > 0 ? headRows_ / static_cast<double>(answer_.tokens()) : -1;
}

std::vector<int> TracedAnswer::servedBy(int layer, int expert, int from) const {
    std::vector<int> positions;
    for (int position = std::max(first(), from); position <= last(); ++position)
        if (const auto traced = token(position); traced && uses(*traced, layer, expert)) positions.push_back(position);
    return positions;
}

std::vector<engine::TracedToken> TracedAnswer::all() const {
    return record_.trace ? record_.trace->last(std::numeric_limits<size_t>::max()) : std::vector<engine::TracedToken>{};
}

} // namespace coterie::app
