// SPDX-License-Identifier: Apache-2.0
// The tools that an answer may call, and the types that their JSON schemas give to arguments. A model writes a type
// only in some forms; in the others "12345" may be a number or a text, and the schema says which.
//
//     OfferedTools tools;
//     tools.add(R"([{"type": "function", "function": {"name": "save", "parameters": {...}}}])");
//     JsonText zip = tools.typed("save", "zip", "12345");
#pragma once

#include "prompt/json_text.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

/// Plain data; any thread may read it.
class OfferedTools {
  public:
    /// Every name is a tool's, and no types are known: for answers whose prompt is unknown.
    static OfferedTools any();

    /// Adds the functions of a JSON list, as a person or a program offers them: {"type": "function", "function":
    /// {"name", "parameters"}} or {"name", "parameters"}. Anything else in the list is left out.
    void add(std::string_view list);
    /// Adds a tool whose schema is unknown, unless it is there already.
    void addName(std::string_view name);

    bool has(std::string_view name) const { return any_ ? !name.empty() : tools_.contains(name); }
    /// The value of a parameter that was written as plain text. A text stays these bytes if the schema says "string".
    /// Without a type, what is JSON and no JSON string is this JSON.
    JsonText typed(std::string_view tool, std::string_view parameter, std::string_view written) const;
    /// Gives the members of `arguments`, and what lists and objects among them hold, the types of the schema if one
    /// reading is possible: the number 12345 for a "string" is the text "12345", and the text "7" for an "integer" is
    /// the number.
    void fit(std::string_view tool, JsonText& arguments) const;

  private:
    bool any_ = false;
    std::map<std::string, JsonText, std::less<>> tools_; ///< names and schemas; null if the schema is unknown
};

} // namespace coterie::engine
