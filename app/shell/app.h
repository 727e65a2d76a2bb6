// SPDX-License-Identifier: Apache-2.0
// The program without its window: App connects the store, the engine's thread and the controllers, and keeps its data
// in one folder. main() creates an App and gives it to Main.qml; tests create one whose session factory returns a fake.
// Lives on the GUI thread.
//
//     App app({.dataFolder = folder, .factory = engine::openSession});
//     app.start();
#pragma once

#include "chats/answer_news.h"
#include "chats/auto_titles.h"
#include "chats/bin_model.h"
#include "chats/chat_edits.h"
#include "chats/chat_exchange.h"
#include "chats/chat_list_model.h"
#include "chats/chat_search_model.h"
#include "chats/panes.h"
#include "chats/tool_runner.h"
#include "common/error_info.h"
#include "common/undo_stack.h"
#include "engine_link/engine_worker.h"
#include "engine_link/prompt_queue.h"
#include "engine_link/record_keeper.h"
#include "inspector/inspector.h"
#include "models/device_list.h"
#include "models/expert_monitor.h"
#include "models/memory_forecast.h"
#include "models/memory_monitor.h"
#include "models/model_controller.h"
#include "models/packed_file_controller.h"
#include "settings/presets.h"
#include "settings/settings.h"
#include "shell/command_list.h"
#include "shell/instance_channel.h"
#include "shell/pages.h"
#include "store/chat_store.h"

#include <QLockFile>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <memory>

namespace coterie::app {

struct AppOptions {
    QString dataFolder; ///< created if it does not exist
    engine::SessionFactory factory;
    QString model;                      ///< opened at start; empty: the model used last
    QString guide = {};                 ///< the bundled demo model, opened if there is no other; empty: none
    quint64 memory = 0;                 ///< budget in bytes; 0: as in the settings
    int threads = 0;                    ///< 0: as in the settings
    ModelInspector inspect = {};        ///< for the memory forecast; without it there is none
    QString packedFolder = {};          ///< folder of packed files
    PackedFileCalls packedFiles = {};   ///< without them no packed file is offered
    engine::DeviceFactory devices = {}; ///< the devices besides the CPU that can compute a model
    QString version = {};               ///< "0.1.0"
    QString commit = {};                ///< empty: unknown
    QString package = {};               ///< how the program reached its user: "source", "deb", ...
};

class App : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("main() makes it")
    Q_PROPERTY(coterie::app::ChatListModel* chats READ chats CONSTANT)
    Q_PROPERTY(coterie::app::ChatSearchModel* search READ search CONSTANT)
    Q_PROPERTY(coterie::app::AnswerNews* news READ news CONSTANT)
    Q_PROPERTY(coterie::app::BinModel* bin READ bin CONSTANT)
    Q_PROPERTY(coterie::app::ChatExchange* exchange READ exchange CONSTANT)
    Q_PROPERTY(coterie::app::Panes* panes READ panes CONSTANT)
    /// The active one of the panes.
    Q_PROPERTY(coterie::app::Conversation* conversation READ conversation NOTIFY conversationChanged)
    Q_PROPERTY(coterie::app::ModelController* models READ models CONSTANT)
    Q_PROPERTY(coterie::app::MemoryMonitor* memory READ memory CONSTANT)
    Q_PROPERTY(coterie::app::ExpertMonitor* experts READ experts CONSTANT)
    Q_PROPERTY(coterie::app::MemoryForecast* forecast READ forecast CONSTANT)
    Q_PROPERTY(coterie::app::PackedFileController* packedFile READ packedFile CONSTANT)
    Q_PROPERTY(coterie::app::DeviceList* devices READ devices CONSTANT)
    Q_PROPERTY(coterie::app::RecordKeeper* records READ records CONSTANT)
    Q_PROPERTY(coterie::app::Inspector* inspector READ inspector CONSTANT)
    Q_PROPERTY(coterie::app::ToolRunner* tools READ tools CONSTANT)
    Q_PROPERTY(coterie::app::Settings* settings READ settings CONSTANT)
    Q_PROPERTY(coterie::app::Presets* presets READ presets CONSTANT)
    Q_PROPERTY(coterie::app::CommandList* commands READ commands CONSTANT)
    Q_PROPERTY(coterie::app::Pages* pages READ pages CONSTANT)
    Q_PROPERTY(coterie::app::UndoStack* undo READ undo CONSTANT)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(QString version READ version CONSTANT)
    /// A sentence on the commit and how the program reached its user.
    Q_PROPERTY(QString origin READ origin CONSTANT)
  public:
    /// Locks the folder and opens the database. If that fails, error() says why, and the object works as far as it can.
    explicit App(const AppOptions& options, QObject* parent = nullptr);
    /// Stops the answer that is being written, stores its text so far and ends the engine's thread.
    ~App() override;

