// SPDX-License-Identifier: Apache-2.0
// Runs the tests in quick/, which test single parts of the window in QML. tst_window.cpp tests the whole window.
#include "../support/patience.h"

#include <QQmlContext>
#include <QQmlEngine>
#include <QQuickStyle>
#include <QtQuickTest>

class Setup : public QObject {
    Q_OBJECT
  public Q_SLOTS:
    void applicationAvailable() { QQuickStyle::setStyle(QStringLiteral("Basic")); }
    void qmlEngineAvailable(QQmlEngine* engine) {
        engine->addImportPath(QStringLiteral("qrc:/qt/qml"));
        // Every tryVerify() and tryCompare() gets it: their own five seconds are too few for a busy machine.
        engine->rootContext()->setContextProperty(QStringLiteral("patienceMs"), coterie::kPatienceMs);
    }
};

QUICK_TEST_MAIN_WITH_SETUP(quick, Setup)

#include "quick_main.moc"
