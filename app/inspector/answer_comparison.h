// SPDX-License-Identifier: Apache-2.0
// The run with which the shown answer is compared: its prompt, the answer before it, or one that was kept. It knows
// which of them are possible now and counts what their experts did; ActivityGrid draws the difference. Lives on the GUI
// thread.
//
//     AnswerComparison comparison(shown, [] { return AnswerComparison::Before{}; });
//     comparison.setAgainst(AnswerComparison::Prompt);
//     comparison.run(); // the use of experts by the prompt
#pragma once

#include "inspector/shown_answer.h"
#include "records/expert_statistics.h"

#include <QObject>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <memory>
#include <optional>

namespace coterie::app {

class AnswerComparison : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Inspector has one")
    Q_PROPERTY(Against against READ against WRITE setAgainst NOTIFY againstChanged)
    Q_PROPERTY(QVariantList options READ options NOTIFY optionsChanged)
    /// Whether the answer is the one that was kept for comparison.
    Q_PROPERTY(bool kept READ kept NOTIFY keptChanged)
  public:
    /// With anything but None, the grid shows the difference.
    enum Against {
        None,
        Prompt,   ///< its own prompt
        Previous, ///< the answer before it in this chat
        Kept,     ///< the answer that keep() chose
    };
    Q_ENUM(Against)

    /// The answer before the shown one.
    struct Before {
        bool exists = false, missing = false;   ///< missing: it has no record that can be read
        bool above = false;                     ///< it is in a part of the chat that is not loaded
        std::shared_ptr<TracedAnswer> record{}; ///< nullptr until it is found
    };
    struct Run {
        engine::ExpertUsage usage{};
        QString name{};  ///< in a sentence: "its prompt", "the answer before it", ...
        QString title{}; ///< alone: "Its prompt", ...
    };

    /// shown outlives this object.
    AnswerComparison(const ShownAnswer& shown, std::function<Before()> before, QObject* parent = nullptr);

    Against against() const { return against_; }
    void setAgainst(Against against);
    /// Keeps the shown answer, unless it is being written.
    Q_INVOKABLE void keep();
    bool kept() const { return kept_ && kept_->message() == shown_.message(); }
    QVariantList options() const { return options_; } ///< [{value, text}] that are possible now
    /// The run that was chosen. Nothing if there is none, or none of a model with the same experts.
    std::optional<Run> run() const;
    /// Says why there is no such run, although one was chosen; empty while its record is being read.
    QString obstacle() const;
    /// Finds out what is possible now.
    void refresh();

  Q_SIGNALS:
    void againstChanged();
    void optionsChanged();
    void keptChanged();

  private:
    bool isPossible(Against against) const;
    Run promptRun() const;
    QString title(Against against) const;

    const ShownAnswer& shown_;
    const std::function<Before()> before_;
    Against against_ = None;
    std::shared_ptr<TracedAnswer> kept_;
    QString keptBegins_;   ///< the first words of the answer that was kept
    QVariantList options_; ///< as optionsChanged() last reported them
};

} // namespace coterie::app
