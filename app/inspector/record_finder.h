// SPDX-License-Identifier: Apache-2.0
// Finds the records of several answers, one after the other, because the keeper answers only its latest find(). A
// record that was found stays here until clear(). Lives on the GUI thread.
#pragma once

#include "engine_link/record_keeper.h"
#include "inspector/traced_answer.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <memory>

namespace coterie::app {

class RecordFinder : public QObject {
    Q_OBJECT
  public:
    enum class State { Unknown, Finding, Found, Missing, Unreadable };

    /// `keeper` outlives this object; nullptr: nothing is ever found.
    explicit RecordFinder(RecordKeeper* keeper, QObject* parent = nullptr);

    /// Finds the message's record before those that wait, unless it is known already. changed() follows.
    void want(qint64 message);
    State state(qint64 message) const;
    /// Returns nullptr unless the state is Found.
    std::shared_ptr<TracedAnswer> found(qint64 message) const;
    /// The same up to the end of the message's text: its record has more if the step that wrote that was undone.
    std::shared_ptr<TracedAnswer> found(const MessageRow& message) const;
    ErrorInfo error(qint64 message) const; ///< why it is Unreadable
    /// Enters a record that came another way: it has just been written.
    void put(const std::shared_ptr<TracedAnswer>& answer);
    /// Forgets this one, because it may have changed.
    void forget(qint64 message) { known_.remove(message); }
    /// Forgets everything.
    void clear();
    /// Experts of the open model's layers, for records that are found from now on; empty: not known.
    void setExpertsOfLayer(std::vector<int64_t> experts) { expertsOfLayer_ = std::move(experts); }

  Q_SIGNALS:
    void changed(qint64 message);

  private:
    struct Known {
        State state = State::Finding;
        std::shared_ptr<TracedAnswer> answer{};
        ErrorInfo error{};
        mutable std::shared_ptr<TracedAnswer> beginning{}; ///< part of the answer that its message had last
    };

    void next();
    void know(qint64 message, Known known);

    RecordKeeper* keeper_;
    std::vector<int64_t> expertsOfLayer_;
    QHash<qint64, Known> known_;
    std::deque<qint64> waiting_;
    qint64 finding_ = 0; ///< 0: nothing is being read
};

} // namespace coterie::app
