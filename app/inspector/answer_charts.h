// SPDX-License-Identifier: Apache-2.0
// The cost of the shown answer and the use of its experts: a sentence, figures, remarks and charts; and the figures of
// the open model beside them. Charts take long, so a thread of their own computes them when the answer has ended. Lives
// on the GUI thread.
//
//     AnswerCharts charts(shown, {});
//     charts.setEnabled(true);
//     charts.compute(); // chartsChanged() follows
#pragma once

#include "common/call_queue.h"
#include "inspector/chart_data.h"
#include "inspector/inspector_figures.h"
#include "inspector/inspector_texts.h"
#include "inspector/shown_answer.h"

#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class AnswerCharts : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    Q_PROPERTY(QString sentence READ sentence NOTIFY figuresChanged)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY figuresChanged)
    Q_PROPERTY(QVariantList figures READ figures NOTIFY figuresChanged)
    // The answer and the open model may be of two models, so each has figures of its own.
    Q_PROPERTY(QString modelHeading READ modelHeading NOTIFY modelFiguresChanged)
    Q_PROPERTY(QVariantList modelFigures READ modelFigures NOTIFY modelFiguresChanged)
    Q_PROPERTY(coterie::app::ChartData coverage READ coverage NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData budgets READ budgets NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData neurons READ neurons NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData balance READ balance NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData evenness READ evenness NOTIFY chartsChanged)
    /// Whether the charts of the answer were computed: what is empty then stays empty.
    Q_PROPERTY(bool measured READ measured NOTIFY chartsChanged)
    /// Says which answers the charts are about.
    Q_PROPERTY(QString text READ text NOTIFY chartsChanged)
    Q_PROPERTY(QString budgetResult READ budgetResult NOTIFY chartsChanged)
    Q_PROPERTY(double betterBudget READ betterBudget NOTIFY chartsChanged)
    Q_PROPERTY(QString balanceResult READ balanceResult NOTIFY chartsChanged)
    Q_PROPERTY(QString neuronsResult READ neuronsResult NOTIFY chartsChanged)
    Q_PROPERTY(QStringList pairs READ pairs NOTIFY chartsChanged)
  public:
    struct OpenModel {
        QString name{};
        ModelFacts facts{};
    };
    /// Gives what the record of the answer does not say.
    struct Sources {
        /// Answers of the chat that can be added up, for ofChat().
        std::function<std::vector<std::shared_ptr<TracedAnswer>>()> answers = [] {
            return std::vector<std::shared_ptr<TracedAnswer>>();
        };
        /// The figures that the engine counted itself: they replace those of the record.
        std::function<AnswerFacts()> counted = [] { return AnswerFacts(); };
        /// The room for experts that the open model has, if it wrote the answer; the rest is empty.
        std::function<FigureRequest()> room = [] { return FigureRequest(); };
        std::function<std::optional<OpenModel>()> model = [] { return std::nullopt; };
    };

    /// shown outlives this object.
    AnswerCharts(const ShownAnswer& shown, Sources sources, QObject* parent = nullptr);
    ~AnswerCharts() override;

    /// While it is off, nothing is computed. Off at first.
    void setEnabled(bool enabled);
    /// Another answer is shown: forgets its charts.
    void restart();
    /// The charts are about all answers of the chat, or about the shown one alone.
    bool ofChat() const { return ofChat_; }
    void setOfChat(bool ofChat);
    /// Computes the charts of an answer that has ended.
    void compute();
    /// The same, unless they are there or being computed, of the same answers.
    void computeMissing();
    /// The same, if the open model has other room for experts than the charts say.
    void computeForRoom();
    /// Has views read the figures again.
    void refreshFigures();
    void refreshModelFigures() { Q_EMIT modelFiguresChanged(); }

    QString sentence() const;     ///< "93 % of expert reads came from memory; ..."
    QStringList remarks() const;  ///< tokens not read again, waiting that is shared in a prompt's chunk, traces off
    QVariantList figures() const; ///< [{name, value, about}]: `about` answers "what is this?"
    QString modelHeading() const; ///< "Open model: Demo model"; empty if none is open
    QVariantList modelFigures() const; ///< like figures(), of the open model

    ChartData coverage() const { return charts_.coverage; }
    ChartData budgets() const { return charts_.budgets; }
    ChartData neurons() const { return charts_.neurons; }
    ChartData balance() const { return charts_.balance; }
    ChartData evenness() const { return charts_.evenness; }
    bool measured() const { return asked_ && there_; }
    QString text() const;
    QString budgetText() const { return charts_.budgetText; }
    // The results in few words, for the narrowest pane: "No", "Unevenness 0.41 (0 to 1)", "About 14 % at work".
    QString budgetResult() const { return charts_.budgetResult; }
    QString balanceResult() const { return charts_.balanceResult; }
    QString neuronsResult() const { return charts_.neuronsResult; }
    double betterBudget() const { return charts_.betterBudget; } ///< bytes; 0: more would not help, or is not there
    Q_INVOKABLE void applyBetterBudget();
    QString balanceText() const { return charts_.balanceText; }
    QStringList pairs() const { return charts_.pairs; }

  Q_SIGNALS:
    void figuresChanged();
    void modelFiguresChanged();
    void chartsChanged();
    /// The user wants the open model to have this budget, in bytes.
    void budgetWanted(double bytes);

  private:
    std::vector<std::shared_ptr<TracedAnswer>> answers() const;
    std::vector<std::shared_ptr<const engine::TraceLog>> traces() const;
    AnswerFacts facts() const;
    void stop();

    const ShownAnswer& shown_;
    const Sources sources_;
    bool enabled_ = false, ofChat_ = false;
    mutable std::optional<QVariantList> rows_; ///< figures(); QML reads a list once for each of its elements
    InspectorFigures charts_;
    FigureRequest charted_;          ///< the records and the room for experts for which the charts were computed
    bool asked_ = false;             ///< the charts of the shown answer are being computed, or are there
    bool there_ = false;             ///< the charts that were asked for last are there
    std::atomic<quint64> wanted_{0}; ///< computations with another number give up
    CallQueue toGui_;
    CallThread computing_{QStringLiteral("figures")};
};

} // namespace coterie::app
