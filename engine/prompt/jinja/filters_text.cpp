// SPDX-License-Identifier: Apache-2.0
// Filters that make a text or a number from the value before the bar.
#include "base/number_text.h"
#include "prompt/jinja/filters.h"
#include "prompt/jinja/format.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/printing.h"
#include "prompt/jinja/text.h"

#include <cmath>

namespace coterie::engine::jinja {
namespace {

template <std::string (*convert)(std::string_view)>
Value converted(Call& call) {
    const SourcedText text = toText(call.meter, call.self);
    call.meter.checkSize(text.size() * 2); // a sharp s becomes two letters
    return call.makeText(derivedText(text.view(), convert(text.bytes)));
}

/// Like str.title(), but an apostrophe does not start a word.
std::string titleOfWords(std::string_view text) {
    constexpr std::string_view kBeforeWords = "-([{<";
    std::string out;
    size_t start = 0;
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        at += c.bytes;
        const bool separates = isSpace(c.code) || (c.code < 0x80 && kBeforeWords.find(static_cast<char>(c.code)) !=
                                                                        std::string_view::npos);
        if (!separates && at < text.size()) continue;
        out += capitalized(text.substr(start, at - start));
        start = at;
    }
    return out;
}

Value trim(Call& call) {
    const SourcedText text = toText(call.meter, call.self);
    const bool given = call.given(0) && !call.argument(0)->is<None>();
    if (given) call.meter.spendBytes(text.size() * call.text(0).size());
    const auto characters = given ? std::optional(call.text(0)) : std::nullopt;
    return call.makeText(textOf(text.view().stretch(strip(text.bytes, characters, true, true))));
}

Value replace(Call& call) {
    const SourcedText text = toText(call.meter, call.self), old = toText(call.meter, *call.argument(0)),
                      made = toText(call.meter, *call.argument(1));
    const int64_t count = call.given(2) && !call.argument(2)->is<None>() ? call.integer(2, -1) : -1;
    return call.makeText(replaceAll(call.meter, text.view(), old.bytes, made.view(), count));
}

Value toString(Call& call) {
    return call.self.is<TextRef>() ? call.self : call.makeText(toText(call.meter, call.self));
}

std::string_view escapeOf(char c) {
    constexpr std::pair<char, std::string_view> kEscapes[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&#34;"}, {'\'', "&#39;"}};
    for (const auto& [plain, escape] : kEscapes)
        if (plain == c) return escape;
    return {};
}

Value escape(Call& call) {
    TextBuilder out(call.meter);
    const SourcedText text = toText(call.meter, call.self);
    for (size_t at = 0; at < text.size(); ++at) {
        const SourcedView byte = text.view().substr(at, 1);
        const std::string_view escaped = escapeOf(text.bytes[at]);
        escaped.empty() ? out.add(byte) : out.addFor(byte, escaped);
    }
    return call.makeText(out.take());
}

Value encodeUrl(Call& call) {
    TextBuilder out(call.meter);
    const SourcedText text = toText(call.meter, call.self);
    for (size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text.bytes[at]);
        const bool plain = byte < 0x80 && (isLetter(byte) || isDigit(byte) ||
                                           std::string_view("_.-~/").find(text.bytes[at]) != std::string_view::npos);
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        const std::string encoded{'%', kDigits[byte >> 4], kDigits[byte & 15]};
        out.addFor(text.view().substr(at, 1), plain ? std::string_view(text.bytes).substr(at, 1) : encoded);
    }
    return call.makeText(out.take());
}

std::string spaces(Call& call, int64_t count) {
    const uint64_t wanted = count < 0 ? 0 : static_cast<uint64_t>(count);
    call.meter.claim(wanted);
    return std::string(static_cast<size_t>(wanted), ' ');
}

Value indent(Call& call) {
    const bool asText = call.given(0) && call.argument(0)->text() != nullptr;
    const SourcedText margin = asText ? textOf(call.sourced(0)) : ownText(spaces(call, call.integer(0, 4)));
    const bool first = call.flag(1, false), blank = call.flag(2, false);
    SourcedText text = toText(call.meter, call.self);
    text.append({"\n"}); // a last empty line counts
    TextBuilder out(call.meter);
    bool atStart = true;
    for (const std::string_view line : splitLines(call.meter, text.bytes)) {
        if (!atStart) out.addOwn('\n');
        if (atStart ? first : (blank || !line.empty())) out.add(margin.view());
        out.add(text.view().stretch(line));
        atStart = false;
    }
    return call.makeText(out.take());
}

Value truncate(Call& call) {
    const SourcedText text = toText(call.meter, call.self);
    const SourcedView end = call.given(2) ? call.sourced(2) : SourcedView{"..."};
    const int64_t length = call.integer(0, 255), leeway = call.integer(3, 5);
    const int64_t kept = length - countCharacters(end.bytes);
    if (kept < 0 || leeway < 0) call.fail("the length is less than that of the end");
    call.meter.spendBytes(text.size());
    if (countCharacters(text.bytes) - leeway <= length) return call.makeText(text);
    SourcedView head = text.view().substr(0, byteOfCharacter(text.bytes, kept));
    if (!call.flag(1, false)) head = head.substr(0, head.bytes.rfind(' '));
    SourcedText cut = textOf(head);
    cut.append(end);
    return call.makeText(std::move(cut));
}

Value center(Call& call) {
    const Value text = call.makeText(toText(call.meter, call.self));
    Arguments width;
    width.positional.push_back(intValue(call.integer(0, 80)));
    return invoke(call.runtime, *findMethod(text, "center"), text, width);
}

Value countWords(Call& call) {
    const std::string text = toText(call.meter, call.self).bytes;
    int64_t words = 0;
    bool inWord = false;
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        const bool belongs = isLetter(c.code) || isDigit(c.code) || c.code == '_';
        words += belongs && !inWord ? 1 : 0;
        inWord = belongs;
        at += c.bytes;
    }
    return intValue(words);
}

