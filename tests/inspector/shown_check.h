// SPDX-License-Identifier: Apache-2.0
// Compares everything that the inspector shows with the records, computed once more from the plain trace: the grid in
// each mode, colours under the text, the selection, the strip and the sentences. For an engine that follows a numbered
// script, which gives each answer routes of its own, so that a picture of another answer is seen.
#pragma once

#include "fakes/fake_session.h"
#include "inspector/inspector.h"
#include "inspector/inspector_texts.h"
#include "inspector/measured_tokens.h"
#include "records/token_bytes.h"
#include "shell/app.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace coterie::test {

class ShownCheck {
  public:
    /// Both outlive this object. script: a numbered one.
    ShownCheck(app::App& app, const app::ChatStore& store, FakeScript script)
        : app_(app), store_(store), script_(std::move(script)) {}

    /// Returns the first thing that is not what the records say; empty if everything is.
    QString fault() const {
        if (const QString text = textOfOthers(); !text.isEmpty()) return text;
        if (!inspector().enabled())
            return inspector().timeline()->playing() ? QStringLiteral("it plays while disabled") : QString();
        const qint64 message = inspector().messageId();
        const app::MessageRow* row = chat().messages()->find(message);
        if (message != 0 && !row) return QStringLiteral("the message that is shown is not in the chat");
        if (message != 0 && inspector().live() != isLive(message))
            return QStringLiteral("it is shown as being written, or as ended, wrongly");
        const app::TracedAnswer* shown = inspector().shown().record().get();
        if (!shown || shown->empty()) return withoutRecord();
        if (shown->message() != message) return QStringLiteral("the record is another message's");
        // The same record read at once, which was read as it grew.
        const app::TracedAnswer anew({.message = message, .trace = shown->trace(), .tokens = shown->tokens()},
                                     shown->expertsOfLayer());
        for (const auto check :
             {&ShownCheck::routes, &ShownCheck::grid, &ShownCheck::colours, &ShownCheck::questionColours,
              &ShownCheck::selection, &ShownCheck::strip, &ShownCheck::sentences})
            if (const QString wrong = (this->*check)(anew, *row); !wrong.isEmpty()) return wrong;
        return {};
    }

    /// The user keeps the shown answer for comparisons.
    void keep() {
        const app::TracedAnswer* shown = inspector().shown().record().get();
        if (shown && shown->trace() && !inspector().live())
            kept_ = Kept{shown->message(), countsOf(*shown->trace(), true)};
    }

  private:
    /// Whether the answer has a record that grows, or will have one and none from an earlier time is shown.
    bool isLive(qint64 message) const {
        if (app_.answers()->record(message)) return true;
        const auto job = app_.answers()->progress(chat().chatId());
        const bool begins = job && job->message == message &&
                            (job->state == app::AnswerQueue::Waiting || job->state == app::AnswerQueue::Reading);
        return begins && !inspector().shown().record();
    }
    /// [cells] a value of each expert, layer by layer.
    using Values = std::vector<double>;
    struct Kept {
        qint64 message = 0;
        Values counts;
    };

    app::Inspector& inspector() const { return *app_.inspector(); }
    app::Conversation& chat() const { return *app_.conversation(); }
    size_t cells() const { return static_cast<size_t>(script_.layers * script_.experts); }
    size_t cell(int layer, int64_t expert) const { return static_cast<size_t>(layer * script_.experts + expert); }

    /// Only the shown message and its question have colours and tokens, and none has while the inspector is disabled.
    QString textOfOthers() const {
        for (app::Conversation* pane : {app_.panes()->first(), app_.panes()->second()}) {
            for (const app::MessageRow& row : pane->messages()->rows()) {
                const app::TextDocument* document = pane->messages()->madeDocument(row.id);
                const bool linked = document && (!document->tints().empty() || !document->tokens().empty());
                const app::MessageRow* shown = pane->messages()->find(inspector().messageId());
                const app::MessageRow* asked = shown ? questionOf(*shown) : nullptr;
                const bool mayBe = row.id == inspector().messageId() || (asked && row.id == asked->id);
                if (linked && (!inspector().enabled() || !mayBe))
                    return QStringLiteral("a message that is not shown has colours");
            }
        }
        return {};
    }

