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
#include "inspector/activity_grid.h"
#include "inspector/answer_comparison.h"
#include "inspector/answer_timeline.h"
#include "inspector/answer_tokens.h"
#include "inspector/inspector_figures.h"
#include "inspector/record_finder.h"
#include "inspector/share_picture.h"
#include "inspector/shown_answer.h"

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
    Q_PROPERTY(Condition condition READ condition NOTIFY conditionChanged)
    Q_PROPERTY(QString conditionText READ conditionText NOTIFY conditionChanged)
    Q_PROPERTY(qint64 messageId READ messageId NOTIFY messageChanged)
    Q_PROPERTY(bool live READ live NOTIFY conditionChanged)
    Q_PROPERTY(bool dense READ dense NOTIFY conditionChanged)
    Q_PROPERTY(coterie::app::AnswerTimeline* timeline READ timeline CONSTANT)
    Q_PROPERTY(coterie::app::ActivityGrid* grid READ grid CONSTANT)
    Q_PROPERTY(coterie::app::AnswerTokens* tokens READ tokens CONSTANT)
    Q_PROPERTY(coterie::app::AnswerComparison* comparison READ comparison CONSTANT)
    // Sentences.
    Q_PROPERTY(QString sentence READ sentence NOTIFY textsChanged)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY textsChanged)
    Q_PROPERTY(QVariantList figures READ figures NOTIFY textsChanged)
    // The answer and the open model may be of two models, so each has its heading and its own figures.
    Q_PROPERTY(QString answerHeading READ answerHeading NOTIFY textsChanged)
    Q_PROPERTY(QString modelHeading READ modelHeading NOTIFY modelFiguresChanged)
    Q_PROPERTY(QVariantList modelFigures READ modelFigures NOTIFY modelFiguresChanged)
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

    /// All parts outlive this object.
    explicit Inspector(const InspectorParts& parts, QObject* parent = nullptr);
    ~Inspector() override;

    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);
    Condition condition() const { return condition_; }
    QString conditionText() const;                        ///< a sentence for every condition except Ready
    qint64 messageId() const { return shown_.message(); } ///< the answer that is shown; 0: none
    bool live() const { return shown_.live(); }           ///< it is being written
    bool dense() const; ///< it is about a model without experts, whose layers are shown
    AnswerTimeline* timeline() { return &timeline_; }
    ActivityGrid* grid() { return &grid_; }
    AnswerTokens* tokens() { return &tokens_; }
    AnswerComparison* comparison() { return &comparison_; }
    const ShownAnswer& shown() const { return shown_; }

    QString sentence() const;      ///< "93 % of expert reads came from memory; ..."
    QStringList remarks() const;   ///< tokens not read again, waiting that is shared in a prompt's chunk, traces off
    QVariantList figures() const;  ///< [{name, value, about}]: `about` answers "what is this?"
    QString answerHeading() const; ///< "This answer, by Demo model"; empty if there is no answer
    QString modelHeading() const;  ///< "Open model: Demo model"; empty if none is open
    QVariantList modelFigures() const; ///< like figures(), of the open model

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
    void conditionChanged();
    void messageChanged();
    void textsChanged();
    void modelFiguresChanged();
    void chartsChanged();

  private:
    ActivityGrid::Sources gridSources();
    AnswerTokens::Sources tokenSources();
    void connectParts();
    void connectObjects();
    void refresh();
    void showRecord();
    bool begins() const;
    void show(std::shared_ptr<TracedAnswer> answer, Condition condition, bool live);
    void onRecordGrew(qint64 message);
    void onRecorded(const AnswerRecord& record);
    void startSampling();
    void sample();
    void onModelChanged();
    void onModeChanged();
    void drawGrid();
    void tellGrowth();
    void tellPosition();
    void tellTexts();
    void showRoutes();
    void setDetailed();
    void stopCharts();
    std::vector<qint64> answersOfChat() const;
    std::vector<std::shared_ptr<TracedAnswer>> foundAnswers() const;
    std::vector<std::shared_ptr<TracedAnswer>> measuredAnswers() const;
    std::optional<ActivityGrid::OpenModel> placesOfModel() const;
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
    bool enabled_ = false;
    Condition condition_ = NoModel;
    qint64 chat_ = 0, chosen_ = 0;
    ShownAnswer shown_;
    RecordFinder finder_;
    AnswerTimeline timeline_;
    AnswerComparison comparison_;
    ActivityGrid grid_;
    AnswerTokens tokens_;
    // QML reads a list once for each of its elements, so it is kept until it changes.
    mutable std::optional<QVariantList> figureRows_;
    InspectorFigures figures_;
    FigureRequest charted_; ///< the room for experts for which the charts were computed; the rest is empty
    QTimer sampling_;
    qint64 toldMessage_ = 0; ///< see news()
    int toldTokens_ = 0;
    QElapsedTimer sampled_;                 ///< since sample()
    QElapsedTimer told_;                    ///< since tellPosition()
    bool untold_ = false;                   ///< something has changed since
    bool grown_ = false;                    ///< the live record has more than what is shown
    bool chartsOfChat_ = false;             ///< the charts are about all answers of the chat
    bool chartsAsked_ = false;              ///< the charts of the shown answer are being computed, or are there
    bool chartsThere_ = false;              ///< the charts that were asked for last are there
    std::atomic<quint64> wantedFigures_{0}; ///< computations with another number give up
    CallQueue toGui_;
    CallThread computing_{QStringLiteral("figures")};
};

} // namespace coterie::app
