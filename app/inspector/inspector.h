// SPDX-License-Identifier: Apache-2.0
// The inspector: what the experts do while an answer is written, and what they did for an old one. It follows the
// active conversation, reads the record of one answer (answer_record.h), and gives the views of ui/Inspector/ the
// grid, the timeline, sentences, figures and charts. While it is not enabled it does nothing at all.
//
// Everything that is shown belongs to the message messageId(). A record that arrives for another one is kept for
// comparisons, and never drawn.
// Lives on the GUI thread; long computations run on a thread of their own.
#pragma once

#include "chats/panes.h"
#include "common/call_queue.h"
#include "inspector/answer_comparison.h"
#include "inspector/answer_timeline.h"
#include "inspector/expert_grid.h"
#include "inspector/inspector_figures.h"
#include "inspector/record_finder.h"
#include "inspector/share_picture.h"
#include "inspector/shown_answer.h"
#include "inspector/text_link.h"
#include "inspector/token_measures.h"
#include "inspector/token_strip.h"

#include <QColor>
#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QTimer>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>

namespace coterie::app {

class ModelController;
class Settings;
struct AnswerFacts;

struct InspectorParts {
    EngineWorker* worker = nullptr;
    AnswerQueue* answers = nullptr;
    Panes* panes = nullptr;
    RecordKeeper* keeper = nullptr;
    ModelController* models = nullptr;
    Settings* settings = nullptr;
};

class Inspector : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged)
    /// Whether the window is dark, for the colours under the text.
    Q_PROPERTY(bool dark READ dark WRITE setDark NOTIFY darkChanged)
    Q_PROPERTY(Condition condition READ condition NOTIFY conditionChanged)
    Q_PROPERTY(QString conditionText READ conditionText NOTIFY conditionChanged)
    Q_PROPERTY(Mode mode READ mode WRITE setMode NOTIFY modeChanged)
    Q_PROPERTY(qint64 messageId READ messageId NOTIFY messageChanged)
    Q_PROPERTY(bool live READ live NOTIFY conditionChanged)
    /// The text of the answer that is shown; null if there is none.
    Q_PROPERTY(coterie::app::TextDocument* text READ text NOTIFY conditionChanged)
    Q_PROPERTY(bool dense READ dense NOTIFY conditionChanged)
    Q_PROPERTY(coterie::app::ExpertGrid* grid READ grid CONSTANT)
    Q_PROPERTY(coterie::app::AnswerTimeline* timeline READ timeline CONSTANT)
    Q_PROPERTY(coterie::app::AnswerComparison* comparison READ comparison CONSTANT)
    // Sentences.
    Q_PROPERTY(QString sentence READ sentence NOTIFY textsChanged)
    Q_PROPERTY(QString gridText READ gridText NOTIFY textsChanged)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY textsChanged)
    Q_PROPERTY(QVariantList figures READ figures NOTIFY textsChanged)
    // The answer and the open model may be of two models, so each has its heading and its own figures.
    Q_PROPERTY(QString answerHeading READ answerHeading NOTIFY textsChanged)
    Q_PROPERTY(QString modelHeading READ modelHeading NOTIFY modelFiguresChanged)
    Q_PROPERTY(QVariantList modelFigures READ modelFigures NOTIFY modelFiguresChanged)
    // Text and grid.
    Q_PROPERTY(coterie::app::token_measures::TokenMeasure measure READ measure WRITE setMeasure NOTIFY measureChanged)
    Q_PROPERTY(QVariantList measures READ measures NOTIFY measureChanged)
    Q_PROPERTY(QString measureText READ measureText NOTIFY measureChanged)
    Q_PROPERTY(coterie::app::TokenStrip strip READ strip NOTIFY stripChanged)
    /// Tokens in the strip. 40 at first.
    Q_PROPERTY(int stripLength READ stripLength WRITE setStripLength NOTIFY stripLengthChanged)
    Q_PROPERTY(int selectedLayer READ selectedLayer NOTIFY selectionChanged)
    Q_PROPERTY(int selectedExpert READ selectedExpert NOTIFY selectionChanged)
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY selectionChanged)
    Q_PROPERTY(QVariantList topTokens READ topTokens NOTIFY selectionChanged)
    // Charts and what they say. They are computed a moment after the answer has ended.
    Q_PROPERTY(coterie::app::ChartData coverage READ coverage NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData budgets READ budgets NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData neurons READ neurons NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData balance READ balance NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData evenness READ evenness NOTIFY chartsChanged)
    /// Whether the charts of the answer were computed: what is empty then stays empty.
    Q_PROPERTY(bool measured READ measured NOTIFY chartsChanged)
    /// Says which answers the charts are about.
    Q_PROPERTY(QString chartsText READ chartsText NOTIFY chartsChanged)
    Q_PROPERTY(QString budgetText READ budgetText NOTIFY chartsChanged)
    Q_PROPERTY(double betterBudget READ betterBudget NOTIFY chartsChanged)
    Q_PROPERTY(QString balanceText READ balanceText NOTIFY chartsChanged)
    Q_PROPERTY(QStringList pairs READ pairs NOTIFY chartsChanged)
  public:
    enum Condition {
        NoModel,    ///< no model is open, and no kept answer is in view
        Nothing,    ///< the chat has no answer yet
        Finding,    ///< the record is being read
        NotTraced,  ///< the answer has no trace
        Unreadable, ///< its trace is damaged, or a later version of the program wrote it
        Ready,
    };
    Q_ENUM(Condition)
    enum Mode { Now, Reply, Chat, Store };
    Q_ENUM(Mode)
    /// All parts outlive this object.
    explicit Inspector(const InspectorParts& parts, QObject* parent = nullptr);
    ~Inspector() override;

    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);
    bool dark() const { return dark_; }
    void setDark(bool dark);
    Condition condition() const { return condition_; }
    QString conditionText() const; ///< a sentence for every condition except Ready
    Mode mode() const { return mode_; }
    void setMode(Mode mode);
    qint64 messageId() const { return shown_.message(); } ///< the answer that is shown; 0: none
    bool live() const { return shown_.live(); }           ///< it is being written
    TextDocument* text() const { return link_.document(); }
    bool dense() const; ///< it is about a model without experts, whose layers are shown
    ExpertGrid* grid() { return &grid_; }
    AnswerTimeline* timeline() { return &timeline_; }
    AnswerComparison* comparison() { return &comparison_; }
    const ShownAnswer& shown() const { return shown_; }

    QString sentence() const;      ///< "93 % of expert reads came from memory; ..."
    QString gridText() const;      ///< one sentence on what the grid shows now
    QStringList remarks() const;   ///< tokens not read again, waiting that is shared in a prompt's chunk, traces off
    QVariantList figures() const;  ///< [{name, value, about}]: `about` answers "what is this?"
    QString answerHeading() const; ///< "This answer, by Demo model"; empty if there is no answer
    QString modelHeading() const;  ///< "Open model: Demo model"; empty if none is open
    QVariantList modelFigures() const; ///< like figures(), of the open model

    TokenMeasure measure() const { return measure_; }
    void setMeasure(TokenMeasure measure);
    QVariantList measures() const;                     ///< [{value, text}]
    QString measureText() const;                       ///< the meaning of the tint, with its scale
    const TokenStrip& strip() const { return strip_; } ///< the tokens around the position
    int stripLength() const { return stripLength_; }
    void setStripLength(int length);

    int selectedLayer() const { return selectedLayer_; } ///< -1: no expert is selected
    int selectedExpert() const { return selectedExpert_; }
    Q_INVOKABLE void select(int layer, int expert);
    Q_INVOKABLE void deselect();
    QString selectionText() const;  ///< "Expert 17 of layer 3 worked on 12 of 80 tokens"
    QVariantList topTokens() const; ///< [{text, count}] the most frequent ones of the selected expert
    /// Shows the route of the token that wrote this piece of a message's text. Does nothing if it has no record.
    Q_INVOKABLE void showToken(qint64 message, int token);

    ChartData coverage() const { return figures_.coverage; }
    ChartData budgets() const { return figures_.budgets; }
    ChartData neurons() const { return figures_.neurons; }
    ChartData balance() const { return figures_.balance; }
    ChartData evenness() const { return figures_.evenness; }
    bool measured() const { return chartsAsked_ && chartsThere_; }
    QString chartsText() const;
    QString budgetText() const { return figures_.budgetText; }
    double betterBudget() const { return figures_.betterBudget; } ///< bytes; 0: more would not help, or is not there
    Q_INVOKABLE void applyBetterBudget();
    QString balanceText() const { return figures_.balanceText; }
    QStringList pairs() const { return figures_.pairs; }

    /// Shows the record of another answer of the chat in view, instead of the latest. 0: the latest again.
    Q_INVOKABLE void showMessage(qint64 message);

    /// Writes the shown record as `coterie-cli trace` does. Each returns an error with valid == false if it succeeded.
    Q_INVOKABLE coterie::app::ErrorInfo exportCsv(const QUrl& file) const;
    Q_INVOKABLE coterie::app::ErrorInfo exportJson(const QUrl& file) const;
    /// Saves a picture of the grid as it is shown, that says whose it is.
    Q_INVOKABLE coterie::app::ErrorInfo exportPng(const QUrl& file) const;
    /// Saves such a picture of the figures and charts.
    Q_INVOKABLE coterie::app::ErrorInfo exportCharts(const QUrl& file) const;
    /// The content of these two pictures.
    SharedPage sharedGrid() const;
    SharedPage sharedCharts() const;
    /// A name for a file of the shown answer: that of its chat. ending: "png".
    Q_INVOKABLE QString suggestedName(const QString& ending) const;
    Q_INVOKABLE bool fileExists(const QUrl& file) const;
    /// Says that a saved record lacks the words of the prompt, and why; empty if it has them.
    Q_INVOKABLE QString promptRemark() const;
    QString summary() const; ///< sentences and figures as plain text
    /// Says in words how the answer has changed since the last call, and how the grid looks now.
    Q_INVOKABLE QString news();
    Q_INVOKABLE void copySummary() const;

  Q_SIGNALS:
    void enabledChanged();
    void darkChanged();
    void conditionChanged();
    void modeChanged();
    void messageChanged();
    void textsChanged();
    void modelFiguresChanged();
    void measureChanged();
    void stripChanged();
    void stripLengthChanged();
    void selectionChanged();
    void chartsChanged();

  private:
    /// The tokens of the answer that used the selected expert. It grows with the answer.
    struct Served {
        int layer = -1, expert = -1;
        int next = 0; ///< the position that was not looked at yet
        std::vector<int> positions{};
        size_t counted = 0;             ///< the first positions whose words are among these:
        std::map<QString, int> words{}; ///< how often each one was written
    };

    void connectParts();
    void refresh();
    void showRecord();
    bool begins() const;
    void show(std::shared_ptr<TracedAnswer> answer, Condition condition, bool live);
    void onRecordGrew(qint64 message);
    void onRecorded(const AnswerRecord& record);
    void startSampling();
    void sample();
    void onModelChanged();
    void drawGrid();
    void drawText();
    void drawStrip();
    TokenStrip stripNow();
    const MeasuredTokens& measuredNow() const;
    void tellGrowth();
    void tellPosition();
    void tellTexts();
    void tellSelection();
    void showRoutes();
    const Served& served() const;
    void stopCharts();
    GridContent contentNow() const;
    GridContent contentOfWaits() const;
    GridContent contentOfCounts();
    GridContent contentOfPlaces();
    GridContent contentOfDifference(const AnswerComparison::Run& with);
    std::vector<qint64> answersOfChat() const;
    std::vector<std::shared_ptr<TracedAnswer>> measuredAnswers() const;
    qint64 wantedMessage() const;
    AnswerComparison::Before answerBefore() const;
    void findAnswersOfChat();
    AnswerFacts facts() const;
    void addCounted(AnswerFacts& facts) const;
    const engine::ModelInfo* openModel() const;
    QString writer() const;
    bool ofOpenModel() const;
    FigureRequest withRoom(FigureRequest request) const;
    void computeCharts();
    std::vector<EngineWorker::ReadToken> promptTokens() const;
    ErrorInfo writeTrace(const QUrl& file, bool csv) const;
    SharedPage sharedPage() const;
    ErrorInfo nothingToSave() const;

    const InspectorParts parts_;
    bool enabled_ = false, dark_ = false;
    Condition condition_ = NoModel;
    Mode mode_ = Reply;
    TokenMeasure measure_ = TokenMeasure::None;
    qint64 chat_ = 0, chosen_ = 0;
    int selectedLayer_ = -1, selectedExpert_ = -1;
    ShownAnswer shown_;
    RecordFinder finder_;
    AnswerTimeline timeline_;
    AnswerComparison comparison_;
    ExpertGrid grid_;
    QString gridText_;
    TextLink link_;
    TokenStrip strip_;
    int stripLength_ = 40, stripFrom_ = 0; ///< the first token in the strip
    // QML reads a list once for each of its elements, so lists are kept until they change.
    mutable std::optional<QVariantList> figureRows_, topTokens_;
    mutable MeasuredTokens measured_; ///< see measuredNow()
    mutable Served served_;           ///< see served()
    InspectorFigures figures_;
    FigureRequest charted_; ///< the room for experts for which the charts were computed; the rest is empty
    QTimer sampling_;
    qint64 toldMessage_ = 0; ///< see news()
    int toldTokens_ = 0;
    QElapsedTimer sampled_;                 ///< since sample()
    QElapsedTimer told_;                    ///< since tellPosition()
    bool untold_ = false;                   ///< something has changed since
    bool grown_ = false;                    ///< the live record has more than what is shown
    bool chartsAsked_ = false;              ///< the charts of the shown answer are being computed, or are there
    bool chartsThere_ = false;              ///< the charts that were asked for last are there
    std::atomic<quint64> wantedFigures_{0}; ///< computations with another number give up
    CallQueue toGui_;
    CallThread computing_{QStringLiteral("figures")};
};

} // namespace coterie::app
