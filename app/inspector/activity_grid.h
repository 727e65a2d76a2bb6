// SPDX-License-Identifier: Apache-2.0
// Chooses what the grid of experts shows: the route of a token, the counts of an answer or of a chat, a difference of
// two runs, or the places of the open model's experts. It fills an ExpertGrid, which all views read, says in a sentence
// what it shows, and has the expert that is selected. Lives on the GUI thread.
//
//     ActivityGrid grid(shown, {.token = [&] { return ActivityGrid::Token{.position = timeline.position()}; }});
//     grid.setMode(ActivityGrid::Now);
//     grid.draw();
//     grid.cells()->value(3, 17);
#pragma once

#include "inspector/answer_comparison.h"
#include "inspector/expert_grid.h"
#include "inspector/shown_answer.h"

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class ActivityGrid : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    Q_PROPERTY(Mode mode READ mode WRITE setMode NOTIFY modeChanged)
    Q_PROPERTY(coterie::app::ExpertGrid* cells READ cells CONSTANT)
    Q_PROPERTY(QString text READ text NOTIFY textChanged)
    // Both runs of a comparison, beside the grid of their difference. Without one they are empty.
    Q_PROPERTY(coterie::app::ExpertGrid* answerCells READ answerCells CONSTANT)
    Q_PROPERTY(coterie::app::ExpertGrid* comparedCells READ comparedCells CONSTANT)
    Q_PROPERTY(QString comparedTitle READ comparedTitle NOTIFY textChanged)
    Q_PROPERTY(QString comparedText READ comparedText NOTIFY textChanged)
    Q_PROPERTY(int selectedLayer READ selectedLayer NOTIFY selectionChanged)
    Q_PROPERTY(int selectedExpert READ selectedExpert NOTIFY selectionChanged)
  public:
    enum Mode {
        Now,   ///< the route of the token at the position
        Reply, ///< the counts of the answer
        Chat,  ///< the counts of the chat's answers
        Store, ///< the places of the open model's experts
    };
    Q_ENUM(Mode)

    /// The token whose route is shown.
    struct Token {
        int position = -1;
        bool newest = false; ///< the position follows the newest token
    };
    /// The answers of the chat in view.
    struct ChatAnswers {
        std::vector<std::shared_ptr<TracedAnswer>> records{}; ///< those that were found and can be added up
        int all = 0;                                          ///< answers that are loaded
        bool moreBefore = false;                              ///< the chat has earlier ones
        bool finding = false;                                 ///< records of others are being read
        QString model{}; ///< who wrote them, if they are not the shown answer's model
    };
    /// The open model.
    struct OpenModel {
        std::vector<int64_t> expertsOfLayer{};
        std::vector<uint8_t> places{}; ///< as engine::Session::expertStates() writes them
        bool dense = false;
        QString name{};
        bool strange = false; ///< another model has written the shown answer
    };
    /// Gives what the record of the answer does not say. Each is asked in draw() alone, and only if the mode needs it.
    struct Sources {
        std::function<Token()> token{};
        std::function<std::optional<AnswerComparison::Run>()> compared{};
        std::function<QString()> notCompared = [] { return QString(); }; ///< why a chosen comparison shows nothing
        std::function<ChatAnswers()> chat{};
        std::function<bool()> unrecorded = [] { return false; }; ///< the answer has no record, and none is being read
        std::function<std::optional<OpenModel>()> model{};
        std::function<bool()> opening = [] { return false; }; ///< a model is being opened
        /// The layers of the answer's model, or of the open one; empty if that model is not open.
        std::function<std::vector<engine::LayerInfo>(bool ofOpenModel)> layers{};
    };

    /// shown outlives this object.
    ActivityGrid(const ShownAnswer& shown, Sources sources, QObject* parent = nullptr);

    Mode mode() const { return mode_; }
    /// Draws nothing: whoever hears modeChanged() calls draw().
    void setMode(Mode mode);
    ExpertGrid* cells() { return &cells_; }
    /// The counts of the answer and of the run with which it is compared. They have one scale: the same colour is the
    /// same share of the run's tokens.
    ExpertGrid* answerCells() { return &answerCells_; }
    ExpertGrid* comparedCells() { return &comparedCells_; }
    QString comparedTitle() const { return comparedTitle_; } ///< "Its prompt", of the last comparison
    QString comparedText() const { return comparedText_; }   ///< one sentence on their scale
    QString text() const { return text_; }                   ///< one sentence on what the grid shows now
    int selectedLayer() const { return selectedLayer_; }     ///< -1: no expert is selected
    int selectedExpert() const { return selectedExpert_; }
    /// Does nothing if the grid has no such expert.
    Q_INVOKABLE void select(int layer, int expert);
    Q_INVOKABLE void deselect();

    /// Fills the grid. Its sentence and its legend change too, but views read them only after refreshText().
    void draw();
    void refreshText() {
        cells_.refreshLegend();
        Q_EMIT textChanged();
    }

  Q_SIGNALS:
    void modeChanged();
    void textChanged();
    void selectionChanged();

  private:
    GridContent route(int position) const;
    GridContent waits(int position) const;
    GridContent counts();
    GridContent chatCounts();
    GridContent withoutRecord();
    GridContent places();
    GridContent difference(const AnswerComparison::Run& with);
    void showRuns(const std::optional<AnswerComparison::Run>& with);

    const ShownAnswer& shown_;
    const Sources sources_;
    Mode mode_ = Reply;
    ExpertGrid cells_, answerCells_, comparedCells_;
    QString text_, comparedTitle_, comparedText_;
    int selectedLayer_ = -1, selectedExpert_ = -1;
};

} // namespace coterie::app
