// SPDX-License-Identifier: Apache-2.0
// A shared library that is opened while the program runs, for what a machine may lack. Any thread may use it; it is
// closed with its last owner.
#pragma once

#include <memory>
#include <span>

namespace coterie::engine {

class Library {
  public:
    /// Opens the first of these names that the system finds, in the folders of the system alone. Null: none was found,
    /// or none could be loaded.
    static std::shared_ptr<const Library> open(std::span<const char* const> names);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// The address of a function, or null.
    void* symbol(const char* name) const;

  private:
    explicit Library(void* handle) : handle_(handle) {}
    void* handle_;
};

} // namespace coterie::engine
