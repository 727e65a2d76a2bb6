// SPDX-License-Identifier: Apache-2.0
// Methods of texts, lists and dicts. Methods that would change a list or a dict are forbidden, as in Jinja's immutable
// sandbox.
#include "prompt/jinja/format.h"
#include "prompt/jinja/native.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/printing.h"
#include "prompt/jinja/text.h"

#include <algorithm>

namespace coterie::engine::jinja {
namespace {

std::optional<std::string_view> charactersOf(const Call& call) {
    const bool given = call.given(0) && !call.argument(0)->is<None>();
    return given ? std::optional(call.text(0)) : std::nullopt;
}

template <bool left, bool right>
Value stripEnds(Call& call) {
    const SourcedView text = call.selfText();
    call.meter.spendBytes(text.size() * (1 + charactersOf(call).value_or("").size()));
    return call.makeText(textOf(text.stretch(strip(text.bytes, charactersOf(call), left, right))));
}

template <std::string (*convert)(std::string_view)>
Value converted(Call& call) {
    call.meter.checkSize(call.selfText().size() * 2); // a sharp s becomes two letters
    return call.makeText(derivedText(call.selfText(), convert(call.selfText().bytes)));
}

/// piece: a stretch of the text that the method is called on.
void addPiece(Call& call, std::vector<Value>& pieces, std::string_view piece) {
    call.meter.checkSize((pieces.size() + 1) * sizeof(Value));
    pieces.push_back(call.makeText(textOf(call.selfText().stretch(piece))));
}

std::vector<Value> splitAtSpace(Call& call, std::string_view text, int64_t limit) {
    std::vector<Value> pieces;
    call.meter.spendBytes(text.size());
    text = strip(text, std::nullopt, true, false);
    while (!text.empty()) {
        size_t end = 0;
        while (end < text.size() && !isSpace(characterAt(text, end).code)) end += characterAt(text, end).bytes;
        if (limit-- == 0) {
            addPiece(call, pieces, strip(text, std::nullopt, false, true));
            break;
        }
        addPiece(call, pieces, text.substr(0, end));
        text = strip(text.substr(end), std::nullopt, true, false);
    }
    return pieces;
}

Value split(Call& call) {
    const std::string_view text = call.selfText().bytes;
    int64_t limit = call.integer(1, -1);
    if (!charactersOf(call)) return listValue(call.meter, splitAtSpace(call, text, limit));
    const std::string_view separator = call.text(0);
    if (separator.empty()) call.fail("the separator is empty");
    std::vector<Value> pieces;
    size_t done = 0;
    for (; limit != 0; --limit) {
        const size_t at = find(call.meter, text, separator, done);
        if (at == std::string_view::npos) break;
        addPiece(call, pieces, text.substr(done, at - done));
        done = at + separator.size();
    }
    addPiece(call, pieces, text.substr(done));
    return listValue(call.meter, std::move(pieces));
}

Value splitFromRight(Call& call) {
    const std::string_view text = call.selfText().bytes;
    if (!charactersOf(call) || call.integer(1, -1) < 0) return split(call);
    const std::string_view separator = call.text(0);
    if (separator.empty()) call.fail("the separator is empty");
    std::vector<Value> pieces;
    size_t end = text.size();
    for (int64_t limit = call.integer(1, -1); limit > 0; --limit) {
        const size_t at = findLast(call.meter, text.substr(0, end), separator);
        if (at == std::string_view::npos) break;
        addPiece(call, pieces, text.substr(at + separator.size(), end - at - separator.size()));
        end = at;
    }
    addPiece(call, pieces, text.substr(0, end));
    std::reverse(pieces.begin(), pieces.end());
    return listValue(call.meter, std::move(pieces));
}

Value splitIntoLines(Call& call) {
    std::vector<Value> lines;
    for (const std::string_view line : splitLines(call.meter, call.selfText().bytes, call.flag(0, false)))
        addPiece(call, lines, line);
    return listValue(call.meter, std::move(lines));
}

template <bool fromRight>
Value partition(Call& call) {
    const std::string_view text = call.selfText().bytes, separator = call.text(0);
    if (separator.empty()) call.fail("the separator is empty");
    const size_t at = fromRight ? findLast(call.meter, text, separator) : find(call.meter, text, separator);
    std::vector<Value> parts;
    if (at != std::string_view::npos) {
        for (const std::string_view part :
             {text.substr(0, at), text.substr(at, separator.size()), text.substr(at + separator.size())})
            addPiece(call, parts, part);
    } else {
        for (const std::string_view part :
             {fromRight ? text.substr(0, 0) : text, text.substr(0, 0), fromRight ? text : text.substr(0, 0)})
            addPiece(call, parts, part);
    }
    return listValue(call.meter, std::move(parts), SequenceKind::Tuple);
}

template <bool atStart>
bool hasEdge(Call& call, std::string_view text, const Value& edge) {
    requireDefined(call.meter, edge);
    if (edge.text() == nullptr) call.fail("it needs a text, not " + std::string(typeName(edge)));
    call.meter.spendBytes(std::min(edge.text()->size(), text.size()));
    return atStart ? text.starts_with(*edge.text()) : text.ends_with(*edge.text());
}

/// Returns the stretch of the text that arguments 1 and 2 (start, end) select.
std::string_view windowOf(Call& call, std::string_view text) {
    if (!call.given(1)) return text;
    call.meter.spendBytes(text.size());
    const int64_t length = countCharacters(text);
    const auto place = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + length : at, 0, length); };
    const int64_t start = place(call.integer(1, 0)), end = place(call.integer(2, length));
    if (start >= end) return text.substr(byteOfCharacter(text, start), 0);
    const size_t first = byteOfCharacter(text, start);
    return text.substr(first, byteOfCharacter(text.substr(first), end - start));
}

