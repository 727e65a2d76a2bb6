// SPDX-License-Identifier: Apache-2.0
// Joins the bytes of tokens so that only whole UTF-8 characters come out.
#pragma once

#include <string>
#include <string_view>

namespace coterie::engine {

/// One answer's stream. Not thread-safe.
class Utf8Stream {
  public:
    /// Returns the whole characters that can be shown now. Bytes that can never become a character turn into U+FFFD, by
    /// Unicode's "maximal subpart" rule.
    std::string push(std::string_view bytes);
    /// Returns the rest; an unfinished character becomes U+FFFD.
    std::string finish();

    /// The bytes so far end within a character.
    bool endsInCharacter() const { return !pending_.empty(); }

  private:
    std::string pending_;
};

} // namespace coterie::engine
