# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache if it is installed and no other launcher was chosen. Paths inside the checkout are hashed relative to it, so that another
# checkout of the same sources, in any folder, finds its objects there. Precompiled headers need the sloppiness (ccache's manual says which).
option(COTERIE_CCACHE "Compile through ccache if it is installed" ON)
find_program(COTERIE_CCACHE_PROGRAM ccache)
mark_as_advanced(COTERIE_CCACHE_PROGRAM)
if(COTERIE_CCACHE AND COTERIE_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${COTERIE_CCACHE_PROGRAM}")
  if(CMAKE_HOST_UNIX)
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/fresh_header.sh")
  endif()
endif()
