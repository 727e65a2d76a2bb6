// SPDX-License-Identifier: Apache-2.0
// Fills in texts. All sizes that a template can ask for are checked before memory is taken.
#include "prompt/jinja/format.h"

#include "base/number_text.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/printing.h"
#include "prompt/jinja/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace coterie::engine::jinja {
namespace {

struct Place {
    std::string flags;
    size_t width = 0;
    int precision = -1;
    char letter = 's';
};

constexpr size_t kMostDigits = 6; // limit of a width or precision; the meter refuses long texts in any case

size_t takeNumber(Meter& meter, std::string_view format, size_t& at) {
    size_t number = 0;
    for (size_t digits = 0; at < format.size() && isDigit(static_cast<unsigned char>(format[at])); ++at) {
        if (++digits > kMostDigits) meter.fail("a width in a format is too large");
        number = number * 10 + static_cast<size_t>(format[at] - '0');
    }
    return number;
}

void addPadded(TextBuilder& out, const Place& place, SourcedView text) {
    const auto length = static_cast<size_t>(countCharacters(text.bytes));
    const size_t missing = place.width > length ? place.width - length : 0;
    out.meter().checkSize(missing);
    const bool left = place.flags.find('-') != std::string::npos;
    const bool zeros =
        !left && place.letter != 's' && place.letter != 'r' && place.flags.find('0') != std::string::npos;
    const size_t sign = zeros && !text.empty() && (text.bytes[0] == '-' || text.bytes[0] == '+') ? 1 : 0;
    if (!left && !zeros) out.addOwn(std::string(missing, ' '));
    out.add(text.substr(0, sign));
    if (zeros) out.addOwn(std::string(missing, '0'));
    out.add(text.substr(sign));
    if (left) out.addOwn(std::string(missing, ' '));
}

std::string withSign(const Place& place, std::string text) {
    if (!text.starts_with('-') && place.flags.find('+') != std::string::npos) return "+" + text;
    return text;
}

std::string integerText(Meter& meter, const Value& value, char letter) {
    const auto number = asNumber(value);
    if (!number) meter.fail("a format needs a number, not " + std::string(typeName(value)));
    auto integer = asInteger(value);
    if (!integer) {
        if (!(std::fabs(*number) < 9.2e18)) meter.fail("a number in a format does not fit 64 bits");
        integer = static_cast<int64_t>(*number);
    }
    std::string text(65, '\0');
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), *integer, letter == 'x' || letter == 'X' ? 16 : 10);
    text.resize(static_cast<size_t>(end.ptr - text.data()));
    return letter == 'X' ? upperCase(text) : text;
}

SourcedText placeText(Meter& meter, const Place& place, const Value& value) {
    switch (place.letter) {
    case 'd':
    case 'i':
    case 'x':
    case 'X':
        return ownText(withSign(place, integerText(meter, value, place.letter)));
    case 'f': {
        if (!asNumber(value)) meter.fail("a format needs a number, not " + std::string(typeName(value)));
        const double number = *asNumber(value);
        if (!std::isfinite(number)) return ownText(withSign(place, formatFloat(number)));
        return ownText(withSign(place, fixedText(number, place.precision < 0 ? 6 : place.precision)));
    }
    case 's':
    case 'r':
        break;
    default:
        meter.fail(std::string("a format has the unknown letter '") + place.letter + "'");
    }
    TextBuilder text(meter);
    place.letter == 's' ? printText(text, value) : printRepresentation(text, value);
    SourcedText whole = text.take();
    if (place.precision < 0) return whole;
    return textOf(whole.view().substr(0, byteOfCharacter(whole.bytes, place.precision)));
}

