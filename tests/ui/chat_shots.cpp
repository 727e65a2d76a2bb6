// SPDX-License-Identifier: Apache-2.0
// The pictures of the list of chats with all that it can show, of its menus, and of the search of all chats.
#include "shots.h"

namespace coterie::tests {
namespace {

/// A list with a pinned chat, two folders, an unread chat and others.
void withList(WindowFixture& fixture) {
    fillStore(fixture.dataFolder());
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        app::ChatStore& chats = *store.value();
        for (const char* title : {"Rye bread with seeds", "A cake for forty people, without eggs", "Pasta"})
            addChat(chats, QString::fromUtf8(title), {{"How?", "Slowly."}});
        const auto cooking = chats.folders().create(QStringLiteral("Cooking and baking for the family"));
        const auto travel = chats.folders().create(QStringLiteral("Travel"));
        const auto rows = chats.chats();
        if (!cooking || !travel || !rows) qFatal("no folders");
        for (const app::ChatRow& row : *rows) {
            const bool cooks =
                row.title.contains(QStringLiteral("bread")) || row.title.contains(QStringLiteral("cake"));
            if (cooks && !chats.setFolder(row.id, cooking->id)) qFatal("not moved");
            if (row.title.contains(QStringLiteral("Alps")) && !chats.setFolder(row.id, travel->id)) qFatal("not moved");
            if (row.title.contains(QStringLiteral("Mixture")) && !chats.setPinned(row.id, true)) qFatal("not pinned");
            if (row.title == QStringLiteral("Sourdough") && !chats.setUnread(row.id, true)) qFatal("not marked");
        }
        if (!chats.folders().setFolded(travel->id, true)) qFatal("not folded");
    }
    startWithModel(fixture);
    openChat(fixture, 0);
    settle();
}

void withFocus(WindowFixture& fixture) {
    withList(fixture);
    key(fixture, Qt::Key_K, Qt::ControlModifier);
    settle();
}

void withMenu(WindowFixture& fixture) {
    withFocus(fixture);
    for (int i = 0; i < 2; ++i) key(fixture, Qt::Key_Down);
    key(fixture, Qt::Key_Menu);
}

void withFolderMenu(WindowFixture& fixture) {
    withFocus(fixture);
    for (int i = 0; i < 2; ++i) key(fixture, Qt::Key_Down);
    key(fixture, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
}

void withSelection(WindowFixture& fixture) {
    withFocus(fixture);
    for (int i = 0; i < 5; ++i) key(fixture, Qt::Key_Down);
    for (int i = 0; i < 2; ++i) key(fixture, Qt::Key_Down, Qt::ShiftModifier);
}

void whileRenaming(WindowFixture& fixture) {
    withFocus(fixture);
    key(fixture, Qt::Key_Down);
    key(fixture, Qt::Key_F2);
}

void withOrderMenu(WindowFixture& fixture) {
    withList(fixture);
    press(fixture, QStringLiteral("Order and folders"));
}

void searchFor(WindowFixture& fixture, const QString& words) {
    withList(fixture);
    key(fixture, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    for (const QChar c : words) key(fixture, c.toUpper().unicode(), {}, c);
    const app::ChatSearchModel& search = *fixture.app()->search();
    waitUntil([&] { return !search.searching() && search.count() > 0; });
    key(fixture, Qt::Key_Down);
}

void withHits(WindowFixture& fixture) { searchFor(fixture, QStringLiteral("experts")); }

void withScatteredHits(WindowFixture& fixture) {
    searchFor(fixture, QStringLiteral("bread slowly"));
    waitUntil([&] { return fixture.app()->search()->scattered(); });
}

void withNews(WindowFixture& fixture) {
    withList(fixture);
    fixture.app()->news()->report(fixture.app()->conversation()->chatId(), QStringLiteral("A walk through the Alps"),
                                  false);
}

void withTemporary(WindowFixture& fixture) {
    withList(fixture);
    key(fixture, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
}

void whileLeaving(WindowFixture& fixture) {
    withTemporary(fixture);
    key(fixture, Qt::Key_N, Qt::ControlModifier);
}

} // namespace

QList<Shot> chatShots() {
    const QSize narrow{640, 640};
    return {
        {.name = "chats", .prepare = withFocus},
        {.name = "chats-dark", .theme = "dark", .prepare = withFocus},
        {.name = "chats-narrow", .size = narrow, .prepare = withFocus},
        {.name = "chats-large", .size = {1180, 1000}, .scale = 1.6, .prepare = withFocus},
        {.name = "chats-menu", .prepare = withMenu},
        {.name = "chats-menu-dark-large", .size = {1180, 1000}, .theme = "dark", .scale = 1.6, .prepare = withMenu},
        {.name = "chats-folder-menu", .prepare = withFolderMenu},
        {.name = "chats-order-menu-dark", .theme = "dark", .prepare = withOrderMenu},
        {.name = "chats-selected", .prepare = withSelection},
        {.name = "chats-selected-dark", .theme = "dark", .prepare = withSelection},
        {.name = "chats-renaming", .prepare = whileRenaming},
        {.name = "search-hits", .prepare = withHits},
        {.name = "search-hits-dark", .theme = "dark", .prepare = withHits},
        {.name = "search-hits-narrow-large", .size = narrow, .scale = 1.6, .prepare = withHits},
        {.name = "search-scattered", .prepare = withScatteredHits},
        {.name = "search-scattered-narrow-large", .size = narrow, .scale = 1.6, .prepare = withScatteredHits},
        {.name = "temporary", .prepare = withTemporary},
        {.name = "temporary-dark-narrow", .size = narrow, .theme = "dark", .prepare = withTemporary},
        {.name = "temporary-leaving", .prepare = whileLeaving},
        {.name = "temporary-leaving-dark-large",
         .size = {720, 900},
         .theme = "dark",
         .scale = 1.6,
         .prepare = whileLeaving},
        {.name = "news", .prepare = withNews},
        {.name = "news-dark-narrow", .size = narrow, .theme = "dark", .prepare = withNews},
    };
}

} // namespace coterie::tests
