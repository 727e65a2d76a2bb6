# SPDX-License-Identifier: Apache-2.0
# The one description of what is installed, from which all packages are made. The component `cli` is coterie-cli, `program` is the window; a file that
# both need is in both. Programs find their files relative to themselves (bin/../share/coterie), so the tree can be moved.
#
#   cmake --install build/release --prefix FOLDER [--component program|cli]
include(GNUInstallDirs)
include(CoterieAppStream)
if(WIN32)
  set(programs ".")
  set(files ".")
elseif(APPLE)
  set(programs "Contents/MacOS")
  set(files "Contents/Resources")
else()
  set(programs "${CMAKE_INSTALL_BINDIR}")
  set(files "${CMAKE_INSTALL_DATADIR}/coterie")
endif()
set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
set(zsh_folder "zsh/site-functions")
if(COTERIE_PACKAGE STREQUAL "deb")
  set(zsh_folder "zsh/vendor-completions") # Debian's zsh looks for those of packages there
endif()
find_package(Python3 3.9 COMPONENTS Interpreter QUIET)

# coterie_install_manual(PROGRAM COMPONENT): the program's manual page and completions, which are made from its own --help when it is installed. A
# program for another system can't be asked.
function(coterie_install_manual program component)
  if(WIN32 OR APPLE OR CMAKE_CROSSCOMPILING OR NOT Python3_FOUND)
    return()
  endif()
  set(made "${PROJECT_BINARY_DIR}/manual")
  set(share "${CMAKE_INSTALL_DATADIR}")
  install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" -B \"${PROJECT_SOURCE_DIR}/resources/manual/manual.py\"
    \"$<TARGET_FILE:${program}>\" --out \"${made}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  install(FILES "${made}/man/${program}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT ${component})
  install(FILES "${made}/bash/${program}" DESTINATION "${share}/bash-completion/completions" COMPONENT ${component})
  install(FILES "${made}/zsh/_${program}" DESTINATION "${share}/${zsh_folder}" COMPONENT ${component})
  install(FILES "${made}/fish/${program}.fish" DESTINATION "${share}/fish/vendor_completions.d" COMPONENT ${component})
endfunction()

# coterie_install_licences(COMPONENT NAMES...): our own licence and those of what the programs contain or load.
function(coterie_install_licences component)
  list(REMOVE_ITEM ARGN ${COTERIE_OTHER_LICENCES} "")
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${files}/licences" RENAME coterie.txt COMPONENT ${component})
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/resources/licences/" OUTPUT_VARIABLE texts)
  list(TRANSFORM texts APPEND .txt)
  install(FILES ${texts} DESTINATION "${files}/licences" COMPONENT ${component})
endfunction()

install(TARGETS coterie-cli RUNTIME DESTINATION "${programs}" COMPONENT cli)
coterie_install_licences(cli cli11 gcc ggml json liburing mingw unicode)
coterie_install_manual(coterie-cli cli)
if(NOT COTERIE_APP)
  return()
endif()

install(TARGETS coterie RUNTIME DESTINATION "${programs}" COMPONENT program)
coterie_install_licences(program cli11 dejavu gcc ggml inter json liburing md4c mingw pdfium qt sqlite sqlitecpp texgyre unicode zlib)
coterie_install_manual(coterie program)
if(COTERIE_GUIDE)
  install(FILES "${COTERIE_GUIDE}" DESTINATION "${files}" COMPONENT program)
endif()
if(APPLE)
  # The prefix of the tree is the bundle.
  configure_file("${PROJECT_SOURCE_DIR}/resources/macos/Info.plist.in" "${PROJECT_BINARY_DIR}/desktop/Info.plist" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/desktop/Info.plist" DESTINATION Contents COMPONENT program)
  if(COTERIE_ICON_FILE)
    install(FILES "${COTERIE_ICON_FILE}" DESTINATION "${files}" COMPONENT program)
  endif()
endif()
if(WIN32 OR APPLE)
  return()
endif()

# Desktops read these files. The desktop file has the name that the window tells the desktop (QGuiApplication::setDesktopFileName).
install(FILES "${desktop}/coterie.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT program)
coterie_write_metainfo("${PROJECT_BINARY_DIR}/desktop/${COTERIE_ID}.metainfo.xml")
install(FILES "${PROJECT_BINARY_DIR}/desktop/${COTERIE_ID}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT program)
install(FILES "${desktop}/coterie.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" COMPONENT program)
set(icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
install(FILES "${PROJECT_SOURCE_DIR}/resources/icons/coterie.svg" DESTINATION "${icons}/scalable/apps" COMPONENT program)
foreach(size ${COTERIE_ICON_SIZES})
  install(FILES "${COTERIE_ICONS}/${size}/coterie.png" DESTINATION "${icons}/${size}x${size}/apps" COMPONENT program)
endforeach()

# A portable folder has beside its programs what they load (installers/lib/portable.py puts it there). They search it first, also for what a library there
# needs; a RUNPATH would not be handed on to that.
if(COTERIE_PACKAGE STREQUAL "portable")
  foreach(program coterie coterie-cli)
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/coterie")
  endforeach()
  install(FILES "${desktop}/qt.conf" DESTINATION "${programs}" COMPONENT program)
  install(PROGRAMS "${desktop}/install.sh" DESTINATION . COMPONENT program)
endif()
