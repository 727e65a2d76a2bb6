// SPDX-License-Identifier: Apache-2.0
// The devices that the settings offer, over the real engine: drivers are asked once, a model is computed where the
// settings say, and by the CPU where that can't be.
#include "fakes/losing_backend.h"
#include "shell/app.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <memory>

using namespace coterie;
using namespace coterie::app;

class TestDeviceList : public QObject {
    Q_OBJECT

    QTemporaryDir files_;
    std::unique_ptr<QTemporaryDir> folder_; ///< new for each test, since a run leaves its last model there
    test::DeviceScript card_{.name = "card:0"}, old_{.name = "card:1", .problem = "Its driver is too old"};
    std::atomic<int> lists_{0};

    std::unique_ptr<App> start() {
        engine::DeviceFactory devices = test::losingDevices({&card_, &old_});
        devices.list = [this, list = devices.list] {
            ++lists_;
            return list();
        };
        auto app = std::make_unique<App>(AppOptions{.dataFolder = folder_->filePath(QStringLiteral("data")),
                                                    .factory = engine::openSession,
                                                    .model = {},
                                                    .devices = devices});
        app->start();
        return app;
    }
    void open(App& app) {
        app.models()->open(files_.filePath(QStringLiteral("tiny.gguf")));
        QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    }

  private Q_SLOTS:
    void initTestCase() {
        const test::TinyModel tiny = test::makeTinyModel({});
        QFile file(files_.filePath(QStringLiteral("tiny.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(tiny.bytes.data()), static_cast<qint64>(tiny.bytes.size()));
    }
    void init() {
        lists_ = 0;
        card_.simulated = false;
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void theyAreListedOnce() {
        const auto app = start();
        DeviceList& list = *app->devices();
        QVERIFY(list.offered() && !list.looking());
        QCOMPARE(list.devices().size(), 1);
        QCOMPARE(lists_.load(), 0);
        list.look();
        list.look();
        QVERIFY(list.looking());
        QTRY_VERIFY(!list.looking());
        QCOMPARE(lists_.load(), 1);
        const QVariantList devices = list.devices();
        QCOMPARE(devices.size(), 3);
        const auto of = [&devices](int index, const char* key) {
            return devices[index].toMap().value(QLatin1String(key));
        };
        QCOMPARE(of(0, "name").toString(), QStringLiteral("cpu"));
        QVERIFY(of(0, "usable").toBool() && of(1, "usable").toBool() && !of(2, "usable").toBool());
        QCOMPARE(of(1, "name").toString(), QStringLiteral("card:0"));
        QCOMPARE(of(1, "title").toString(), QStringLiteral("A device of a test"));
        QCOMPARE(of(2, "note").toString(), QStringLiteral("Its driver is too old"));
        app->settings()->device = QStringLiteral("card:0");
        open(*app);
        QCOMPARE(lists_.load(), 1);
    }

    /// Most Linux systems have such a driver, and it passes every self-test.
    void aDriverThatImitatesADeviceSaysSo() {
        card_.simulated = true;
        const auto app = start();
        app->devices()->look();
        QTRY_VERIFY(!app->devices()->looking());
        const QVariantMap card = app->devices()->devices()[1].toMap();
        QVERIFY(card.value(QStringLiteral("usable")).toBool());
        const QString note = card.value(QStringLiteral("note")).toString();
        QVERIFY2(note.contains(QStringLiteral("slower than it")), qPrintable(note));
    }

    void aModelIsComputedWhereTheSettingsSay() {
        const auto app = start();
        app->settings()->device = QString();
        open(*app);
        QCOMPARE(app->models()->openInfo()->device, std::string("cpu"));
        QCOMPARE(lists_.load(), 0); // no driver is opened for the CPU
        const qsizetype notes = app->models()->notes().size();
        app->settings()->device = QStringLiteral("card:0");
        QVERIFY(app->models()->outdated());
        open(*app);
        QCOMPARE(app->models()->openInfo()->device, std::string("card:0"));
        QVERIFY(!app->models()->outdated());
        for (const char* unusable : {"card:1", "gone:0"}) {
            app->settings()->device = QLatin1String(unusable);
            open(*app);
            QCOMPARE(app->models()->openInfo()->device, std::string("cpu"));
            QCOMPARE(app->models()->notes().size(), notes + 1);
        }
    }

    void withoutAFactoryThereIsNone() {
        DeviceList none({});
        QVERIFY(!none.offered());
        none.look();
        QVERIFY(!none.looking());
        QCOMPARE(none.devices().size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestDeviceList)
#include "tst_device_list.moc"