template <bool atStart>
Value edgeMatches(Call& call) {
    const std::string_view text = windowOf(call, call.selfText().bytes);
    const Sequence* choices = indexable(*call.argument(0));
    if (choices == nullptr) return boolValue(hasEdge<atStart>(call, text, *call.argument(0)));
    return boolValue(std::any_of(choices->items.begin(), choices->items.end(),
                                 [&](const Value& v) { return hasEdge<atStart>(call, text, v); }));
}

template <bool atStart>
Value removeEdge(Call& call) {
    std::string_view text = call.selfText().bytes;
    const std::string_view edge = call.text(0);
    if (hasEdge<atStart>(call, text, *call.argument(0)))
        atStart ? text.remove_prefix(edge.size()) : text.remove_suffix(edge.size());
    return call.makeText(textOf(call.selfText().stretch(text)));
}

Value replace(Call& call) {
    return call.makeText(replaceAll(call.meter, call.selfText(), call.text(0), call.sourced(1), call.integer(2, -1)));
}

template <bool last, bool mustBeThere>
Value position(Call& call) {
    const std::string_view whole = call.selfText().bytes;
    const std::string_view text = windowOf(call, whole);
    const size_t at = last ? findLast(call.meter, text, call.text(0)) : find(call.meter, text, call.text(0));
    if (at == std::string_view::npos && mustBeThere) call.fail("the text is not there");
    if (at == std::string_view::npos) return intValue(-1);
    const size_t before = static_cast<size_t>(text.data() - whole.data()) + at;
    call.meter.spendBytes(before);
    return intValue(countCharacters(whole.substr(0, before)));
}

Value countText(Call& call) {
    const std::string_view text = windowOf(call, call.selfText().bytes), wanted = call.text(0);
    call.meter.spendBytes(text.size());
    if (wanted.empty()) return intValue(countCharacters(text) + 1);
    int64_t count = 0;
    for (size_t at = find(call.meter, text, wanted); at != std::string_view::npos;
         at = find(call.meter, text, wanted, at + wanted.size()))
        ++count;
    return intValue(count);
}