Value format(Call& call) {
    DictBuilder named(call.meter);
    for (const auto& [name, value] : call.arguments.keyword) named.set(call.makeText(ownText(name)), value);
    const Value places = call.arguments.keyword.empty()
                             ? listValue(call.meter, call.arguments.positional, SequenceKind::Tuple)
                             : named.take();
    return call.makeText(formatPercent(call.meter, toText(call.meter, call.self).view(), places));
}

std::optional<SourcedText> indentOf(Call& call, const Value* value) {
    if (value == nullptr || value->is<None>()) return std::nullopt;
    return value->text() != nullptr ? textOf(value->sourced()) : ownText(spaces(call, call.integer(1, 0)));
}

Value toJson(Call& call) {
    JsonStyle style;
    style.asciiOnly = call.flag(0, false);
    style.indent = indentOf(call, call.argument(1));
    if (style.indent) style.itemSeparator = ownText(",");
    if (call.given(2) && !call.argument(2)->is<None>()) {
        const Sequence* pair = indexable(*call.argument(2));
        const bool fits = pair != nullptr && pair->items.size() == 2 && pair->items[0].text() != nullptr &&
                          pair->items[1].text() != nullptr;
        if (!fits) call.fail("'separators' are two texts");
        style.itemSeparator = textOf(pair->items[0].sourced());
        style.keySeparator = textOf(pair->items[1].sourced());
    }
    style.sortKeys = call.flag(3, false);
    TextBuilder out(call.meter);
    printJson(out, call.self, style);
    return call.makeText(out.take());
}

std::optional<int64_t> truncated(const Call& call, double number) {
    if (std::isnan(number) || std::isinf(number)) return std::nullopt;
    if (!(std::fabs(number) < 9.2e18)) call.fail("the number does not fit 64 bits");
    return static_cast<int64_t>(number);
}

Value toInteger(Call& call) {
    requireDefined(call.meter, call.self);
    std::optional<int64_t> number = asInteger(call.self);
    if (const std::string* text = call.self.text()) {
        call.meter.spend(text->size());
        number = parseInteger(*text, static_cast<int>(call.integer(1, 10)));
        const auto asFloat = number ? std::nullopt : parseFloat(*text);
        if (asFloat) number = truncated(call, *asFloat);
    } else if (isWholeNumber(call.self)) {
        return call.self;
    } else if (const double* value = call.self.as<double>()) {
        number = truncated(call, *value);
    }
    return number ? intValue(*number) : call.given(0) ? *call.argument(0) : intValue(0);
}

Value toFloat(Call& call) {
    requireDefined(call.meter, call.self);
    if (call.self.text() != nullptr) call.meter.spend(call.self.text()->size());
    const auto number = call.self.text() != nullptr ? parseFloat(*call.self.text()) : asNumber(call.self);
    return number ? floatValue(*number) : call.given(0) ? *call.argument(0) : floatValue(0);
}

Value absolute(Call& call) {
    const Value number = makePositive(call.meter, call.self);
    return *asNumber(number) < 0 ? negate(call.meter, number) : number;
}

/// Python's round(value, digits): it rounds the exact binary value, and half to even.
double roundedCommon(double value, int64_t digits) {
    if (!std::isfinite(value) || digits > 60) return value;
    if (digits >= 0) return parseFloat(fixedText(value, static_cast<int>(digits))).value_or(value);
    const double unit = std::pow(10.0, static_cast<double>(-digits));
    return std::isinf(unit) ? 0.0 : std::nearbyint(value / unit) * unit;
}

Value round(Call& call) {
    requireDefined(call.meter, call.self);
    const auto number = asNumber(call.self);
    if (!number) call.fail("it needs a number, not " + std::string(typeName(call.self)));
    const std::string_view method = call.text(1, "common");
    const int64_t digits = call.integer(0, 0);
    if (method == "common") {
        if (isWholeNumber(call.self) && digits >= 0) return call.self;
        if (asInteger(call.self) && digits >= 0) return intValue(*asInteger(call.self));
        const double result = roundedCommon(*number, digits);
        return asInteger(call.self) ? intValue(truncated(call, result).value_or(0)) : floatValue(result);
    }
    if (method != "ceil" && method != "floor") call.fail("the method is 'common', 'ceil' or 'floor'");
    const double unit = std::pow(10.0, static_cast<double>(digits));
    return floatValue((method == "ceil" ? std::ceil(*number * unit) : std::floor(*number * unit)) / unit);
}

constexpr Native kTextFilters[] = {
    {"abs", absolute},
    {"capitalize", converted<capitalized>},
    {"center", center, {"width"}},
    {"e", escape},
    {"escape", escape},
    {"float", toFloat, {"default"}},
    {"forceescape", escape},
    {"format", format, {}, 0, true},
    {"indent", indent, {"width", "first", "blank"}},
    {"int", toInteger, {"default", "base"}},
    {"lower", converted<lowerCase>},
    {"replace", replace, {"old", "new", "count"}, 2},
    {"round", round, {"precision", "method"}},
    {"safe", toString},
    {"string", toString},
    {"title", converted<titleOfWords>},
    {"tojson", toJson, {"ensure_ascii", "indent", "separators", "sort_keys"}},
    {"trim", trim, {"chars"}},
    {"truncate", truncate, {"length", "killwords", "end", "leeway"}},
    {"upper", converted<upperCase>},
    {"urlencode", encodeUrl},
    {"wordcount", countWords},
};

} // namespace

std::span<const Native> textFilters() { return kTextFilters; }

} // namespace coterie::engine::jinja
