// SPDX-License-Identifier: Apache-2.0
// A foreign name in a sentence: the words around it stay in their order on the screen, whatever marks of direction it
// holds.
#include "common/isolated_name.h"

#include <QTextLayout>
#include <QtTest>

#include <QRandomGenerator>

using coterie::app::isolatedName;

namespace {

/// The places of the characters [begin, end) of a text in one line, from left to right.
std::vector<qreal> placesOf(const QString& text, qsizetype begin, qsizetype end) {
    QTextLayout layout(text);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(1e6);
    layout.endLayout();
    std::vector<qreal> places;
    for (qsizetype at = begin; at < end; ++at) places.push_back(line.cursorToX(static_cast<int>(at)));
    return places;
}

/// Whether the words before and after the name are shown before and after it, each from left to right.
bool keepsItsWords(const QString& before, const QString& name, const QString& after) {
    const QString text = before + name + after;
    const std::vector<qreal> first = placesOf(text, 0, before.size());
    const std::vector<qreal> last = placesOf(text, before.size() + name.size() + 1, text.size());
    const std::vector<qreal> middle = placesOf(text, before.size(), before.size() + name.size());
    return std::is_sorted(first.begin(), first.end()) && std::is_sorted(last.begin(), last.end()) &&
           std::all_of(middle.begin(), middle.end(),
                       [&](qreal at) { return first.back() <= at && at <= last.front(); });
}

const QString kBefore = QStringLiteral("Forget "), kAfter = QStringLiteral(" 4 GiB, 12 files?");

} // namespace

class TestIsolatedName : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void otherNamesStayAsTheyAre() {
        for (const QString& name :
             {QString(), QStringLiteral("Qwen3-30B (Q4_K_M)"), QStringLiteral("na\u00efve \u6a21\u578b"),
              QStringLiteral("a\nb"), QStringLiteral("\U0001f980 4.5")})
            QCOMPARE(isolatedName(name), name);
    }

    void wordsAroundANameStay_data() {
        QTest::addColumn<QString>("name");
        const auto row = [](const char* title, const QString& name) { QTest::newRow(title) << name; };
        row("override to the left", QStringLiteral("note\u202Efdp.exe"));
        row("override to the left, ended", QStringLiteral("note\u202Efdp\u202C.exe"));
        row("embedding", QStringLiteral("\u202Bmodel"));
        row("isolate without its end", QStringLiteral("model\u2067 7B"));
        row("ends of isolates, then an override", QStringLiteral("model\u2069\u2069\u202E 7B"));
        row("isolate, ended twice", QStringLiteral("\u2067model\u2069\u2069\u202E 7B"));
        row("mark", QStringLiteral("model \u200F"));
        row("paragraph, then an override", QStringLiteral("model\u2029\u202E7B"));
        row("line end, then an override", QStringLiteral("model\n\u202E7B"));
        row("Hebrew", QStringLiteral("\u05d0\u05d1\u05d2 7"));
        row("Adlam, beyond 16 bits", QStringLiteral("\U0001e900\U0001e901"));
        row("only an override", QStringLiteral("\u202E"));
    }
    void wordsAroundANameStay() {
        QFETCH(QString, name);
        QVERIFY(keepsItsWords(kBefore, isolatedName(name), kAfter));
        QVERIFY(isolatedName(name) != name);
    }

    /// Without the isolate the same check fails: it can see what it looks for.
    void aNameCanTurnWords() {
        QVERIFY(!keepsItsWords(kBefore, QStringLiteral("note\u202Efdp.exe"), kAfter));
        QVERIFY(!keepsItsWords(kBefore, QStringLiteral("\u05d0\u05d1\u05d2 7"), kAfter));
        QVERIFY(keepsItsWords(kBefore, QStringLiteral("model"), kAfter));
    }

    void anyMixture() {
        const QString parts =
            QStringLiteral("ab7 .\u05d0\u0627\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068"
                           "\u2069\u2069\u2029\n");
        QRandomGenerator random(31);
        for (int i = 0; i < 2000; ++i) {
            QString name;
            for (int left = random.bounded(1, 9); left > 0; --left) name += parts[random.bounded(parts.size())];
            const QString shown = isolatedName(name);
            if (shown == name) continue;
            QVERIFY2(keepsItsWords(kBefore, shown, kAfter), qPrintable(name.toLatin1().toPercentEncoding()));
        }
    }
};

QTEST_MAIN(TestIsolatedName)
#include "tst_isolated_name.moc"
