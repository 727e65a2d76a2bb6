// SPDX-License-Identifier: Apache-2.0
// The pictures of two chats side by side.
#include "shots.h"

namespace coterie::tests {
namespace {

void withTwo(WindowFixture& fixture) {
    talk(fixture);
    app::Panes* panes = fixture.app()->panes();
    const app::ChatListModel& chats = *fixture.app()->chats();
    panes->openBeside(chats.index(2).data(app::ChatListModel::ChatIdRole).toLongLong());
    key(fixture, Qt::Key_L, Qt::ControlModifier);
    settle();
}

void besideNew(WindowFixture& fixture) {
    talk(fixture);
    key(fixture, Qt::Key_Backslash, Qt::ControlModifier);
    settle();
}

/// The left chat is answered while the right one is active.
void whileAnswering(WindowFixture& fixture) {
    withTwo(fixture);
    waitUntil([&fixture] { return fixture.app()->conversation()->canSend(); });
    sendForPart(*fixture.app()->panes()->other(), 0);
}

void withTemporary(WindowFixture& fixture) {
    besideNew(fixture);
    key(fixture, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    key(fixture, Qt::Key_Backslash, Qt::ControlModifier);
}

} // namespace

QList<Shot> paneShots() {
    const QSize narrow{640, 640}, wide{1440, 860};
    return {
        {.name = "beside", .prepare = withTwo},
        {.name = "beside-dark", .theme = "dark", .prepare = withTwo},
        {.name = "beside-wide", .size = wide, .prepare = withTwo},
        {.name = "beside-narrow", .size = narrow, .prepare = withTwo},
        {.name = "beside-narrow-dark", .size = narrow, .theme = "dark", .prepare = withTwo},
        {.name = "beside-large", .size = {1440, 1000}, .scale = 1.6, .prepare = withTwo},
        {.name = "beside-new", .prepare = besideNew},
        {.name = "beside-answering", .size = wide, .prepare = whileAnswering},
        {.name = "beside-temporary-dark", .size = wide, .theme = "dark", .prepare = withTemporary},
    };
}

} // namespace coterie::tests
