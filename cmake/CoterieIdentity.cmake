# SPDX-License-Identifier: Apache-2.0
# COTERIE_ID, COTERIE_PUBLISHER and COTERIE_ADDRESS, from the one file that has them, and COTERIE_PICTURES, which is empty if the file names no address of
# pictures.
set(identity "${PROJECT_SOURCE_DIR}/resources/desktop/identity.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${identity}")
foreach(name id publisher address pictures)
  file(STRINGS "${identity}" line REGEX "^${name} = .")
  string(TOUPPER "COTERIE_${name}" variable)
  string(REGEX REPLACE "^${name} = " "" ${variable} "${line}")
  if(NOT ${variable} AND NOT name STREQUAL "pictures")
    message(FATAL_ERROR "${identity} has no line '${name} = ...'")
  endif()
endforeach()
