// SPDX-License-Identifier: Apache-2.0
// The tokens of the shown answer: their measure, the colours under the message's text, the strip of the tokens around
// the position, also of the prompt's, and those that the selected expert worked on, also in the question. It draws
// nothing: it gives colours to the document and values to QML. Lives on the GUI thread.
//
//     AnswerTokens tokens(shown, {.position = [&] { return timeline.position(); }});
//     tokens.setEnabled(true);
//     tokens.setMeasure(TokenMeasure::Time);
//     tokens.strip();
#pragma once

#include "inspector/shown_answer.h"
#include "inspector/text_link.h"
#include "inspector/token_measures.h"
#include "inspector/token_strip.h"

#include <QObject>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace coterie::app {

class AnswerTokens : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    /// The text of the answer; null if there is none.
    Q_PROPERTY(coterie::app::TextDocument* document READ document NOTIFY documentChanged)
    /// Whether the window is dark, for the colours under the text.
    Q_PROPERTY(bool dark READ dark WRITE setDark NOTIFY darkChanged)
    Q_PROPERTY(coterie::app::token_measures::TokenMeasure measure READ measure WRITE setMeasure NOTIFY measureChanged)
    Q_PROPERTY(QVariantList measures READ measures NOTIFY measureTextChanged)
    Q_PROPERTY(QString measureText READ measureText NOTIFY measureTextChanged)
    Q_PROPERTY(coterie::app::TokenStrip strip READ strip NOTIFY stripChanged)
    /// Tokens in the strip. 40 at first.
    Q_PROPERTY(int stripLength READ stripLength WRITE setStripLength NOTIFY stripLengthChanged)
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY selectionChanged)
    Q_PROPERTY(QVariantList topTokens READ topTokens NOTIFY selectionChanged)
  public:
    /// Gives what the record does not say.
    struct Sources {
        std::function<int()> position = [] { return -1; };      ///< position of the current token; -1: none has a frame
        std::function<bool()> following = [] { return false; }; ///< the position is that of the newest token
        std::function<bool()> dense = [] { return false; };     ///< the inspector is about a model without experts
        /// Name of a token that wrote no text; empty: not known
        std::function<QString(engine::TokenId)> nameOf = [](engine::TokenId) { return QString(); };
    };

    /// shown outlives this object.
    AnswerTokens(const ShownAnswer& shown, Sources sources, QObject* parent = nullptr);

    /// While it is off, no text has colours and the strip is empty. Off at first.
    void setEnabled(bool enabled);
    /// Another answer is shown, or it has ended: nothing is known of its tokens.
    void restart();
    /// Lays the colours under these documents from now on, that of the answer and that of its question; nullptr: none.
    void attach(TextDocument* document, TextDocument* question = nullptr);
    /// The answer has more tokens. The first `kept` ranges of the shown answer are as before.
    void grow(size_t kept);
    /// Lays the colours under the text, and fills the strip again.
    void drawText();
    void drawStrip();
    /// Has views read the measure again, and what the selected expert worked on.
    void refreshTexts();

    TextDocument* document() const { return link_.document(); }
    bool dark() const { return dark_; }
    void setDark(bool dark);
    TokenMeasure measure() const { return measure_; }
    /// The user chooses a measure, maybe the same again: emits measureChosen() first.
    void setMeasure(TokenMeasure measure);
    void dropExpertMeasure();                          ///< chooses no measure in place of one that is about experts
    QVariantList measures() const;                     ///< [{value, text}]
    QString measureText() const;                       ///< the meaning of the colours, with their scale
    const TokenStrip& strip() const { return strip_; } ///< the tokens around the position
    int stripLength() const { return stripLength_; }
    void setStripLength(int length);
    /// At most so many tokens of the answer around the position, or the tokens of its question, in the colours that
    /// they have now. The strip is empty if they are not known.
    TokenStrip answerStrip(int most) const;
    TokenStrip questionStrip(int most) const;
    /// Colours the tokens that this expert worked on, in the text and in the strip. layer -1: none, the measure has the
    /// colours.
    void setSelected(int layer, int expert);
    QString selectionText() const; ///< "Expert 17 of layer 3 worked on 12 of 80 tokens"
    /// [{text, count}] the most frequent ones of the selected expert, in the question and in the answer
    QVariantList topTokens() const;

  Q_SIGNALS:
    void documentChanged();
    void darkChanged();
    /// The last choice has the colours: whoever hears this selects no expert any more.
    void measureChosen();
    void measureChanged();
    void measureTextChanged();
    void stripChanged();
    void stripLengthChanged();
    void selectionChanged();

  private:
    /// The tokens of the prompt and of the answer that used the selected expert. It grows with the answer.
    struct Served {
        int layer = -1, expert = -1;
        int next = 0;                   ///< the position that was not looked at yet
        std::vector<int> prompt{};      ///< positions of the prompt
        std::vector<int> question{};    ///< tokens of the question
        std::vector<int> positions{};   ///< positions of the answer
        size_t counted = 0;             ///< the first positions whose words are among these:
        std::map<QString, int> words{}; ///< how often each one was written
    };

    const MeasuredTokens& measured() const;
    const Served& served() const;
    TokenStrip stripNow();
    bool inPrompt() const;
    TokenStrip answerPart(int from, int count) const;
    TokenStrip promptPart(int from, int count) const;
    StripToken stripToken(int token, double share) const;
    StripToken promptToken(int position) const;
    std::vector<double> shares() const;
    std::vector<double> questionShares() const;
    void drawQuestion();
    QString questionText() const;
    void changeMeasure(TokenMeasure measure);

    const ShownAnswer& shown_;
    const Sources sources_;
    bool enabled_ = false, dark_ = false;
    TokenMeasure measure_ = TokenMeasure::None;
    int selectedLayer_ = -1, selectedExpert_ = -1;
    TextLink link_, questionLink_;
    TokenStrip strip_;
    int stripLength_ = 40, stripFrom_ = 0; ///< the first token in the strip, in the prompt or in the answer
    bool stripOfPrompt_ = false;
    mutable MeasuredTokens measured_;               ///< see measured()
    mutable Served served_;                         ///< see served()
    mutable std::optional<QVariantList> topTokens_; ///< QML reads a list once for each of its elements
};

} // namespace coterie::app