    QString withoutRecord() const {
        const auto condition = inspector().condition();
        const bool ended = condition == app::Inspector::NotTraced || condition == app::Inspector::Unreadable;
        const bool others = ended && inspector().grid()->mode() == app::ActivityGrid::Chat;
        if (inspector().grid()->cells()->layers() > 0 && inspector().grid()->mode() != app::ActivityGrid::Store) {
            if (!others) return QStringLiteral("a grid without a record");
            if (const QString wrong = othersCounts(); !wrong.isEmpty()) return wrong;
        }
        if (inspector().grid()->selectedLayer() >= 0 &&
            !inspector().grid()->cells()->has(inspector().grid()->selectedLayer(),
                                              inspector().grid()->selectedExpert()))
            return QStringLiteral("a selected cell that is not there");
        if (!inspector().tokens()->strip().tokens.empty()) return QStringLiteral("a strip without a record");
        return {};
    }

    /// The number at the beginning of a numbered answer.
    static std::optional<int64_t> numberOf(const app::MessageRow& row) {
        static const QRegularExpression number(QStringLiteral("^\\[(\\d+)\\] "));
        const QRegularExpressionMatch match = number.match(app::plainText(row.parts));
        return match.hasMatch() ? std::optional<int64_t>(match.captured(1).toLongLong()) : std::nullopt;
    }

    /// The trace is that of the engine's answer with this number.
    QString routes(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        const auto number = numberOf(row);
        for (int p = answer.first(); number && p <= inspector().timeline()->last(); ++p) {
            const auto token = answer.token(p);
            if (!token) return QStringLiteral("a position without a token");
            for (const engine::TracedLayer& layer : token->layers) {
                const engine::TracedLayer made = fakeRoute(script_, p, layer.layer, *number);
                bool same = made.uses.size() == layer.uses.size();
                for (size_t i = 0; same && i < made.uses.size(); ++i)
                    same = made.uses[i].expert == layer.uses[i].expert && made.uses[i].hit == layer.uses[i].hit;
                if (!same) return QStringLiteral("the route of position %1 is another answer's").arg(p);
            }
        }
        return {};
    }

    /// Tokens that used each expert: of the answer alone, or of the prompt too. Until: the last position.
    Values countsOf(const engine::TraceLog& trace, bool ofAnswer, int64_t until = -1) const {
        Values counts(cells());
        const int64_t last = until < 0 ? trace.newest() : until;
        for (int64_t p = ofAnswer ? trace.promptTokens() : trace.reused(); p <= last; ++p)
            if (const auto token = trace.token(p))
                for (const engine::TracedLayer& layer : token->layers)
                    for (const engine::ExpertUse& use : layer.uses) ++counts[cell(layer.layer, use.expert)];
        return counts;
    }

    /// The trace of another answer, as the store has it; nothing if it has none yet.
    std::unique_ptr<engine::TraceLog> stored(qint64 message) const {
        const auto record = store_.records().get(app::RecordKind::Trace, message);
        if (!record || !record->has_value()) return nullptr;
        const QByteArray& bytes = (*record)->bytes;
        auto trace = engine::TraceLog::read(
            {reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<size_t>(bytes.size())});
        return trace ? std::move(trace).value() : nullptr;
    }

    QString grid(const app::TracedAnswer& answer, const app::MessageRow&) const {
        using app::ActivityGrid;
        using app::AnswerComparison;
        const app::ExpertGrid& shown = *inspector().grid()->cells();
        const auto against = inspector().comparison()->against();
        if (inspector().grid()->mode() == ActivityGrid::Store) return places(answer);
        if (shown.kind() == app::ExpertGrid::Difference) return difference(answer);
        if (against == AnswerComparison::Prompt || (against == AnswerComparison::Kept && kept_))
            return QStringLiteral("no difference, which was chosen");
        if (inspector().grid()->mode() == ActivityGrid::Now) return route(answer);
        if (inspector().grid()->mode() == ActivityGrid::Chat) return chatCounts(answer);
        return compare(app::ExpertGrid::Counts, countsOf(*answer.trace(), true, inspector().timeline()->last()));
    }