    /// Opens the command line's model, or the last one, or the guide.
    void start();
    /// Opens the model file that the file manager of macOS sends to the running program. main() installs this object as
    /// the application's event filter.
    bool eventFilter(QObject* object, QEvent* event) override;
    /// Whether no other program uses the data folder.
    bool alone() const { return alone_; }

    ChatListModel* chats() { return &chats_; }
    ChatSearchModel* search() { return &search_; }
    AnswerNews* news() { return &news_; }
    BinModel* bin() { return &bin_; }
    ChatExchange* exchange() { return &exchange_; }
    Panes* panes() { return &panes_; }
    Conversation* conversation() { return panes_.active(); }
    AnswerQueue* answers() { return &answers_; }
    PromptQueue* queue() { return &queue_; }
    ModelController* models() { return &models_; }
    MemoryMonitor* memory() { return &memory_; }
    ExpertMonitor* experts() { return &experts_; }
    MemoryForecast* forecast() { return &forecast_; }
    PackedFileController* packedFile() { return &packedFile_; }
    DeviceList* devices() { return &devices_; }
    RecordKeeper* records() { return &records_; }
    Inspector* inspector() { return &inspector_; }
    ToolRunner* tools() { return &tools_; }
    Settings* settings() { return &settings_; }
    Presets* presets() { return &presets_; }
    CommandList* commands() { return &commands_; }
    Pages* pages() { return &pages_; }
    UndoStack* undo() { return &undo_; }
    ErrorInfo error() const { return error_; }
    QString version() const { return options_.version; }
    QString origin() const;

    Q_INVOKABLE void dismissError();
    /// Whether a card lies over the chats that belongs to none of them: an error of the program, of a model, or of the
    /// export of a chat.
    bool hasCard() const;
    /// Closes the first of these cards.
    void closeCard();

  Q_SIGNALS:
    void errorChanged();
    /// hasCard() may be another.
    void cardsChanged();
    void conversationChanged();
    /// The program was started once more: its window should come to the front.
    void raiseWanted();

  private:
    void openStore();
    void openTemporaryStore();
    void openLastChats();
    void keepChats();
    void listen();
    void openFromOutside(const QString& model);
    void connectParts();
    void connectChats();
    void connectPanes();
    void followPanes();
    void followMessages();
    void showStep(qint64 chat);
    void connectBin();
    void forgetErased();
    void connectExchange();
    void connectEdits();
    void reportEnd(qint64 chat, bool failed);
    void onTitled(qint64 chat, const QString& title);
    void connectRecords();
    void connectTools();
    void applyTraceSettings();
    void reportModel();
    bool sendWaiting(const WaitingPrompt& prompt);
    void setError(const ErrorInfo& error);

    AppOptions options_;
    ErrorInfo error_;
    std::unique_ptr<QLockFile> lock_;
    bool alone_; ///< no other program has locked the folder
    std::unique_ptr<InstanceChannel> channel_;
    std::unique_ptr<ChatStore> store_;
    std::unique_ptr<ChatStore> temporary_; ///< chats that are never written to the disk
    Settings settings_;
    Presets presets_;
    PromptHistory history_;
    EngineWorker worker_;
    AnswerQueue answers_;
    UndoStack undo_; ///< its steps use the objects around it: nothing is undone while they are destroyed
    ChatEdits edits_;
    AutoTitles titles_;
    RecordKeeper records_;
    ToolRunner tools_;
    PromptQueue queue_;
    ChatListModel chats_;
    ChatSearchModel search_;
    AnswerNews news_;
    BinModel bin_;
    ChatExchange exchange_;
    Panes panes_;
    AnsweringModel model_;
    std::unique_ptr<Conversation> background_; ///< sends waiting prompts of chats that are not shown
    ModelController models_;
    MemoryMonitor memory_;
    ExpertMonitor experts_;
    MemoryForecast forecast_;
    PackedFileController packedFile_;
    DeviceList devices_;
    Inspector inspector_;
    Pages pages_;
    CommandList commands_; ///< destroyed first: its functions use the others
};

} // namespace coterie::app
