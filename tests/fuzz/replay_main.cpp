// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer in an ordinary build: runs a fuzz target once on each file it is given, or on each file
// of a folder. So the targets build and run with every test, and a file that once crashed one stays a test. It makes up
// no inputs of its own.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::vector<std::filesystem::path> filesIn(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Runs the target on memory of exactly the input's size, so that a sanitizer sees a read beyond it.
bool replay(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto exact = std::make_unique<uint8_t[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), exact.get());
    LLVMFuzzerTestOneInput(exact.get(), bytes.size());
    return true;
}

} // namespace

int main(int argc, char** argv) {
    int replayed = 0;
    for (int i = 1; i < argc; ++i)
        for (const std::filesystem::path& path : filesIn(argv[i])) {
            if (!replay(path)) {
                std::fprintf(stderr, "error: Can't read %s; it could not be opened; check the path\n",
                             path.string().c_str());
                return 1;
            }
            ++replayed;
        }
    std::printf("%d inputs replayed\n", replayed);
    return replayed > 0 ? 0 : 1; // an empty corpus proves nothing
}