/// Gives the arguments of a % format one after the other, or by name.
class PercentArguments {
  public:
    PercentArguments(Meter& meter, const Value& value) : meter_(meter), value_(value) {
        const Sequence* s = value.sequence();
        if (s != nullptr && s->kind == SequenceKind::Tuple) tuple_ = s;
    }
    const Value& next() {
        const size_t count = tuple_ ? tuple_->items.size() : 1;
        if (used_ >= count) meter_.fail("a format has more places than arguments");
        return tuple_ ? tuple_->items[used_++] : (++used_, value_);
    }
    const Value& named(std::string_view name) {
        named_ = true;
        if (value_.dict() == nullptr) meter_.fail("a format with names needs a dict");
        const Value* value = findKey(meter_, *value_.dict(), name);
        if (value == nullptr) meter_.fail("a format names '" + std::string(name) + "', which is not given");
        return *value;
    }
    void finish() const {
        const bool all = named_ || value_.dict() != nullptr || used_ == (tuple_ ? tuple_->items.size() : 1);
        if (!all) meter_.fail("a format has fewer places than arguments");
    }

  private:
    Meter& meter_;
    const Value& value_;
    const Sequence* tuple_ = nullptr;
    size_t used_ = 0;
    bool named_ = false;
};

/// at: after the % and the name of an argument. It ends at the letter.
Place parsePlace(Meter& meter, std::string_view format, size_t& at) {
    Place place;
    for (; at < format.size() && std::string_view("-+ #0").find(format[at]) != std::string_view::npos; ++at) {
        meter.spend();
        place.flags += format[at];
    }
    place.width = takeNumber(meter, format, at);
    if (at < format.size() && format[at] == '.') place.precision = static_cast<int>(takeNumber(meter, format, ++at));
    if (at >= format.size()) meter.fail("a format ends in the middle of a place");
    place.letter = format[at];
    return place;
}

} // namespace

SourcedText formatPercent(Meter& meter, SourcedView source, const Value& arguments) {
    const std::string_view format = source.bytes;
    TextBuilder out(meter);
    PercentArguments given(meter, arguments);
    for (size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%') {
            out.add(source.substr(at, 1));
            continue;
        }
        if (++at < format.size() && format[at] == '%') {
            out.add(source.substr(at, 1));
            continue;
        }
        meter.spend(); // a place for an empty text costs nothing else
        std::optional<std::string_view> name;
        if (at < format.size() && format[at] == '(') {
            const size_t end = std::min(format.find(')', at), format.size());
            name = format.substr(at + 1, end - at - 1);
            at = std::min(end + 1, format.size());
        }
        const Place place = parsePlace(meter, format, at);
        addPadded(out, place, placeText(meter, place, name ? given.named(*name) : given.next()).view());
    }
    given.finish();
    return out.take();
}

SourcedText formatBraces(Meter& meter, SourcedView source, const Arguments& arguments) {
    const std::string_view format = source.bytes;
    TextBuilder out(meter);
    size_t next = 0;
    for (size_t at = 0; at < format.size(); ++at) {
        const char c = format[at];
        if (c != '{' && c != '}') {
            out.add(source.substr(at, 1));
            continue;
        }
        if (at + 1 < format.size() && format[at + 1] == c) {
            out.add(source.substr(at++, 1));
            continue;
        }
        const size_t end = format.find('}', at);
        if (c == '}' || end == std::string_view::npos) meter.fail("format: a brace stands alone");
        const std::string_view field = format.substr(at + 1, end - at - 1);
        meter.spendBytes(field.size());
        meter.spend(arguments.keyword.size() / 8);
        if (field.find_first_of(".[:!{") != std::string_view::npos)
            meter.fail("format: only {}, {0} and {name} can be used in a template");
        at = end;
        const Value* value = nullptr;
        const auto index = field.empty() ? std::optional(static_cast<int64_t>(next++)) : parseInteger(field);
        if (index && *index >= 0 && static_cast<size_t>(*index) < arguments.positional.size())
            value = &arguments.positional[static_cast<size_t>(*index)];
        for (const auto& [name, given] : arguments.keyword)
            if (name == field) value = &given;
        if (value == nullptr) meter.fail("format: the argument '" + std::string(field) + "' is missing");
        printText(out, *value);
    }
    return out.take();
}

} // namespace coterie::engine::jinja
