// SPDX-License-Identifier: Apache-2.0
#include "base/library.h"

#include <dlfcn.h>

namespace coterie::engine {

std::shared_ptr<const Library> Library::open(std::span<const char* const> names) {
    for (const char* name : names)
        if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL))
            return std::shared_ptr<const Library>(new Library(handle));
    return nullptr;
}

Library::~Library() { dlclose(handle_); }

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

} // namespace coterie::engine
