# SPDX-License-Identifier: Apache-2.0
# The dependencies that several folders share. The header-only ones of the engine and coterie-cli come natively or from a cross build's own folder.
if(COTERIE_HEADER_ONLY_DEPENDENCIES)
  foreach(name IN ITEMS nlohmann_json::nlohmann_json CLI11::CLI11)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} SYSTEM INTERFACE "${COTERIE_HEADER_ONLY_DEPENDENCIES}")
  endforeach()
else()
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
endif()

if(COTERIE_APP)
  find_package(SQLiteCpp REQUIRED) # here, so that every folder that links the store sees its targets
  include(CoterieTranslations)
  # Optional: without it the program says that it can't read PDFs.
  find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Pdf)
  # md4c's own CMake package of Debian 12 also wants md4c-html, which we don't use.
  find_path(COTERIE_MD4C_HEADERS md4c.h REQUIRED)
  find_library(COTERIE_MD4C_LIBRARY md4c REQUIRED)
  mark_as_advanced(COTERIE_MD4C_HEADERS COTERIE_MD4C_LIBRARY)
  add_library(coterie_md4c INTERFACE)
  target_include_directories(coterie_md4c SYSTEM INTERFACE "${COTERIE_MD4C_HEADERS}")
  target_link_libraries(coterie_md4c INTERFACE "${COTERIE_MD4C_LIBRARY}")
endif()

# Optional: without it reads are done by threads. The static library where there is one, so that programs run where it isn't installed.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
  find_path(COTERIE_URING_HEADERS liburing.h)
  find_library(COTERIE_URING_LIBRARY NAMES liburing.a uring)
endif()
