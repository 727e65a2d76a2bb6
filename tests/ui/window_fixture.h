// SPDX-License-Identifier: Apache-2.0
// The real window over the real application objects in a data folder of its own, for tests and screenshots. The caller
// chooses the session factory.
#pragma once

#include "common/language.h"
#include "shell/app.h"
#include "support/english.h"

#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQuickItem>
#include <QQuickStyle>
#include <QQuickWindow>
#include <QTemporaryDir>

#include <memory>

namespace coterie::tests {

class WindowFixture {
  public:
    explicit WindowFixture(engine::SessionFactory factory) : factory_(std::move(factory)) {}
    ~WindowFixture() { stop(); }

    QString dataFolder() const { return folder_.path(); }

    /// Sets the bundled demo model from the next start on; without this call there is none.
    void setGuide(const QString& path) { guide_ = path; }
    /// Sets the other calls to the engine from the next start on; without this call there are none.
    void setEngine(app::ModelInspector inspect, app::PackedFileCalls packedFiles = {}) {
        inspect_ = std::move(inspect);
        packedFiles_ = std::move(packedFiles);
    }
    /// Sets what computes besides the CPU from the next start on; without this call there is nothing.
    void setDevices(engine::DeviceFactory devices) { devices_ = std::move(devices); }
    /// Sets the catalogue of texts from the next start on; without this call it is the program's own.
    void setCatalogue(const QString& file) { catalogue_ = file; }
    /// Starts the program with the folder as it is. Returns false if the window could not be made; the QML engine has
    /// then said why.
    bool start(const QString& model = {}) {
        // Tests name buttons by texts with numbers.
        test::useEnglishNumbers();
        if (catalogue_.isEmpty())
            app::useLanguage();
        else if (!app::useCatalogue(catalogue_))
            return false;
        app_ = std::make_unique<app::App>(app::AppOptions{.dataFolder = folder_.path(),
                                                          .factory = factory_,
                                                          .model = model,
                                                          .guide = guide_,
                                                          .inspect = inspect_,
                                                          .packedFiles = packedFiles_,
                                                          .devices = devices_,
                                                          .version = QStringLiteral("1.2.3"),
                                                          .commit = QStringLiteral("0123456789ab"),
                                                          .package = QStringLiteral("source")});
        app_->settings()->autoTitles = false; // tests name the chats by their prompts
        app_->start();
        engine_ = std::make_unique<QQmlApplicationEngine>();
        engine_->addImportPath(QStringLiteral("qrc:/qt/qml"));
        engine_->setInitialProperties({{QStringLiteral("app"), QVariant::fromValue(app_.get())}});
        engine_->load(QUrl(QStringLiteral("qrc:/qt/qml/Coterie/Main.qml")));
        return window() != nullptr;
    }
    /// Ends the program in the same way as closing the window does.
    void stop() {
        engine_.reset();
        app_.reset();
    }

    app::App* app() const { return app_.get(); }
    QQuickWindow* window() const {
        const auto roots = engine_ ? engine_->rootObjects() : QList<QObject*>();
        return roots.isEmpty() ? nullptr : qobject_cast<QQuickWindow*>(roots.first());
    }

  private:
    engine::SessionFactory factory_;
    app::ModelInspector inspect_;
    app::PackedFileCalls packedFiles_;
    engine::DeviceFactory devices_;
    QTemporaryDir folder_;
    QString guide_;
    QString catalogue_;
    std::unique_ptr<app::App> app_;
    std::unique_ptr<QQmlApplicationEngine> engine_;
};

/// Returns the first item under `root`, depth first, for which `matches` returns true, or null if there is none.
template <typename Matches>
QQuickItem* findItem(QQuickItem* root, const Matches& matches) {
    if (!root) return nullptr;
    if (matches(root)) return root;
    for (QQuickItem* child : root->childItems()) {
        if (QQuickItem* found = findItem(child, matches)) return found;
    }
    return nullptr;
}

} // namespace coterie::tests
