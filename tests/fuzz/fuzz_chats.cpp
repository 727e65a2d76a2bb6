// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a file of chats: our own format and those of other programs. A chat that is read has
// only indexes that exist, and our own format gives it back as it was.
#include "exchange/chat_json.h"
#include "exchange/foreign_chats.h"
#include "exchange/json_pieces.h"
#include "exchange/markdown.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

using namespace coterie;
using namespace coterie::app;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void use(const engine::Result<ChatTree>& read) {
    if (!read) {
        require(!read.error().what.empty() && !read.error().why.empty() && !read.error().action.empty());
        return;
    }
    if (!checkTree(read.value())) return;
    require(messageHashes(read.value()).size() == read->messages.size());
    require(!markdownOf(read.value(), true).isEmpty() && !markdownOf(read.value(), false).isEmpty());
    const QByteArray written = chatJson(read.value());
    const auto again = parsePiece({.json = written});
    require(again.ok());
    const auto same = chatFromJson(again->toObject());
    require(same.ok() && chatJson(same.value()) == written);
}

void use(const engine::Result<ForeignChat>& read) {
    use(read ? engine::Result<ChatTree>(read->tree) : engine::Result<ChatTree>(read.error()));
}

void useAll(const QJsonObject& object) {
    use(chatFromJson(object));
    use(chatFromChatGpt(object));
    use(chatFromLmStudio(object));
    use(chatFromLlamaWeb(object));
    use(chatFromJanExport(object));
}

/// The bytes as a file of lines.
void useLines(std::span<const char> bytes) {
    BytesInMemory source(bytes);
    JsonLines lines(source);
    std::vector<QJsonObject> all;
    LlamaSession session{QJsonObject()};
    for (auto next = lines.next(); next && next.value(); next = lines.next()) {
        const auto value = parsePiece(**next);
        if (!value) continue;
        all.push_back(value->toObject());
        if (LlamaSession::beginsWith(all.back())) use(std::exchange(session, LlamaSession(all.back())).chat());
        session.add(all.back());
    }
    use(session.chat());
    use(chatFromJan({}, all));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span bytes(reinterpret_cast<const char*>(data), size);
    useLines(bytes);
    BytesInMemory source(bytes);
    JsonPieces pieces(source, "chats");
    QJsonObject members;
    for (auto next = pieces.next(); next && next.value(); next = pieces.next()) {
        const auto value = parsePiece(**next);
        if (!value) continue;
        useAll(value->toObject());
        if (!next.value()->key.isEmpty()) members.insert(QString::fromUtf8(next.value()->key), value.value());
    }
    useAll(members);
    return 0;
}
