# SPDX-License-Identifier: Apache-2.0
# Packages that CPack makes from the installed tree (CoterieInstall.cmake). installers/package runs it; COTERIE_PACKAGE says which package is made.
if(NOT COTERIE_PACKAGE STREQUAL "deb")
  return()
endif()
set(COTERIE_MAINTAINER "${COTERIE_PUBLISHER} <${COTERIE_ADDRESS}>")
set(COTERIE_DEB_DEPENDS "" CACHE STRING "Packages that the window needs besides the libraries that it links; installers/package names them")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME coterie)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_SOURCE_DIR}/build/packages")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # installers/package has built what is installed; the other programs are not needed
set(CPACK_DEBIAN_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${COTERIE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${COTERIE_DEB_DEPENDS}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-dejavu-core, fonts-texgyre-math")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "qt6-gtk-platformtheme, qt6-wayland, mesa-vulkan-drivers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "private chat with language models on this computer")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Coterie opens language models in GGUF files and chats with them on this
computer. It never opens a network connection. Models with many experts run
in less memory than their size: experts that are used stay in memory, the
others are read from disk while the model computes.

The package has the window (coterie), the command line (coterie-cli), and a
small demo model.")

# Debian's own files about a package: who may copy what, and what changed.
set(made "${PROJECT_BINARY_DIR}/deb")
string(TIMESTAMP COTERIE_CHANGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # CMake takes the time of SOURCE_DATE_EPOCH
configure_file("${PROJECT_SOURCE_DIR}/installers/deb/changelog.in" "${made}/changelog" @ONLY)
install(CODE "execute_process(COMMAND gzip -9nkf \"${made}/changelog\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/installers/deb/copyright" "${made}/changelog.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/coterie" COMPONENT program)
include(CPack)
