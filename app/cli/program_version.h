// SPDX-License-Identifier: Apache-2.0
// Which program this is, for --version and the page "About". The build generates the values
// (cmake/CoterieVersion.cmake).
#pragma once

#include <string>
#include <string_view>

namespace coterie::app {

struct ProgramVersion {
    const char* version; ///< "0.1.0"
    const char* commit;  ///< its first 12 digits; empty if the sources were no git checkout
    const char* package; ///< how the program reached its user: "source", "deb", ...
};

extern const ProgramVersion kProgramVersion;

/// Returns the line of --version: "coterie-cli 0.1.0 (commit 042186c5d1f0, built from source)".
std::string versionLine(std::string_view program, const ProgramVersion& version = kProgramVersion);

} // namespace coterie::app
