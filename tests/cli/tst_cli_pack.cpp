// SPDX-License-Identifier: Apache-2.0
// coterie-cli pack: where the packed file lies, what is printed, and that trouble is an error line and an exit code.
#include "cli/cli_run.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie::test;

class TestCliPack : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString dense_, sparse_;

    QString path(const QString& name) const { return folder_.path() + QStringLiteral("/m\u00f6 del ") + name; }
    QStringList pack(const QString& data, const QStringList& more = {}) const {
        return QStringList{"pack", sparse_, "--data-dir", path(data)} + more;
    }
    QStringList packed(const QString& data) const {
        return QDir(path(data) + "/packed").entryList(QDir::Files | QDir::Hidden);
    }

  private Q_SLOTS:
    void initTestCase() {
        dense_ = path("dense.gguf");
        sparse_ = path("sparse.gguf");
        QVERIFY(saveTinyModel({}, dense_.toStdString()));
        QVERIFY(saveTinyModel({.architecture = "smallthinker"}, sparse_.toStdString()));
    }

    void packsChecksAndRemoves() {
        const Run packing = cli(pack("data", {"--json"}));
        QVERIFY2(packing.code == 0, packing.err);
        QCOMPARE(packing.err, QByteArray()); // nobody looks: no progress
        const QString made = object(packing.out)["path"].toString();
        QCOMPARE(packed("data"), QStringList{QFileInfo(made).fileName()});
        QCOMPARE(qint64(object(packing.out)["bytes"].toDouble()), QFileInfo(made).size());
        QCOMPARE(object(packing.out)["needed"], object(packing.out)["bytes"]);

        const Run again = cli(pack("data"));
        QCOMPARE(again.code, 0);
        QVERIFY2(QString::fromUtf8(again.out).startsWith(made + "\n"), again.out);
        QCOMPARE(cli(pack("data", {"--check"})).code, 0);

        QFile file(made);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() / 2));
        const QByteArray there = file.read(64);
        QVERIFY(file.seek(file.size() / 2) && file.write(QByteArray(64, there[0] == 'x' ? 'y' : 'x')) == 64);
        file.close();
        const Run differs = cli(pack("data", {"--check", "--json"}));
        QCOMPARE(differs.code, 2);
        QVERIFY2(isErrorLine(differs.err) && differs.err.contains("of layer"), differs.err);
        QCOMPARE(differs.out, QByteArray());

        const Run removing = cli(pack("data", {"--remove", "--json"}));
        QCOMPARE(removing.code, 0);
        QCOMPARE(object(removing.out)["freed"], object(packing.out)["bytes"]);
        QCOMPARE(packed("data"), QStringList());
        const Run nothing = cli(pack("data", {"--remove"}));
        QCOMPARE(nothing.code, 0);
        QVERIFY2(nothing.out.contains("nothing"), nothing.out);
        const Run missing = cli(pack("data", {"--check"}));
        QCOMPARE(missing.code, 2);
        QVERIFY2(isErrorLine(missing.err), missing.err);
    }

    void listsAllAndRemovesWhatIsUnused() {
        const QString moved = path("moved.gguf"), data = path("many");
        QVERIFY(QFile::copy(sparse_, moved));
        const QString first = object(cli(pack("many", {"--json"})).out)["path"].toString();
        const QJsonObject second = object(cli({"pack", moved, "--data-dir", data, "--json"}).out);
        QCOMPARE(packed("many").size(), 2);
        const auto listed = [&data](const QStringList& more = {}) {
            const Run run = cli(QStringList{"pack", "--list", "--json", "--data-dir", data} + more);
            if (run.code != 0) qWarning("%s", run.err.constData());
            return object(run.out)["files"].toArray();
        };
        for (const QJsonValue& file : listed()) QCOMPARE(file["state"].toString(), QString("current"));

        const QString away = path("away.gguf");
        QVERIFY(QFile::rename(moved, away));
        for (const QJsonValue& file : listed()) {
            const bool own = file["path"].toString() == first;
            QVERIFY(own || file["path"] == second["path"]);
            QCOMPARE(file["state"].toString(), QString(own ? "current" : "gone"));
            QCOMPARE(file["unused"].toBool(), !own);
            QCOMPARE(file["model"].toString(), own ? sparse_ : moved);
            QCOMPARE(file["bytes"], second["bytes"]);
        }
        const Run text = cli({"pack", "--list", "--data-dir", data});
        QCOMPARE(text.code, 0);
        for (const QString& part : {"current  " + sparse_, "gone     " + moved, QString("--remove-unused")})
            QVERIFY2(text.out.contains(part.toUtf8()), text.out);

        const QStringList remove{"pack", "--remove-unused", "--data-dir", data, "--json"};
        const Run slip = cli(remove + QStringList{path("no such.gguf")});
        QCOMPARE(slip.code, 2);
        QVERIFY2(isErrorLine(slip.err), slip.err);
        QCOMPARE(packed("many").size(), 2);
        const Run removed = cli(remove);
        QCOMPARE(removed.code, 0);
        QCOMPARE(object(removed.out)["freed"], second["bytes"]);
        QCOMPARE(packed("many"), QStringList{QFileInfo(first).fileName()});
        QCOMPARE(object(cli(remove).out)["freed"].toInt(-1), 0);
        QVERIFY(cli({"pack", "--list", "--data-dir", path("none")}).out.contains("no model is packed"));
    }

    void withoutAFolderItGoesIntoTheCache() {
#ifndef Q_OS_LINUX
        QSKIP("the environment tells the folder on Linux");
#endif
        const QStringList environment{"XDG_CACHE_HOME=" + path("cache"), "XDG_DATA_HOME=" + path("user")};
        const Run packing = cli({"pack", sparse_, "--json"}, {}, environment);
        QVERIFY2(packing.code == 0, packing.err);
        QVERIFY2(object(packing.out)["path"].toString().startsWith(path("cache") + "/Coterie/packed/"), packing.out);
        QVERIFY(!QFileInfo::exists(path("user")));
        QCOMPARE(cli({"pack", sparse_, "--remove"}, {}, environment).code, 0);
        const Run nowhere = cli({"pack", sparse_}, {}, {"XDG_CACHE_HOME=", "HOME="});
        QCOMPARE(nowhere.code, 2);
        QVERIFY2(isErrorLine(nowhere.err), nowhere.err);
    }

    void badCallsEndWithTwo_data() {
        QTest::addColumn<QStringList>("call");
        QTest::newRow("nothing") << QStringList{"pack"};
        QTest::newRow("no such file") << QStringList{"pack", path("gone.gguf"), "--data-dir", path("bad")};
        QTest::newRow("dense") << QStringList{"pack", dense_, "--data-dir", path("bad")};
        QTest::newRow("a folder") << QStringList{"pack", folder_.path(), "--data-dir", path("bad")};
        QTest::newRow("both") << pack("bad", {"--remove", "--check"});
        QTest::newRow("both lists") << QStringList{"pack", "--list", "--remove-unused", "--data-dir", path("bad")};
        QTest::newRow("removes nothing") << QStringList{"pack", "--remove", "--data-dir", path("bad")};
    }
    void badCallsEndWithTwo() {
        QFETCH(QStringList, call);
        const Run run = cli(call);
        QVERIFY2(isErrorLine(run.err), run.err);
        QCOMPARE(run.code, 2);
        QCOMPARE(run.out, QByteArray());
        QVERIFY(!QFileInfo::exists(path("bad")));
    }

    /// A file stands where the folder should be.
    void aFolderThatCanNotBeIsAFailure() {
        QFile file(path("occupied"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
        file.close();
        const Run run = cli(pack("occupied"));
        QCOMPARE(run.code, 1);
        QVERIFY2(isErrorLine(run.err), run.err);
    }

    void helpTells() {
        const Run help = cli({"pack", "--help"});
        QCOMPARE(help.code, 0);
        for (const char* option : {"--remove", "--check", "--list", "--remove-unused", "--json", "--data-dir"})
            QVERIFY2(help.out.contains(option), option);
        QVERIFY(cli({"--help"}).out.contains("pack"));
    }
};

QTEST_GUILESS_MAIN(TestCliPack)
#include "tst_cli_pack.moc"
