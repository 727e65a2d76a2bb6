// SPDX-License-Identifier: Apache-2.0
// Puts bytes of tokens together so that only whole UTF-8 characters come out.
#pragma once

#include <string>
#include <string_view>

namespace coterie::engine {

/// One answer's stream. Not thread-safe.
class Utf8Stream {
  public:
    /// What can be shown now: whole characters only. Bytes that can never become one turn into U+FFFD, as Unicode's
    /// "maximal subpart" rule asks.
    std::string push(std::string_view bytes);
    /// The rest: an unfinished character becomes U+FFFD.
    std::string finish();

  private:
    std::string pending_;
};

} // namespace coterie::engine
