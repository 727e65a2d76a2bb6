# SPDX-License-Identifier: Apache-2.0
# Settings of every cross build: programs come from the host, libraries from the cross toolchain, and the two header-only dependencies from
# build/cross-include (installers/lib/cross.sh links them there, because /usr/include itself would bring the host's libc).
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(COTERIE_HEADER_ONLY_DEPENDENCIES "${CMAKE_CURRENT_LIST_DIR}/../build/cross-include")
