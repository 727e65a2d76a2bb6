// SPDX-License-Identifier: Apache-2.0
// CPU time of the GUI thread for four new tokens of an answer, from the pieces to the frames that show them: the real
// list and message of the window, drawn by software, follow the answer at its end. Prints one JSON object a line; for
// each kind of text and length the mean, the median and the largest value over all updates.
//
//     bench_text [--updates N] [--sizes 1000,10000,100000] [--kinds prose,code,line,table,list,formulas,mixed]
#include "chats/message_model.h"
#include "gui_clock.h"
#include "window_bench.h"

#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickItem>
#include <QQuickWindow>

#include <algorithm>
#include <functional>
#include <numeric>

namespace {

using coterie::app::MessageModel;
using coterie::app::MessageRow;
using coterie::app::MessageState;
using coterie::app::PartKind;
using coterie::app::PartPiece;

constexpr int kTokens = 4;      // in an update; 30 updates a second are 120 tokens
constexpr int kTokenLength = 4; // characters; a token of English text has a little more

const char* const kList = R"(
import QtQuick
import Coterie.Chat
FollowingList {
    id: list
    delegate: MessageItem { width: list.width; onHeightChanged: list.followSoon() }
}
)";

/// Returns the next piece of an answer of this kind; `word` gives words.
QString pieceOf(const QString& kind, int i, const std::function<QString()>& word) {
    if (kind == QStringLiteral("prose")) {
        const bool ends = i % 12 == 0;
        return word() + (i % 90 == 0 ? QStringLiteral(".\n\n") : ends ? QStringLiteral(". ") : QStringLiteral(" "));
    }
    if (kind == QStringLiteral("line"))
        return QStringLiteral("%1_%2 = %3(%4); ").arg(word(), QString::number(i), word(), word());
    if (kind == QStringLiteral("code"))
        return QStringLiteral("    const int %1_%2 = %3(%4);\n").arg(word(), QString::number(i), word(), word());
    if (kind == QStringLiteral("list"))
        return QStringLiteral("- **%1** %2 `%3` %4\n").arg(word(), word(), word(), word());
    if (kind == QStringLiteral("table"))
        return QStringLiteral("| %1 | %2 %3 | %4 |\n").arg(word(), word(), word(), QString::number(i));
    // Formulas within text, and one on a line of its own.
    return QStringLiteral(
               "The %1 of $x_{%2}^2$ is **%3** $\\frac{a}{b+%2}$, so that\n\n$$\\sum_{i=1}^{%2} \\sqrt{i}$$\n\n")
        .arg(word(), QString::number(i), word());
}

/// Returns text of this kind from its first character on; longer texts begin like shorter ones.
QString textOf(const QString& kind, qsizetype length) {
    static const QStringList words{QStringLiteral("the"),       QStringLiteral("lighthouse"), QStringLiteral("counted"),
                                   QStringLiteral("ships"),     QStringLiteral("and"),        QStringLiteral("every"),
                                   QStringLiteral("morning"),   QStringLiteral("fog"),        QStringLiteral("had"),
                                   QStringLiteral("forgotten"), QStringLiteral("its"),        QStringLiteral("number")};
    const bool mixed = kind == QStringLiteral("mixed");
    const QStringList kinds{QStringLiteral("prose"), QStringLiteral("code"), QStringLiteral("formulas"),
                            QStringLiteral("table"), QStringLiteral("list")};
    const auto head = [](const QString& of) {
        if (of == QStringLiteral("code") || of == QStringLiteral("line")) return QStringLiteral("```cpp\n");
        if (of == QStringLiteral("table")) return QStringLiteral("| ship | morning | number |\n| --- | --- | --- |\n");
        return QString();
    };
    quint32 state = 1;
    const auto word = [&] {
        return words[static_cast<int>((state = state * 1664525U + 1013904223U) >> 16) % words.size()];
    };
    constexpr int kRun = 12; // pieces of a kind before the next kind begins
    QString text = mixed ? QString() : head(kind);
    for (int i = 1; text.size() < length; ++i) {
        const QString& now = mixed ? kinds[i / kRun % kinds.size()] : kind;
        if (mixed && i % kRun == 0) {
            const bool fenced = i > kRun && kinds[(i / kRun - 1) % kinds.size()] == QStringLiteral("code");
            text += (fenced ? QStringLiteral("```\n\n## ") : QStringLiteral("\n\n## ")) + word() + u'\n' + head(now);
        }
        text += pieceOf(now, i, word);
    }
    return text;
}

class Window {
  public:
    Window() {
        engine_.addImportPath(QStringLiteral("qrc:/qt/qml"));
        QQmlComponent component(&engine_);
        component.setData(kList, {});
        list_.reset(qobject_cast<QQuickItem*>(
            component.createWithInitialProperties({{QStringLiteral("model"), QVariant::fromValue(&model_)}})));
        if (!list_) qFatal("%s", qPrintable(component.errorString()));
        list_->setParentItem(window_.contentItem());
        list_->setSize({900, 700});
        window_.resize(900, 700);
        window_.show();
    }

    /// Shows an answer that streams, with this text so far.
    void show(const QString& text) {
        MessageRow question, answer;
        question.role = coterie::engine::Role::User;
        question.parts = coterie::app::textParts(QStringLiteral("Tell me about ships."));
        answer.role = coterie::engine::Role::Assistant;
        answer.state = MessageState::Streaming;
        answer.parts = coterie::app::textParts(text);
        model_.reset({question, answer});
        coterie::bench::settle(window_);
    }

    /// Adds the pieces and returns the CPU time until all frames that they cause are drawn.
    double add(const std::vector<PartPiece>& pieces) {
        const double before = coterie::bench::threadMs();
        model_.appendPieces(pieces);
        coterie::bench::settle(window_);
        return coterie::bench::threadMs() - before;
    }

  private:
    MessageModel model_;
    QQmlEngine engine_;
    QQuickWindow window_;
    std::unique_ptr<QQuickItem> list_;
};

void measure(Window& window, const QString& kind, qsizetype size, int updates) {
    constexpr qsizetype perUpdate = qsizetype{kTokens} * kTokenLength;
    const QString text = textOf(kind, size + perUpdate * (updates + 1));
    window.show(text.left(size));
    std::vector<double> times;
    for (int update = 0; update <= updates; ++update) {
        std::vector<PartPiece> pieces;
        for (int token = 0; token < kTokens; ++token) {
            const qsizetype at = size + update * perUpdate + token * qsizetype{kTokenLength};
            pieces.push_back({0, {.kind = PartKind::Text, .text = text.mid(at, kTokenLength)}});
        }
        const double ms = window.add(pieces);
        if (update > 0) times.push_back(ms); // the first one warms up
    }
    std::sort(times.begin(), times.end());
    coterie::bench::print({{QStringLiteral("kind"), kind},
                           {QStringLiteral("characters"), static_cast<int>(size)},
                           {QStringLiteral("mean_ms"),
                            std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size())},
                           {QStringLiteral("median_ms"), times[times.size() / 2]},
                           {QStringLiteral("max_ms"), times.back()}});
}

} // namespace

int main(int argc, char** argv) {
    const coterie::bench::WindowBench bench(
        argc, argv,
        {{"updates", "60"}, {"sizes", "1000,10000,100000"}, {"kinds", "prose,code,line,table,list,formulas,mixed"}});
    Window window;
    for (const QString& kind : bench.list("kinds"))
        for (const QString& size : bench.list("sizes"))
            measure(window, kind, size.toLongLong(), bench.number("updates", 1));
    return 0;
}
