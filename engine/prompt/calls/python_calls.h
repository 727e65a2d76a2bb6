// SPDX-License-Identifier: Apache-2.0
// Reads Python source that is nothing but calls with named, literal arguments, which models write if tools are offered
// as Python functions. It runs nothing, and knows no other part of the language.
#pragma once

#include "prompt/json_text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

struct PythonCall {
    std::string name{};
    JsonText arguments{}; ///< an object; numbers keep their digits
};

/// Reads statements such as "x = get_time(zone='UTC')" and "print(add(a=1, b=2))", one on each line, with comments
/// between them. Returns nothing if the source holds anything else, or no call.
std::optional<std::vector<PythonCall>> pythonCalls(std::string_view source);
/// Reads a list of calls: "[get_time(zone='UTC'), add(a=1, b=2)]". Texts may hold line ends as they are, since the
/// templates of LFM2 write them so.
std::optional<std::vector<PythonCall>> pythonCallList(std::string_view source);

/// Finds the end of Python source in a text that is still written: a bracket or a marker within a string does not
/// count. Looks at each byte once.
class PythonScanner {
  public:
    enum class Source { Code, List };

    /// marker: a text that ends the source. A list ends with its last bracket, if it has that.
    PythonScanner(size_t begin, std::string_view marker, Source source)
        : at_(begin), marker_(marker), list_(source == Source::List) {}
    /// Returns the marker's beginning or the list's end, once it has come; the end of the text if only the list's last
    /// bracket is missing there. text: the same as before, with more at its end.
    std::optional<size_t> find(std::string_view text, bool atEnd);
    /// Whether the source that was found would be whole with one more closing bracket.
    bool lacksOneBracket() const { return depth_ == 1 && quote_.empty(); }

  private:
    enum class Step { On, Wait, Done };
    Step outside(std::string_view text, bool atEnd);
    Step inString(std::string_view text, bool atEnd);

    size_t at_;
    std::string_view marker_;
    bool list_;
    std::string quote_{}; ///< the quotes that end the string which is open
    bool escaped_ = false, comment_ = false;
    int64_t depth_ = 0;
};

} // namespace coterie::engine