Value joinTexts(Call& call) {
    TextBuilder out(call.meter);
    SourcedView separator;
    for (const Value& item : eachOf(call.meter, *call.argument(0))) {
        call.meter.spend(); // an empty text costs nothing else
        requireDefined(call.meter, item);
        if (item.text() == nullptr) call.fail("every item must be a text, not " + std::string(typeName(item)));
        out.add(separator);
        out.add(item.sourced());
        separator = call.selfText();
    }
    return call.makeText(out.take());
}

Value formatText(Call& call) { return call.makeText(formatBraces(call.meter, call.selfText(), call.arguments)); }

/// Whether there are characters, and all of them fit.
template <bool (*fits)(char32_t)>
Value consistsOf(Call& call) {
    const std::string_view text = call.selfText().bytes;
    call.meter.spendBytes(text.size());
    bool all = !text.empty();
    for (size_t at = 0; all && at < text.size(); at += characterAt(text, at).bytes)
        all = fits(characterAt(text, at).code);
    return boolValue(all);
}

bool isAlphanumeric(char32_t code) { return isLetter(code) || isDigit(code); }

/// Adds spaces or another character before (2: all, 1: half, 0: none) and after.
template <int before>
Value justify(Call& call) {
    const SourcedView fill = call.given(1) ? call.sourced(1) : SourcedView{" "};
    if (countCharacters(fill.bytes) != 1) call.fail("it fills with one character");
    const int64_t missing = std::max<int64_t>(0, call.integer(0, 0) - countCharacters(call.selfText().bytes));
    call.meter.claim(static_cast<uint64_t>(missing) > UINT64_MAX / fill.size()
                         ? UINT64_MAX
                         : static_cast<uint64_t>(missing) * fill.size());
    // str.center() puts the odd space on the left if the width is odd.
    const int64_t left = before == 2 ? missing : before == 0 ? 0 : missing / 2 + (missing & call.integer(0, 0) & 1);
    SourcedText out;
    for (int64_t i = 0; i < left; ++i) out.append(fill);
    out.append(call.selfText());
    for (int64_t i = left; i < missing; ++i) out.append(fill);
    return call.makeText(std::move(out));
}

Value fillWithZeros(Call& call) {
    const SourcedView text = call.selfText();
    const int64_t missing = std::max<int64_t>(0, call.integer(0, 0) - countCharacters(text.bytes));
    call.meter.claim(static_cast<uint64_t>(missing));
    const size_t sign = !text.empty() && (text.bytes[0] == '-' || text.bytes[0] == '+') ? 1 : 0;
    SourcedText out = textOf(text.substr(0, sign));
    out.append({std::string(static_cast<size_t>(missing), '0')});
    out.append(text.substr(sign));
    return call.makeText(std::move(out));
}

