// SPDX-License-Identifier: Apache-2.0
// The folder calls of the system's files, the same on every system through std::filesystem. Only for base/: everyone
// else uses FileSystem.
#pragma once

#include "base/files.h"

namespace coterie::engine {

class FolderCalls : public FileSystem {
  public:
    Result<std::vector<FolderEntry>> listFiles(const std::string& folder) override;
    Status removeFile(const std::string& path) override;
    Status makeFolder(const std::string& folder) override;
    Result<uint64_t> freeSpace(const std::string& folder) override;
};

} // namespace coterie::engine
