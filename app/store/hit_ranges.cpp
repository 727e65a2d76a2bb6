// SPDX-License-Identifier: Apache-2.0
// See hit_ranges.h. SQLite calls this code from C, so that no exception may leave it.
#include "store/hit_ranges.h"

#include <SQLiteCpp/Exception.h>

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace coterie::app {
namespace {

/// Tokens of the text that belong to one hit, and their bytes.
struct TokenRange {
    int first = 0;
    int last = 0;
    ByteRange bytes;
};

struct Walk {
    std::vector<TokenRange>* ranges;
    size_t range = 0;
    int token = -1;
};

/// Is called for each token of the text, in order; fills in the bytes of the ranges.
int onToken(void* context, int flags, const char*, int, int begin, int end) {
    auto& walk = *static_cast<Walk*>(context);
    if ((flags & FTS5_TOKEN_COLOCATED) == 0) ++walk.token;
    while (walk.range < walk.ranges->size() && (*walk.ranges)[walk.range].last < walk.token) ++walk.range;
    if (walk.range == walk.ranges->size()) return SQLITE_DONE;
    TokenRange& range = (*walk.ranges)[walk.range];
    if (walk.token < range.first) return SQLITE_OK;
    if (walk.token == range.first) range.bytes.begin = begin;
    range.bytes.end = end;
    return SQLITE_OK;
}

/// Returns the hits in the first column in order; those that overlap are joined.
int tokenRanges(const Fts5ExtensionApi* api, Fts5Context* context, std::vector<TokenRange>& ranges) {
    int count = 0;
    int code = api->xInstCount(context, &count);
    std::vector<TokenRange> all;
    for (int i = 0; i < count && code == SQLITE_OK; ++i) {
        int phrase = 0, column = 0, token = 0;
        code = api->xInst(context, i, &phrase, &column, &token);
        const int size = api->xPhraseSize(context, phrase);
        if (column == 0 && size > 0) all.push_back({.first = token, .last = token + size - 1, .bytes = {}});
    }
    std::sort(all.begin(), all.end(), [](const TokenRange& a, const TokenRange& b) { return a.first < b.first; });
    for (const TokenRange& next : all) {
        if (!ranges.empty() && next.first <= ranges.back().last)
            ranges.back().last = std::max(ranges.back().last, next.last);
        else
            ranges.push_back(next);
    }
    return code;
}

void hitRanges(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int, sqlite3_value**) {
    try {
        std::vector<TokenRange> ranges;
        int code = tokenRanges(api, context, ranges);
        const char* text = nullptr;
        int length = 0;
        if (code == SQLITE_OK) code = api->xColumnText(context, 0, &text, &length);
        Walk walk{.ranges = &ranges};
        if (code == SQLITE_OK) code = api->xTokenize(context, text, length, &walk, onToken);
        if (code != SQLITE_OK && code != SQLITE_DONE) return sqlite3_result_error_code(result, code);
        std::vector<ByteRange> bytes;
        bytes.reserve(ranges.size());
        for (const TokenRange& range : ranges) bytes.push_back(range.bytes);
        sqlite3_result_blob64(result, bytes.data(), bytes.size() * sizeof(ByteRange), SQLITE_TRANSIENT);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(result);
    }
}

fts5_api* apiOf(sqlite3* handle) {
    fts5_api* api = nullptr;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nullptr) != SQLITE_OK) return nullptr;
    sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
    return api;
}

} // namespace

void addHitRanges(SQLite::Database& database) {
    fts5_api* api = apiOf(database.getHandle());
    const int code = api ? api->xCreateFunction(api, "hit_ranges", nullptr, hitRanges, nullptr) : SQLITE_ERROR;
    if (code != SQLITE_OK) throw SQLite::Exception("this SQLite has no full-text search", code);
}

std::vector<ByteRange> hitRangesOf(const SQLite::Column& column) {
    std::vector<ByteRange> ranges(static_cast<size_t>(column.getBytes()) / sizeof(ByteRange));
    if (!ranges.empty()) std::memcpy(ranges.data(), column.getBlob(), ranges.size() * sizeof(ByteRange));
    return ranges;
}

} // namespace coterie::app
