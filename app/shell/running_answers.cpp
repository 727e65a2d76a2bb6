// SPDX-License-Identifier: Apache-2.0
// See running_answers.h.
#include "shell/running_answers.h"

#include "shell/app.h"

namespace coterie::app {

App* RunningAnswers::app() const { return app_; }

void RunningAnswers::setApp(App* app) {
    if (app == app_) return;
    app_ = app;
    connect(app->answers(), &AnswerQueue::progressed, this, &RunningAnswers::refresh);
    refresh();
    Q_EMIT changed();
}

void RunningAnswers::refresh() {
    const bool any = app_ && app_->answers()->busy();
    if (any == any_) return;
    any_ = any;
    Q_EMIT changed();
}

} // namespace coterie::app
