// SPDX-License-Identifier: Apache-2.0
// Runs the tests in quick/, which test single parts of the window in QML. tst_window.cpp tests the whole window.
#include <QQmlEngine>
#include <QQuickStyle>
#include <QtQuickTest>

class Setup : public QObject {
    Q_OBJECT
  public Q_SLOTS:
    void applicationAvailable() { QQuickStyle::setStyle(QStringLiteral("Basic")); }
    void qmlEngineAvailable(QQmlEngine* engine) { engine->addImportPath(QStringLiteral("qrc:/qt/qml")); }
};

QUICK_TEST_MAIN_WITH_SETUP(quick, Setup)

#include "quick_main.moc"
