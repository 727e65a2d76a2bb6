// SPDX-License-Identifier: Apache-2.0
// The licences that the window shows: ours first, then those of others by name, each with its whole text.
#include "shell/licence_list.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using coterie::app::LicenceList;

class LicenceListTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void eachHasItsText();
    void whatIsCompiledInIsNamed_data();
    void whatIsCompiledInIsNamed();
};

void LicenceListTest::eachHasItsText() {
    LicenceList list;
    const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(list.rowCount() > 1);
    QStringList titles;
    for (int row = 0; row < list.rowCount(); ++row) {
        const QModelIndex at = list.index(row);
        titles.append(at.data(LicenceList::TitleRole).toString());
        const QString licence = at.data(LicenceList::LicenceRole).toString();
        const QString text = at.data(LicenceList::TextRole).toString();
        QVERIFY2(!titles.last().isEmpty() && !licence.isEmpty() && licence.size() < 30, qPrintable(titles.last()));
        QVERIFY2(text.size() > 100 && text.endsWith(u'\n'), qPrintable(titles.last()));
        QVERIFY2(!text.startsWith(titles.last()) || row == 0 || licence != text.section(u'\n', 1, 1),
                 qPrintable(titles.last())); // the two lines at its head are not shown
    }
    QCOMPARE(titles.first(), QStringLiteral("Coterie"));
    QVERIFY(list.index(0).data(LicenceList::TextRole).toString().contains(u"Apache License"));
    QStringList sorted = titles.mid(1);
    sorted.sort(Qt::CaseInsensitive);
    QCOMPARE(titles.mid(1), sorted);
}

void LicenceListTest::whatIsCompiledInIsNamed_data() {
    QTest::addColumn<QString>("words");
    QTest::newRow("Qt") << "GNU LESSER GENERAL PUBLIC LICENSE";
    QTest::newRow("PDFium, in Qt PDF") << "PDFium Authors";
    QTest::newRow("SQLite") << "May you do good and not evil";
    QTest::newRow("SQLiteCpp") << "Sebastien Rombauts";
    QTest::newRow("JSON for Modern C++") << "Niels Lohmann";
    QTest::newRow("CLI11") << "University of Cincinnati";
    QTest::newRow("liburing") << "Jens Axboe";
    QTest::newRow("md4c") << "Martin Mitas";
    QTest::newRow("Codebooks of ggml and llama.cpp") << "The ggml authors";
    QTest::newRow("Unicode Character Database") << "Unicode, Inc.";
    QTest::newRow("zlib") << "Mark Adler";
    QTest::newRow("Inter") << "Open Font License";
    QTest::newRow("DejaVu") << "Tavmjong Bah";
    QTest::newRow("TeX Gyre Pagella Math") << "GUST Font License";
}

void LicenceListTest::whatIsCompiledInIsNamed() {
    QFETCH(QString, words);
    const LicenceList list;
    for (int row = 0; row < list.rowCount(); ++row) {
        if (list.index(row).data(LicenceList::TitleRole).toString() != QString::fromLatin1(QTest::currentDataTag()))
            continue;
        QVERIFY(list.index(row).data(LicenceList::TextRole).toString().contains(words));
        return;
    }
    QFAIL("it is not in the list");
}

QTEST_GUILESS_MAIN(LicenceListTest)
#include "tst_licence_list.moc"
