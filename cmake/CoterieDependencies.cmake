# SPDX-License-Identifier: Apache-2.0
# The header-only dependencies of the engine and coterie-cli, by their usual target names, natively or from a cross build's own folder.
if(COTERIE_HEADER_ONLY_DEPENDENCIES)
  foreach(name IN ITEMS nlohmann_json::nlohmann_json CLI11::CLI11)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} SYSTEM INTERFACE "${COTERIE_HEADER_ONLY_DEPENDENCIES}")
  endforeach()
else()
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
endif()