    /// Compares the whole grid with these values; the largest is drawn strongest.
    QString compare(app::ExpertGrid::Kind kind, const Values& values, const std::vector<uint8_t>& waited = {}) const {
        const app::GridContent& shown = inspector().grid()->cells()->content();
        if (shown.kind != kind) return QStringLiteral("the grid is of kind %1, not %2").arg(shown.kind).arg(kind);
        const bool ofPlaces = kind == app::ExpertGrid::Places;
        const Values drawn = ofPlaces ? Values(shown.places.begin(), shown.places.end()) : shown.values;
        if (drawn.size() != values.size()) return QStringLiteral("the grid has another size");
        double most = 0;
        for (size_t i = 0; i < values.size(); ++i) {
            if (std::abs(drawn[i] - values[i]) > 1e-9)
                return QStringLiteral("cell %1 is %2, not %3").arg(i).arg(drawn[i]).arg(values[i]);
            most = std::max(most, std::abs(values[i]));
        }
        if (!ofPlaces && std::abs(shown.most - most) > 1e-9) return QStringLiteral("the scale ends at another value");
        if (!shown.waited.empty() && shown.waited != waited) return QStringLiteral("other cells were waited for");
        return shown.waited.empty() && std::count(waited.begin(), waited.end(), 1) > 0
                   ? QStringLiteral("no cell was waited for")
                   : QString();
    }

    QString route(const app::TracedAnswer& answer) const {
        Values weights(cells());
        std::vector<uint8_t> waited(cells());
        if (const auto token = answer.token(inspector().timeline()->position()))
            for (const engine::TracedLayer& layer : token->layers)
                for (const engine::ExpertUse& use : layer.uses) {
                    weights[cell(layer.layer, use.expert)] = static_cast<double>(use.weight);
                    waited[cell(layer.layer, use.expert)] = use.hit ? 0 : 1;
                }
        const app::GridContent& shown = inspector().grid()->cells()->content();
        for (size_t i = 0; i < weights.size(); ++i)
            if (shown.hits[i] != (weights[i] > 0 && waited[i] == 0 ? 1 : 0)) return QStringLiteral("other hits");
        if (shown.token != inspector().timeline()->position()) return QStringLiteral("cells of another token light up");
        return compare(app::ExpertGrid::Weights, weights, waited);
    }

    /// The script's experts stay where they are; an answer that is being written marks what its newest token missed.
    QString places(const app::TracedAnswer& answer) const {
        const uint64_t slots = app_.models()->openInfo()->memory.slots;
        Values states(cells());
        for (size_t i = 0; i < states.size(); ++i)
            states[i] = static_cast<double>(i < slots ? engine::ExpertState::InMemory : engine::ExpertState::OnDisk);
        std::vector<uint8_t> waited(cells());
        const auto newest = answer.token(inspector().timeline()->last());
        if (inspector().live() && newest)
            for (const engine::TracedLayer& layer : newest->layers)
                for (const engine::ExpertUse& use : layer.uses) waited[cell(layer.layer, use.expert)] = use.hit ? 0 : 1;
        return compare(app::ExpertGrid::Places, states, waited);
    }

