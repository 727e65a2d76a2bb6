// SPDX-License-Identifier: Apache-2.0
// The inspector: what the experts do while an answer is written, and what they did for an old one. It follows the
// active conversation, decides which answer is shown and reads its record (answer_record.h). Five objects show it:
// the timeline, the grid, the tokens, the charts and the comparison; each has its own header and can be made without
// the others. Inspector connects them and updates them when the answer has more. While it is not enabled it does
// nothing at all.
//
// Everything that is shown belongs to the message messageId(). A record that arrives for another one is kept for
// comparisons, and never drawn. Lives on the GUI thread.
#pragma once

#include "chats/panes.h"
#include "inspector/activity_grid.h"
#include "inspector/answer_charts.h"
#include "inspector/answer_comparison.h"
#include "inspector/answer_timeline.h"
#include "inspector/answer_tokens.h"
#include "inspector/inspector_files.h"
#include "inspector/record_finder.h"
#include "inspector/shown_answer.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class ModelController;
class Settings;

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
    Q_PROPERTY(QString answerHeading READ answerHeading NOTIFY answerHeadingChanged)
    Q_PROPERTY(coterie::app::AnswerTimeline* timeline READ timeline CONSTANT)
    Q_PROPERTY(coterie::app::ActivityGrid* grid READ grid CONSTANT)
    Q_PROPERTY(coterie::app::AnswerTokens* tokens READ tokens CONSTANT)
    Q_PROPERTY(coterie::app::AnswerCharts* charts READ charts CONSTANT)
    Q_PROPERTY(coterie::app::AnswerComparison* comparison READ comparison CONSTANT)
    Q_PROPERTY(coterie::app::InspectorFiles* files READ files CONSTANT)
  public:
    enum Condition {
        NoModel,    ///< no model is open, and no kept answer is in view
        Nothing,    ///< the chat has no answer yet
        Finding,    ///< the record is being read
        NotTraced,  ///< the answer has no trace, or one without its layers
        Unreadable, ///< its trace is damaged, or a later version of the program wrote it
        Ready,
    };
    Q_ENUM(Condition)

    /// All parts outlive this object.
    explicit Inspector(const InspectorParts& parts, QObject* parent = nullptr);

    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);
    Condition condition() const { return condition_; }
    QString conditionText() const;                        ///< a sentence for every condition except Ready
    qint64 messageId() const { return shown_.message(); } ///< the answer that is shown; 0: none
    bool live() const { return shown_.live(); }           ///< it is being written
    bool dense() const;            ///< it is about a model without experts, whose layers are shown
    QString answerHeading() const; ///< "This answer, by Demo model"; empty if there is no answer

    AnswerTimeline* timeline() { return &timeline_; }
    ActivityGrid* grid() { return &grid_; }
    AnswerTokens* tokens() { return &tokens_; }
    AnswerCharts* charts() { return &charts_; }
    AnswerComparison* comparison() { return &comparison_; }
    InspectorFiles* files() { return &files_; }

    const ShownAnswer& shown() const { return shown_; }
    /// The message that is shown; nullptr if there is none. Valid until the chat changes.
    const MessageRow* row() const;
    /// The message of the user that it answers, in the same way.
    const MessageRow* question() const { return questionOf(messageId()); }
    /// The name of the model that wrote the answer, or writes it; empty if it is not known.
    QString writer() const;
    /// Whether the open model wrote the answer, as far as its name and its shape say.
    bool ofOpenModel() const;

    /// Shows the record of another answer of the chat in view, instead of the latest. 0: the latest again.
    Q_INVOKABLE void showMessage(qint64 message);
    /// Shows the message, and the route of this token once its record was read. A message without a record is shown,
    /// too: conditionText() says why it has none. For a message of the user, the answer to it is shown: the shown one,
    /// or else the first one.
    Q_INVOKABLE void showToken(qint64 message, int token);
    /// The same for the token that wrote this character of the message, whose tokens are not known yet.
    Q_INVOKABLE void showCharacter(qint64 message, int block, int offset);
    /// Says in words how the answer has changed since the last call, and how the grid looks now.
    Q_INVOKABLE QString news();

  Q_SIGNALS:
    void enabledChanged();
    void conditionChanged();
    void messageChanged();
    void answerHeadingChanged();

  private:
    /// A token, or the one that wrote a character: it is shown once the record of its message was read.
    struct Sought {
        qint64 message = 0;
        int token = -1;
        TextPosition character{};
    };

    ShownAnswer::Sources answerSources();
    ActivityGrid::Sources gridSources();
    AnswerTokens::Sources tokenSources();
    AnswerCharts::Sources chartSources();
    void connectParts();
    void connectObjects();
    void refresh();
    void showRecord();
    void readRecord();
    void seek(const Sought& sought);
    void showSought();
    bool begins() const;
    void showRead(std::shared_ptr<TracedAnswer> record, bool live);
    void show(std::shared_ptr<TracedAnswer> record, Condition condition, bool live);
    void attachTexts();
    void onRecordGrew(qint64 message);
    void onRecorded(const AnswerRecord& record);
    void onModelChanged();
    void onModeChanged();
    void startSampling();
    void sample();
    void takeGrowth();
    void drawGrid();
    void showRoutes();
    void leaveCountsOfLayers();
    void refreshPosition();
    void refreshTexts();
    void setDetailed();
    std::shared_ptr<TracedAnswer> traced(const AnswerRecord& record) const;
    std::vector<qint64> answersOfChat() const;
    void findAnswersOfChat();
    const MessageRow* countedRow() const;
    std::vector<std::shared_ptr<TracedAnswer>> foundAnswers() const;
    ActivityGrid::ChatAnswers chatAnswers() const;
    AnswerComparison::Before answerBefore() const;
    qint64 wantedMessage() const;
    qint64 lastAnswer() const;
    void followNewAnswer();
    const MessageRow* questionOf(qint64 answer) const;
    qint64 answerTo(qint64 message) const;
    QString notTracedText() const;
    QString nameOf(engine::TokenId id) const;
    AnswerFacts counted() const;
    FigureRequest room() const;
    std::optional<ActivityGrid::OpenModel> placesOfModel() const;
    std::optional<AnswerCharts::OpenModel> factsOfModel() const;
    const engine::ModelInfo* openModel() const;

    const InspectorParts parts_;
    bool enabled_ = false;
    Condition condition_ = NoModel;
    bool unreported_ = false; ///< NotTraced, because the device did not report what the layers did
    qint64 chat_ = 0, chosen_ = 0;
    qint64 followed_ = 0; ///< the last answer that was shown because it began, or that was there at a choice
    std::optional<Sought> sought_;
    ShownAnswer shown_;
    RecordFinder finder_;
    AnswerTimeline timeline_;
    AnswerComparison comparison_;
    ActivityGrid grid_;
    AnswerTokens tokens_;
    AnswerCharts charts_;
    InspectorFiles files_;
    qint64 newsMessage_ = 0; ///< the answer of the last news()
    int newsTokens_ = 0;     ///< its tokens then
    QTimer sampling_;
    QElapsedTimer sampled_;   ///< since sample()
    QElapsedTimer refreshed_; ///< since refreshPosition()
    bool stale_ = false;      ///< something has changed since
    bool grown_ = false;      ///< the live record has more than what is shown
};

} // namespace coterie::app