constexpr Native kTextMethods[] = {
    {"capitalize", converted<capitalized>},
    {"casefold", converted<lowerCase>},
    {"center", justify<1>, {"width", "fillchar"}, 1},
    {"count", countText, {"sub", "start", "end"}, 1},
    {"endswith", edgeMatches<false>, {"suffix", "start", "end"}, 1},
    {"find", position<false, false>, {"sub", "start", "end"}, 1},
    {"format", formatText, {}, 0, true},
    {"index", position<false, true>, {"sub", "start", "end"}, 1},
    {"isalnum", consistsOf<isAlphanumeric>},
    {"isalpha", consistsOf<isLetter>},
    {"isdecimal", consistsOf<isDigit>},
    {"isdigit", consistsOf<isDigit>},
    {"isnumeric", consistsOf<isDigit>},
    {"isspace", consistsOf<isSpace>},
    {"islower", [](Call& call) { return findTest("lower")->run(call); }},
    {"isupper", [](Call& call) { return findTest("upper")->run(call); }},
    {"join", joinTexts, {"iterable"}, 1},
    {"ljust", justify<0>, {"width", "fillchar"}, 1},
    {"lower", converted<lowerCase>},
    {"lstrip", stripEnds<true, false>, {"chars"}},
    {"partition", partition<false>, {"sep"}, 1},
    {"removeprefix", removeEdge<true>, {"prefix"}, 1},
    {"removesuffix", removeEdge<false>, {"suffix"}, 1},
    {"replace", replace, {"old", "new", "count"}, 2},
    {"rfind", position<true, false>, {"sub", "start", "end"}, 1},
    {"rindex", position<true, true>, {"sub", "start", "end"}, 1},
    {"rjust", justify<2>, {"width", "fillchar"}, 1},
    {"rpartition", partition<true>, {"sep"}, 1},
    {"rsplit", splitFromRight, {"sep", "maxsplit"}},
    {"rstrip", stripEnds<false, true>, {"chars"}},
    {"split", split, {"sep", "maxsplit"}},
    {"splitlines", splitIntoLines, {"keepends"}},
    {"startswith", edgeMatches<true>, {"prefix", "start", "end"}, 1},
    {"strip", stripEnds<true, true>, {"chars"}},
    {"swapcase", converted<swappedCase>},
    {"title", converted<titleCase>},
    {"upper", converted<upperCase>},
    {"zfill", fillWithZeros, {"width"}, 1},
};

Value indexInList(Call& call) {
    const std::vector<Value>& items = call.self.sequence()->items;
    for (size_t i = 0; i < items.size(); ++i)
        if (equal(call.meter, items[i], *call.argument(0))) return intValue(static_cast<int64_t>(i));
    call.fail("the item is not in the list");
}

Value countInList(Call& call) {
    const std::vector<Value>& items = call.self.sequence()->items;
    return intValue(std::count_if(items.begin(), items.end(),
                                  [&](const Value& v) { return equal(call.meter, v, *call.argument(0)); }));
}

Value itself(Call& call) { return call.self; }

constexpr Native kListMethods[] = {
    {"append"},       {"clear"},
    {"copy", itself}, {"count", countInList, {"value"}, 1},
    {"extend"},       {"index", indexInList, {"value"}, 1},
    {"insert"},       {"pop"},
    {"remove"},       {"reverse"},
    {"sort"},
};

Value getKey(Call& call) {
    const Value* value = findKey(call.meter, *call.self.dict(), *call.argument(0));
    return value ? *value : call.given(1) ? *call.argument(1) : noneValue();
}

template <SequenceKind kind>
Value viewOf(Call& call) {
    std::vector<Value> items;
    call.meter.checkSize(call.self.dict()->entries.size() * sizeof(Value));
    for (const auto& [key, value] : call.self.dict()->entries) {
        if (kind == SequenceKind::Items)
            items.push_back(listValue(call.meter, {key, value}, SequenceKind::Tuple));
        else
            items.push_back(kind == SequenceKind::Keys ? key : value);
    }
    return listValue(call.meter, std::move(items), kind);
}

constexpr Native kDictMethods[] = {
    {"clear"},
    {"copy", itself},
    {"get", getKey, {"key", "default"}, 1},
    {"items", viewOf<SequenceKind::Items>},
    {"keys", viewOf<SequenceKind::Keys>},
    {"pop"},
    {"popitem"},
    {"setdefault"},
    {"update"},
    {"values", viewOf<SequenceKind::Values>},
};

} // namespace

const Native* findMethod(const Value& self, std::string_view name) {
    if (self.is<TextRef>()) return findIn(kTextMethods, name);
    if (self.is<DictRef>()) return findIn(kDictMethods, name);
    if (indexable(self) != nullptr) return findIn(kListMethods, name);
    return nullptr;
}

} // namespace coterie::engine::jinja