    /// Which other answers have been found is known by their number only, which the sentence says.
    QString chatCounts(const app::TracedAnswer& answer) const {
        static const QRegularExpression read(QStringLiteral("in (\\d+) of "));
        const int found = read.match(inspector().grid()->text()).captured(1).toInt();
        Values sum = countsOf(*answer.trace(), true, inspector().timeline()->last());
        int others = 0;
        for (const app::MessageRow& row : chat().messages()->rows()) {
            if (row.role != engine::Role::Assistant || row.id == answer.message()) continue;
            const auto trace = stored(row.id);
            if (!trace && found > 1) return {}; // it may be found already, and stored soon
            if (!trace) continue;
            const Values more = countsOf(*trace, true);
            ++others;
            for (size_t i = 0; i < sum.size() && found > 1; ++i) sum[i] += more[i];
        }
        // Some have been found, but not all: they will be added soon.
        if (found != 1 && found != others + 1) return {};
        const QString wrong = compare(app::ExpertGrid::Counts, sum);
        return wrong.isEmpty() ? wrong : QStringLiteral("of %1 answers: %2").arg(found).arg(wrong);
    }

    /// The same if the shown answer has no record.
    QString othersCounts() const {
        static const QRegularExpression read(QStringLiteral("in (\\d+) of "));
        Values sum(cells());
        int others = 0;
        for (const app::MessageRow& row : chat().messages()->rows()) {
            const auto trace = row.role == engine::Role::Assistant ? stored(row.id) : nullptr;
            if (!trace) continue;
            const Values more = countsOf(*trace, true);
            ++others;
            for (size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
        }
        const bool all = read.match(inspector().grid()->text()).captured(1).toInt() == others;
        return all ? compare(app::ExpertGrid::Counts, sum) : QString();
    }

    QString difference(const app::TracedAnswer& answer) const {
        using app::AnswerComparison;
        const Values now = countsOf(*answer.trace(), true, inspector().timeline()->last());
        Values with;
        if (inspector().comparison()->against() == AnswerComparison::Prompt) {
            with = countsOf(*answer.trace(), false, answer.answerBegins() - 1);
        } else if (inspector().comparison()->against() == AnswerComparison::Kept && kept_) {
            with = kept_->counts;
        } else if (inspector().comparison()->against() == AnswerComparison::Previous) {
            const app::MessageRow* before = nullptr;
            for (const app::MessageRow& row : chat().messages()->rows()) {
                if (row.id == answer.message()) break;
                if (row.role == engine::Role::Assistant) before = &row;
            }
            const auto trace = before ? stored(before->id) : nullptr;
            if (!trace) return before ? QString() : QStringLiteral("a difference from an answer that is not there");
            with = countsOf(*trace, true);
        } else {
            return QStringLiteral("a difference that was not chosen");
        }
        Values shares(cells());
        for (int layer = 0; layer < script_.layers; ++layer) {
            const auto sumOf = [&](const Values& counts) {
                double sum = 0;
                for (int64_t e = 0; e < script_.experts; ++e) sum += counts[cell(layer, e)];
                return sum;
            };
            const double before = sumOf(with), after = sumOf(now);
            for (int64_t e = 0; before > 0 && after > 0 && e < script_.experts; ++e)
                shares[cell(layer, e)] = now[cell(layer, e)] / after - with[cell(layer, e)] / before;
        }
        const QString wrong = compare(app::ExpertGrid::Difference, shares);
        return wrong.isEmpty()
                   ? wrong
                   : QStringLiteral("compared with %1: %2").arg(inspector().comparison()->against()).arg(wrong);
    }

    std::vector<int> served(const app::TracedAnswer& answer) const {
        return answer.servedBy(inspector().grid()->selectedLayer(), inspector().grid()->selectedExpert(),
                               answer.answerBegins());
    }

    /// The message of the user before this one.
    const app::MessageRow* questionOf(const app::MessageRow& answer) const {
        const app::MessageRow* row = &answer;
        while (row && row->role != engine::Role::User) row = chat().messages()->find(row->parent);
        return row;
    }
    /// The words of the question by the script; empty for another token. An earlier prompt without an answer stands
    /// before the words of some: only the record says which tokens those have.
    QString wordsOfQuestion(const app::TracedAnswer& answer, const app::MessageRow& row, int position) const {
        const app::MessageRow* asked = questionOf(row);
        if (!asked || position < answer.questionBegins()) return {};
        const QByteArray text = asked->text().toUtf8();
        const engine::QuestionTokens question =
            fakeQuestion(script_, std::string_view(text.constData(), static_cast<size_t>(text.size())));
        const auto at = static_cast<size_t>(position - answer.questionBegins());
        if (answer.trace()->question().bytes != question.bytes) {
            const std::vector<engine::TokenRecord> tokens = answer.question(asked->parts);
            return at < tokens.size() ? app::textOf(tokens[at], asked->parts) : QString();
        }
        if (at >= question.text.size()) return {};
        const engine::QuestionTokens::Range& range = question.text[at];
        return QString::fromUtf8(text.mid(range.begin, range.end - range.begin));
    }

    /// The colours under the question: those of the selected expert, and of the current word.
    QString questionColours(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        const app::MessageRow* asked = questionOf(row);
        if (!asked || inspector().live()) return {};
        std::set<int> wanted;
        const int layer = inspector().grid()->selectedLayer(), expert = inspector().grid()->selectedExpert();
        if (layer >= 0)
            for (const int position : answer.servedBy(layer, expert, answer.questionBegins()))
                if (!wordsOfQuestion(answer, row, position).isEmpty()) wanted.insert(position);
        const int current = inspector().timeline()->position();
        if (!inspector().timeline()->following() && !wordsOfQuestion(answer, row, current).isEmpty())
            wanted.insert(current);
        const app::TextDocument* document = chat().messages()->document(asked->id);
        return document->tints().size() == wanted.size() ? QString()
                                                         : QStringLiteral("%1 colours under the question, not %2")
                                                               .arg(document->tints().size())
                                                               .arg(wanted.size());
    }

    /// Those of an answer that is being written follow once a second, unless there should be none.
    QString colours(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        const app::TextDocument* document = chat().messages()->document(row.id);
        app::TokenTints tints;
        tints.shares.assign(answer.tokens().size(), std::nan(""));
        if (inspector().grid()->selectedLayer() >= 0) {
            for (const int position : served(answer))
                if (const int token = answer.tokenAt(position); token >= 0)
                    tints.shares[static_cast<size_t>(token)] = 1;
        } else if (inspector().tokens()->measure() != app::TokenMeasure::None) {
            tints.shares = measureTokens(answer, inspector().tokens()->measure()).shares;
        }
        if (!inspector().timeline()->following()) tints.current = answer.tokenAt(inspector().timeline()->position());
        std::vector<std::pair<app::PartRange, QColor>> laid, wanted;
        for (const app::TextTint& tint : document->tints()) laid.emplace_back(tint.range, tint.colour);
        const std::vector<app::PartRange> ranges = app::characterRanges(answer.tokens(), row.parts);
        const bool dark = inspector().tokens()->dark();
        for (size_t i = 0; i < ranges.size(); ++i) {
            if (ranges[i].begin == ranges[i].end) continue;
            if (static_cast<int>(i) == tints.current)
                wanted.emplace_back(ranges[i], app::currentColour(dark));
            else if (std::isfinite(tints.shares[i]))
                wanted.emplace_back(ranges[i], app::tintColour(tints.shares[i], dark));
        }
        if (inspector().live())
            return wanted.empty() && !laid.empty() ? QStringLiteral("colours that nothing asks for") : QString();
        if (document->tokens() != ranges) return QStringLiteral("the text has other tokens");
        return laid == wanted ? QString() : QStringLiteral("%1 colours, not %2").arg(laid.size()).arg(wanted.size());
    }

    QString selection(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        const int layer = inspector().grid()->selectedLayer(), expert = inspector().grid()->selectedExpert();
        if (layer < 0 || inspector().live()) return {};
        if (!inspector().grid()->cells()->has(layer, expert))
            return QStringLiteral("a selected cell that is not there");
        const std::vector<int> positions = served(answer);
        // The window has a catalogue with plurals.
        const QString text = QStringLiteral("Expert %1 of layer %2 worked on %3 of this answer's %4 token")
                                 .arg(expert)
                                 .arg(layer)
                                 .arg(positions.empty() ? QStringLiteral("none") : QString::number(positions.size()))
                                 .arg(app::tokensOf(answer, false));
        if (!inspector().tokens()->selectionText().startsWith(text))
            return QStringLiteral("it says: ") + inspector().tokens()->selectionText();
        std::map<QString, int> words;
        for (const int position : positions)
            ++words[app::quotedToken(answer.text(answer.tokenAt(position), row.parts))];
        size_t all = positions.size();
        for (const int position : answer.servedBy(layer, expert, answer.questionBegins())) {
            const QString asked = wordsOfQuestion(answer, row, position);
            if (asked.isEmpty()) continue;
            ++words[app::quotedToken(asked)];
            ++all;
        }
        int before = 0;
        for (const QVariant& top : inspector().tokens()->topTokens()) {
            const int count = top.toMap()[QStringLiteral("count")].toInt();
            if (words[top.toMap()[QStringLiteral("text")].toString()] < count)
                return QStringLiteral("a word that the expert did not work on so often");
            before += count;
        }
        return before > static_cast<int>(all) ? QStringLiteral("too many words") : QString();
    }

    QString strip(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        if (inspector().live()) return {};
        std::vector<double> shares = measureTokens(answer, inspector().tokens()->measure()).shares;
        if (inspector().grid()->selectedLayer() >= 0) {
            shares.assign(answer.tokens().size(), 0);
            for (const int position : served(answer))
                if (const int token = answer.tokenAt(position); token >= 0) shares[static_cast<size_t>(token)] = 1;
        }
        const auto& tokens = inspector().tokens()->strip().tokens;
        if (tokens.empty() != answer.tokens().empty()) return QStringLiteral("an empty strip, or one of nothing");
        for (size_t i = 0; i < tokens.size(); ++i) {
            const int token = answer.tokenAt(tokens[i].position);
            if (token < 0 || tokens[i].position != tokens.front().position + static_cast<int>(i))
                return QStringLiteral("the strip has positions that are not there");
            if (tokens[i].words != answer.text(token, row.parts)) return QStringLiteral("the strip has other words");
            const auto at = static_cast<size_t>(token);
            const bool known = at < shares.size() && std::isfinite(shares[at]);
            if (std::abs(tokens[i].share - (known ? shares[at] : 0)) > 1e-9)
                return QStringLiteral("the strip has other colours");
        }
        return {};
    }

    QString sentences(const app::TracedAnswer& answer, const app::MessageRow& row) const {
        const int position = inspector().timeline()->position();
        if (position < std::min(answer.first(), answer.questionBegins()) || position > inspector().timeline()->last())
            return QStringLiteral("a position that is not there");
        if (inspector().live() || inspector().grid()->mode() == app::ActivityGrid::Store ||
            inspector().grid()->cells()->kind() == app::ExpertGrid::Difference)
            return {};
        const QString asked = wordsOfQuestion(answer, row, position);
        const QString words = answer.fromPrompt(position) && asked.isEmpty() ? inspector().shown().nameAt(position)
                              : asked.isEmpty() ? answer.text(answer.tokenAt(position), row.parts)
                                                : asked;
        if (inspector().timeline()->text() != app::positionSentence(answer, position, words))
            return QStringLiteral("it says: ") + inspector().timeline()->text();
        const QString said = inspector().grid()->text();
        if (inspector().grid()->mode() == app::ActivityGrid::Now && said != app::routeSentence(answer, position, words))
            return QStringLiteral("it says: ") + said;
        if (inspector().grid()->mode() == app::ActivityGrid::Reply && said != app::countsSentence(answer, false))
            return QStringLiteral("it says: ") + said;
        return {};
    }

    app::App& app_;
    const app::ChatStore& store_;
    const FakeScript script_;
    std::optional<Kept> kept_;
};

} // namespace coterie::test
