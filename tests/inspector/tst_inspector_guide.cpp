// SPDX-License-Identifier: Apache-2.0
// The inspector over the real engine and the guide: an answer in Spanish, a sum and a story use different experts, the
// grid shows which, and the difference map names them.
#include "inspector/inspector.h"
#include "session/session.h"
#include "settings/settings.h"
#include "shell/app.h"

#include <QTemporaryDir>
#include <QtTest>

#include <map>
#include <set>

using namespace coterie;
using namespace coterie::app;

namespace {

using Cell = std::pair<int, int>; // layer, expert

/// A prompt, and experts that its answer uses most in their layers, and far more than the other answers do.
struct Asked {
    const char* name;
    const char* prompt;
    std::set<Cell> favourites;
};

const Asked kSpanish{"Spanish", "\u00bfC\u00f3mo est\u00e1s?", {{1, 4}, {7, 15}}};
const Asked kSum{"sum", "What is 7 times 8?", {{4, 6}, {7, 2}}};
const Asked kStory{"story", "Tell me a story about a fox.", {{6, 4}, {7, 11}}};

/// The share of each expert in the uses of its layer, by the grid that is shown.
std::map<Cell, double> sharesOf(const ExpertGrid& grid) {
    std::map<Cell, double> shares;
    for (int layer = 0; layer < grid.layers(); ++layer) {
        double uses = 0;
        for (int expert = 0; expert < grid.experts(); ++expert) uses += grid.value(layer, expert);
        for (int expert = 0; expert < grid.experts(); ++expert)
            shares[{layer, expert}] = grid.value(layer, expert) / uses;
    }
    return shares;
}

/// The experts whose shares differ most between two answers.
std::set<Cell> mostDifferent(const std::map<Cell, double>& one, const std::map<Cell, double>& other, size_t count) {
    std::vector<std::pair<double, Cell>> differences;
    for (const auto& [cell, share] : one) differences.emplace_back(-std::abs(share - other.at(cell)), cell);
    std::sort(differences.begin(), differences.end());
    std::set<Cell> cells;
    for (size_t i = 0; i < count; ++i) cells.insert(differences[i].second);
    return cells;
}

} // namespace

class TestInspectorGuide : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void otherTextsLightOtherExperts();

  private:
    bool ask(const Asked& asked);
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<App> app_;
};

void TestInspectorGuide::init() {
    if (!QFile::exists(QStringLiteral(COTERIE_GUIDE))) QSKIP("this build has no demo model");
    folder_ = std::make_unique<QTemporaryDir>();
    app_ = std::make_unique<App>(AppOptions{.dataFolder = folder_->path(),
                                            .factory = engine::openSession,
                                            .model = QStringLiteral(COTERIE_GUIDE),
                                            .guide = {},
                                            .inspect = {},
                                            .packedFiles = {}});
    app_->start();
    app_->settings()->temperature = 0;
    app_->settings()->maxTokens = 60;
    app_->inspector()->setEnabled(true);
    QTRY_COMPARE(app_->models()->state(), ModelController::Ready);
}

/// Asks in a new chat, and waits for the answer's record.
bool TestInspectorGuide::ask(const Asked& asked) {
    app_->conversation()->newChat();
    if (!app_->conversation()->send(QString::fromUtf8(asked.prompt))) return false;
    return QTest::qWaitFor([this] { return app_->conversation()->busy(); }, kPatienceMs) &&
           QTest::qWaitFor(
               [this] {
                   return !app_->conversation()->busy() && app_->inspector()->condition() == Inspector::Ready &&
                          !app_->inspector()->live();
               },
               kPatienceMs);
}

void TestInspectorGuide::otherTextsLightOtherExperts() {
    Inspector& inspector = *app_->inspector();
    inspector.grid()->setMode(ActivityGrid::Reply);
    std::map<const Asked*, std::map<Cell, double>> shares;
    const Asked* before = nullptr;
    for (const Asked* asked : {&kSpanish, &kSum, &kStory, &kSpanish}) {
        QVERIFY(ask(*asked));
        shares[asked] = sharesOf(*inspector.grid()->cells());
        if (before) { // the difference map names the experts that differ most
            inspector.comparison()->setAgainst(AnswerComparison::Kept);
            QCOMPARE(inspector.grid()->cells()->kind(), ExpertGrid::Difference);
            for (const auto& [layer, expert] : mostDifferent(shares[asked], shares[before], 3))
                QVERIFY2(
                    inspector.grid()->text().contains(QStringLiteral("expert %1 of layer %2").arg(expert).arg(layer)),
                    qPrintable(inspector.grid()->text()));
            for (const Asked* one : {asked, before})
                for (const auto& [layer, expert] : one->favourites)
                    QVERIFY((inspector.grid()->cells()->value(layer, expert) > 0) == (one == asked));
            inspector.comparison()->setAgainst(AnswerComparison::None);
        }
        inspector.comparison()->keep();
        before = asked;
    }
    for (const Asked* asked : {&kSpanish, &kSum, &kStory}) {
        for (const Cell& cell : asked->favourites) {
            const double share = shares[asked][cell];
            const QByteArray where = QByteArray(asked->name) + " expert " + QByteArray::number(cell.second) +
                                     " layer " + QByteArray::number(cell.first);
            for (int expert = 0; expert < 16; ++expert)
                QVERIFY2(shares[asked][Cell(cell.first, expert)] <= share, where);
            for (const auto& [other, its] : shares)
                if (other != asked) QVERIFY2(its.at(cell) < share / 2, where);
        }
    }
    QVERIFY(mostDifferent(shares[&kSpanish], shares[&kSum], 3) != mostDifferent(shares[&kSum], shares[&kStory], 3));
}

QTEST_MAIN(TestInspectorGuide)
#include "tst_inspector_guide.moc"
