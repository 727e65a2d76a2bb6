// SPDX-License-Identifier: Apache-2.0
// The program without its window: puts the store, the engine's thread and the controllers together over one data
// folder. main() makes one and gives it to Main.qml; a test makes one with a fake behind the session factory. Lives on
// the GUI thread.
//
//     App app({.dataFolder = folder, .factory = engine::openSession});
//     app.start();
#pragma once

#include "chat_controller.h"
#include "chat_list_model.h"
#include "engine_worker.h"
#include "error_info.h"
#include "expert_monitor.h"
#include "memory_forecast.h"
#include "memory_monitor.h"
#include "model_controller.h"
#include "packed_file_controller.h"
#include "settings.h"
#include "store/chat_store.h"

#include <QLockFile>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <memory>

namespace coterie::app {

struct AppOptions {
    QString dataFolder; ///< made where it is missing
    engine::SessionFactory factory;
    QString model;                    ///< opened at start; empty: the last one
    QString guide = {};               ///< the bundled demo model, for want of another; empty: there is none
    quint64 memory = 0;               ///< budget in bytes; 0: the settings'
    int threads = 0;                  ///< 0: the settings'
    ModelInspector inspect = {};      ///< behind the memory forecast; without it there is none
    QString packedFolder = {};        ///< where packed files lie
    PackedFileCalls packedFiles = {}; ///< without them no packed file is offered
};

class App : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("main() makes it")
    Q_PROPERTY(coterie::app::ChatListModel* chats READ chats CONSTANT)
    Q_PROPERTY(coterie::app::ChatController* conversation READ conversation CONSTANT)
    Q_PROPERTY(coterie::app::ModelController* models READ models CONSTANT)
    Q_PROPERTY(coterie::app::MemoryMonitor* memory READ memory CONSTANT)
    Q_PROPERTY(coterie::app::ExpertMonitor* experts READ experts CONSTANT)
    Q_PROPERTY(coterie::app::MemoryForecast* forecast READ forecast CONSTANT)
    Q_PROPERTY(coterie::app::PackedFileController* packedFile READ packedFile CONSTANT)
    Q_PROPERTY(coterie::app::Settings* settings READ settings CONSTANT)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(QString version READ version CONSTANT)
  public:
    /// Locks the folder and opens the database. What goes wrong stands in error; the object works as far as it can.
    explicit App(const AppOptions& options, QObject* parent = nullptr);
    /// Stops the answer that is being written, keeps what has come, ends the engine's thread.
    ~App() override;

    /// Opens the command line's model, or the last one, or the guide.
    void start();

    ChatListModel* chats() { return &chats_; }
    ChatController* conversation() { return &conversation_; }
    ModelController* models() { return &models_; }
    MemoryMonitor* memory() { return &memory_; }
    ExpertMonitor* experts() { return &experts_; }
    MemoryForecast* forecast() { return &forecast_; }
    PackedFileController* packedFile() { return &packedFile_; }
    Settings* settings() { return &settings_; }
    ErrorInfo error() const { return error_; }
    QString version() const;

    Q_INVOKABLE void dismissError();

  Q_SIGNALS:
    void errorChanged();

  private:
    void openStore();
    void connectParts();
    void setError(const ErrorInfo& error);

    AppOptions options_;
    ErrorInfo error_;
    std::unique_ptr<QLockFile> lock_;
    bool alone_; ///< no other program has the folder
    std::unique_ptr<ChatStore> store_;
    Settings settings_;
    EngineWorker worker_;
    ChatListModel chats_;
    ChatController conversation_;
    ModelController models_;
    MemoryMonitor memory_;
    ExpertMonitor experts_;
    MemoryForecast forecast_;
    PackedFileController packedFile_;
};

} // namespace coterie::app
