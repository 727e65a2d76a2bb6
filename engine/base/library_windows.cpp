// SPDX-License-Identifier: Apache-2.0
#include "base/library.h"

#include <windows.h>

namespace coterie::engine {

std::shared_ptr<const Library> Library::open(std::span<const char* const> names) {
    for (const char* name : names)
        if (HMODULE handle = LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32))
            return std::shared_ptr<const Library>(new Library(handle));
    return nullptr;
}

Library::~Library() { FreeLibrary(static_cast<HMODULE>(handle_)); }

void* Library::symbol(const char* name) const {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

} // namespace coterie::engine
