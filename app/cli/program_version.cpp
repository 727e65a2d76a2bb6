// SPDX-License-Identifier: Apache-2.0
// See program_version.h. App::origin() (app/shell/app.cpp) says the same in the user's language.
#include "cli/program_version.h"

namespace coterie::app {

std::string versionLine(std::string_view program, const ProgramVersion& version) {
    const std::string_view package = version.package;
    std::string line = std::string(program) + ' ' + version.version + " (";
    if (*version.commit) line += std::string("commit ") + version.commit + ", ";
    if (package == "source") {
        line += "built from source";
    } else if (package == "deb") {
        line += "Debian package";
    } else {
        line += "package: " + std::string(package);
    }
    return line + ')';
}

} // namespace coterie::app
