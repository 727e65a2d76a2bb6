# SPDX-License-Identifier: Apache-2.0
# COTERIE_OTHER_LICENCES: names of the texts in resources/licences about works that only programs for other systems contain. They are neither shown nor
# installed.
set(COTERIE_OTHER_LICENCES "")
if(NOT MINGW)
  list(APPEND COTERIE_OTHER_LICENCES gcc mingw)
endif()
if(WIN32 OR APPLE)
  list(APPEND COTERIE_OTHER_LICENCES liburing)
endif()
