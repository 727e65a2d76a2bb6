// SPDX-License-Identifier: Apache-2.0
// The inspector: what the experts do while an answer is written, and what they did for an old one. It follows the
// conversation in view, reads the record of one answer (answer_record.h), and gives the views of ui/Inspector/ the
// grid, the timeline, sentences, figures and charts. While it is not enabled it does nothing at all.
//
// Everything that is shown belongs to the message messageId(): a record that arrives for another one is dropped.
// Lives on the GUI thread; long computations run on a thread of their own.
#pragma once

#include "answer_record.h"
#include "conversation.h"
#include "engine_worker.h"
#include "generation.h"
#include "inspector/chart_data.h"
#include "inspector/expert_grid.h"
#include "record_keeper.h"

#include <QObject>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Settings;
class ModelController;

struct InspectorParts {
    EngineWorker* worker = nullptr;
    Generation* generation = nullptr;
    Conversation* conversation = nullptr;
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
    Q_PROPERTY(Mode mode READ mode WRITE setMode NOTIFY modeChanged)
    Q_PROPERTY(Against against READ against WRITE setAgainst NOTIFY modeChanged)
    Q_PROPERTY(qint64 messageId READ messageId NOTIFY messageChanged)
    Q_PROPERTY(bool live READ live NOTIFY conditionChanged)
    Q_PROPERTY(coterie::app::ExpertGrid* grid READ grid CONSTANT)
    // Sentences.
    Q_PROPERTY(QString sentence READ sentence NOTIFY textsChanged)
    Q_PROPERTY(QString gridText READ gridText NOTIFY textsChanged)
    Q_PROPERTY(QStringList remarks READ remarks NOTIFY textsChanged)
    Q_PROPERTY(QVariantList figures READ figures NOTIFY textsChanged)
    // The timeline. Positions are those of the trace.
    Q_PROPERTY(int first READ first NOTIFY timelineChanged)
    Q_PROPERTY(int last READ last NOTIFY timelineChanged)
    Q_PROPERTY(int answerBegins READ answerBegins NOTIFY timelineChanged)
    Q_PROPERTY(int position READ position WRITE setPosition NOTIFY positionChanged)
    Q_PROPERTY(QString positionText READ positionText NOTIFY positionChanged)
    Q_PROPERTY(bool following READ following NOTIFY positionChanged)
    Q_PROPERTY(bool playing READ playing WRITE setPlaying NOTIFY playingChanged)
    Q_PROPERTY(int speed READ speed WRITE setSpeed NOTIFY playingChanged)
    // Text and grid.
    Q_PROPERTY(Measure measure READ measure WRITE setMeasure NOTIFY measureChanged)
    Q_PROPERTY(QVariantList measures READ measures NOTIFY timelineChanged)
    Q_PROPERTY(QString measureText READ measureText NOTIFY measureChanged)
    Q_PROPERTY(QVariantList strip READ strip NOTIFY stripChanged)
    Q_PROPERTY(int selectedLayer READ selectedLayer NOTIFY selectionChanged)
    Q_PROPERTY(int selectedExpert READ selectedExpert NOTIFY selectionChanged)
    Q_PROPERTY(QString selectionText READ selectionText NOTIFY selectionChanged)
    Q_PROPERTY(QVariantList topTokens READ topTokens NOTIFY selectionChanged)
    // Charts and what they say. They are computed a moment after the answer has ended.
    Q_PROPERTY(coterie::app::ChartData coverage READ coverage NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData budgets READ budgets NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData neurons READ neurons NOTIFY chartsChanged)
    Q_PROPERTY(coterie::app::ChartData balance READ balance NOTIFY chartsChanged)
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
    /// What a reply is compared with. With anything but None, the grid shows the difference.
    enum Against {
        None,
        Prompt,   ///< its own prompt
        Previous, ///< the answer before it in this chat
        Kept,     ///< the reply that keepForComparison() chose
    };
    Q_ENUM(Against)
    enum Measure { NoMeasure, Probability, Entropy, Time, Waiting, Misses, Neurons };
    Q_ENUM(Measure)

    /// All parts outlive this object.
    explicit Inspector(const InspectorParts& parts, QObject* parent = nullptr);
    ~Inspector() override;

    bool enabled() const;
    void setEnabled(bool enabled);
    Condition condition() const;
    QString conditionText() const; ///< a sentence for every condition except Ready
    Mode mode() const;
    void setMode(Mode mode);
    Against against() const;
    void setAgainst(Against against);
    qint64 messageId() const; ///< the answer that is shown; 0: none
    bool live() const;        ///< it is being written
    ExpertGrid* grid();

    QString sentence() const;     ///< "93 % of expert reads came from memory; ..."
    QString gridText() const;     ///< one sentence on what the grid shows now
    QStringList remarks() const;  ///< tokens not read again, waiting that is shared in a prompt's chunk, traces off
    QVariantList figures() const; ///< [{name, value, about}]: `about` answers "what is this?"

    int first() const;
    int last() const;
    int answerBegins() const; ///< position of the first token of the answer
    int position() const;
    void setPosition(int position); ///< stops following
    QString positionText() const;   ///< "Token 12 of 80, \"sea\", 1.42 s"
    bool following() const;         ///< the position moves with the newest token
    Q_INVOKABLE void follow();
    bool playing() const;
    void setPlaying(bool playing);
    int speed() const; ///< 1, 2, 4 or 8
    void setSpeed(int speed);

    Measure measure() const;
    void setMeasure(Measure measure);
    QVariantList measures() const; ///< [{value, text}] that this answer has
    QString measureText() const;   ///< what the tint means, with its scale
    QVariantList strip() const;    ///< [{position, text, share, value}] tokens around the position; share 0..1

    int selectedLayer() const; ///< -1: no expert is selected
    int selectedExpert() const;
    Q_INVOKABLE void select(int layer, int expert);
    Q_INVOKABLE void deselect();
    QString selectionText() const;  ///< "Expert 17 of layer 3 worked on 12 of 80 tokens"
    QVariantList topTokens() const; ///< [{text, count}] the most frequent ones of the selected expert
    /// Shows the route of the token that wrote this piece of a message's text. Does nothing if it has no record.
    Q_INVOKABLE void showToken(qint64 message, int token);

    ChartData coverage() const;
    ChartData budgets() const;
    ChartData neurons() const;
    ChartData balance() const;
    QString budgetText() const;
    double betterBudget() const; ///< bytes; 0: more memory would not help, or is not there
    Q_INVOKABLE void applyBetterBudget();
    QString balanceText() const;
    QStringList pairs() const;

    /// Shows the record of another answer of the chat in view, instead of the latest.
    Q_INVOKABLE void showMessage(qint64 message);
    Q_INVOKABLE void keepForComparison();

    /// Writes the shown data. Each returns an error with valid == false if it succeeded.
    Q_INVOKABLE coterie::app::ErrorInfo exportCsv(const QUrl& file) const;
    Q_INVOKABLE coterie::app::ErrorInfo exportJson(const QUrl& file) const;
    Q_INVOKABLE void copySummary() const;

  Q_SIGNALS:
    void enabledChanged();
    void conditionChanged();
    void modeChanged();
    void messageChanged();
    void textsChanged();
    void timelineChanged();
    void positionChanged();
    void playingChanged();
    void measureChanged();
    void stripChanged();
    void selectionChanged();
    void chartsChanged();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace coterie::app
