// SPDX-License-Identifier: Apache-2.0
// See jan_branches.h. A version of Jan has lost the parents of some answers. It mends them when it opens a thread, and
// so does this: such an answer follows the question before it, and the next question that followed that question
// follows the answer.
#include "exchange/jan_branches.h"

#include "exchange/foreign_tree.h"

#include <QHash>

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kNone = -1;

/// The lines of a thread in which at least one has a parent.
class Versions {
  public:
    explicit Versions(const std::vector<QJsonObject>& lines);

    JanBranches found(const QString& activeRoot);

  private:
    void takeParents();
    void mendAnswers();
    void takeLineBefore();
    void cutCircles();
    qsizetype shownRoot(const QString& activeRoot) const;
    qsizetype leafBelow(qsizetype root) const;

    qsizetype parentOf(qsizetype line) const { return parents_[static_cast<size_t>(line)]; }
    qsizetype& parentOf(qsizetype line) { return parents_[static_cast<size_t>(line)]; }
    const QJsonObject& at(qsizetype line) const { return lines_[static_cast<size_t>(line)]; }
    engine::Role roleOf(qsizetype line) const { return foreignRole(textAt(at(line), "role")); }

    const std::vector<QJsonObject>& lines_;
    QHash<QString, qsizetype> indexes_; ///< the line with each id: of two with the same one the last
    std::vector<qint64> times_;
    std::vector<qsizetype> order_; ///< the lines from the oldest to the newest
    std::vector<qsizetype> parents_;
};

Versions::Versions(const std::vector<QJsonObject>& lines)
    : lines_(lines), times_(lines.size()), order_(lines.size()), parents_(lines.size(), kNone) {
    qint64 before = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
        const QString id = textAt(lines[i], "id");
        if (!id.isEmpty()) indexes_.insert(id, static_cast<qsizetype>(i));
        const qint64 created = foreignTime(lines[i].value(QLatin1String("created_at")));
        times_[i] = before = created > 0 ? created : before;
    }
    std::iota(order_.begin(), order_.end(), qsizetype{0});
    std::stable_sort(order_.begin(), order_.end(), [this](qsizetype a, qsizetype b) {
        return times_[static_cast<size_t>(a)] < times_[static_cast<size_t>(b)];
    });
}

void Versions::takeParents() {
    for (const qsizetype line : order_)
        parentOf(line) = indexes_.value(janMetadata(at(line), "parentId").toString(), kNone);
}

void Versions::mendAnswers() {
    QHash<qsizetype, std::deque<size_t>> below; // places in order_ of the questions that follow each line
    for (size_t place = 0; place < order_.size(); ++place)
        if (roleOf(order_[place]) == engine::Role::User) below[parentOf(order_[place])].push_back(place);
    qsizetype question = kNone; // the newest one
    for (size_t place = 0; place < order_.size(); ++place) {
        const qsizetype line = order_[place];
        const engine::Role role = roleOf(line);
        if (role == engine::Role::User) question = line;
        if (role != engine::Role::Assistant || parentOf(line) != kNone || question == kNone) continue;
        parentOf(line) = question;
        std::deque<size_t>& next = below[question];
        while (!next.empty() && next.front() < place) next.pop_front();
        if (next.empty()) continue;
        parentOf(order_[next.front()]) = line;
        next.pop_front();
    }
}

/// A message whose parent is not there, or that names none, follows the one that was written before it.
void Versions::takeLineBefore() {
    for (size_t place = 1; place < order_.size(); ++place) {
        const qsizetype line = order_[place];
        if (parentOf(line) == kNone && !janMetadata(at(line), "parentId").isNull()) parentOf(line) = order_[place - 1];
    }
}

/// The first message that a walk towards the beginning meets twice becomes a first one.
void Versions::cutCircles() {
    std::vector<qsizetype> walk(lines_.size(), kNone); // the first line of the walk that came to each one
    for (const qsizetype begin : order_) {
        qsizetype line = begin;
        while (line != kNone && walk[static_cast<size_t>(line)] == kNone) {
            walk[static_cast<size_t>(line)] = begin;
            line = parentOf(line);
        }
        if (line != kNone && walk[static_cast<size_t>(line)] == begin) parentOf(line) = kNone;
    }
}

qsizetype Versions::shownRoot(const QString& activeRoot) const {
    const qsizetype active = indexes_.value(activeRoot, kNone);
    if (active != kNone && parentOf(active) == kNone) return active;
    qsizetype named = kNone, any = kNone;
    for (const qsizetype line : order_) {
        if (parentOf(line) != kNone) continue;
        any = line;
        if (janMetadata(at(line), "parentId").isNull()) named = line;
    }
    return named != kNone ? named : any;
}

qsizetype Versions::leafBelow(qsizetype root) const {
    std::vector<qsizetype> shown(lines_.size(), kNone); // the line that is shown below each
    for (const qsizetype line : order_)
        if (parentOf(line) != kNone) shown[static_cast<size_t>(parentOf(line))] = line;
    for (const qsizetype line : order_) {
        const qsizetype active = indexes_.value(janMetadata(at(line), "activeChildId").toString(), kNone);
        if (active != kNone && parentOf(active) == line) shown[static_cast<size_t>(line)] = active;
    }
    while (root != kNone && shown[static_cast<size_t>(root)] != kNone) root = shown[static_cast<size_t>(root)];
    return root;
}

JanBranches Versions::found(const QString& activeRoot) {
    takeParents();
    mendAnswers();
    takeLineBefore();
    cutCircles();
    const qsizetype leaf = leafBelow(shownRoot(activeRoot));
    return {.parents = std::move(parents_), .times = std::move(times_), .leaf = leaf};
}

JanBranches listOf(const std::vector<QJsonObject>& lines) {
    JanBranches list;
    qint64 latest = 0;
    for (const QJsonObject& line : lines) {
        latest = std::max(latest, foreignTime(line.value(QLatin1String("created_at")))); // the lines are in order
        list.times.push_back(latest);
        list.parents.push_back(list.leaf++);
    }
    return list;
}

} // namespace

QJsonValue janMetadata(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String("metadata")).toObject().value(QLatin1String(key));
}

JanBranches janBranches(const QJsonObject& thread, const std::vector<QJsonObject>& lines) {
    const bool versions = std::any_of(lines.begin(), lines.end(), [](const QJsonObject& line) {
        return !janMetadata(line, "parentId").isUndefined();
    });
    return versions ? Versions(lines).found(janMetadata(thread, "activeRootId").toString()) : listOf(lines);
}

} // namespace coterie::app
