// SPDX-License-Identifier: Apache-2.0
// The program without its window, over a scripted engine, in a data folder of its own. It can end and start again.
#pragma once

#include "fakes/fake_session.h"
#include "shell/app.h"

#include <QFile>
#include <QTemporaryDir>

#include <memory>

namespace coterie::test {

class AppBench {
  public:
    explicit AppBench(FakeScript script = words(), QString folder = {}, app::PackedFileCalls packedFiles = {})
        : script_(std::move(script)), packedFiles_(std::move(packedFiles)) {
        folder_ = folder.isEmpty() ? own_.path() : folder;
        model_ = own_.filePath(QStringLiteral("model.gguf"));
        QFile file(model_);
        if (file.open(QIODevice::WriteOnly)) file.write("not read by the fake");
        start();
    }
    ~AppBench() { stop(); }

    static FakeScript words() {
        FakeScript script;
        script.pieces = {"Once ", "upon ", "a ", "time"};
        script.promptTokens = 1;
        return script;
    }

    void start() {
        control_ = std::make_shared<FakeControl>();
        app_ = std::make_unique<app::App>(app::AppOptions{.dataFolder = folder_,
                                                          .factory = fakeFactory(script_, control_),
                                                          .model = {},
                                                          .inspect = fakeInspector(script_),
                                                          .packedFiles = packedFiles_});
        app_->settings()->autoTitles = false; // a test that wants them turns them on
        app_->start();
    }
    void stop() {
        if (control_) control_->allowAll();
        app_.reset();
    }
    void restart() {
        stop();
        start();
    }
    void openModel() { app_->models()->open(model_); }

    app::App& app() { return *app_; }
    app::Conversation& chat() { return *app_->conversation(); }
    app::ModelController& models() { return *app_->models(); }
    FakeControl& control() { return *control_; }
    QString model() const { return model_; }
    QString folder() const { return folder_; }

    QString last(app::MessageModel::Roles role) {
        app::MessageModel* messages = chat().messages();
        return messages->index(messages->count() - 1).data(role).toString();
    }
    QString lastText() { return last(app::MessageModel::TextRole); }
    QString lastState() { return last(app::MessageModel::StateRole); }

  private:
    FakeScript script_;
    app::PackedFileCalls packedFiles_;
    QTemporaryDir own_;
    QString folder_, model_;
    std::shared_ptr<FakeControl> control_;
    std::unique_ptr<app::App> app_;
};

} // namespace coterie::test

#define OPEN_MODEL(bench)                                                                                              \
    do {                                                                                                               \
        (bench).openModel();                                                                                           \
        QTRY_COMPARE((bench).models().state(), coterie::app::ModelController::Ready);                                  \
    } while (false)
