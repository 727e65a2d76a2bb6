// SPDX-License-Identifier: Apache-2.0
// Permissions that processors' features need from the system.
#include "base/processors.h"

#include <QFile>
#include <QtTest>

using namespace coterie::engine;

class TestProcessors : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// A system gives tile registers on request, and to every request alike; Linux refuses them if the processor has
    /// none.
    void tileRegisters() {
        const bool given = requestTileRegisters();
        QCOMPARE(requestTileRegisters(), given);
#if defined(__linux__) && defined(__x86_64__)
        QFile file("/proc/cpuinfo");
        QVERIFY(file.open(QIODevice::ReadOnly));
        if (!file.readAll().contains(" amx_tile ")) QVERIFY(!given);
#endif
    }
};

QTEST_APPLESS_MAIN(TestProcessors)
#include "tst_processors.moc"
