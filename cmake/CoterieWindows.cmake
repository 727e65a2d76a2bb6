# SPDX-License-Identifier: Apache-2.0
# coterie_windows_resources(PROGRAM DESCRIPTION): icon, version and manifest of a program for Windows; nothing elsewhere. The icon is left out where the build
# can't draw it (resources/CMakeLists.txt).
function(coterie_windows_resources program description)
  if(NOT WIN32)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/windows")
  set(COTERIE_PROGRAM "${program}")
  set(COTERIE_DESCRIPTION "${description}")
  set(COTERIE_MANIFEST "${folder}/${program}.manifest")
  set(COTERIE_VERSION_DOTS "${PROJECT_VERSION}.0") # four numbers
  string(REPLACE "." "," COTERIE_VERSION_NUMBERS "${COTERIE_VERSION_DOTS}")
  set(COTERIE_ICON_LINE "")
  if(COTERIE_ICON_FILE)
    set(COTERIE_ICON_LINE "1 ICON \"${COTERIE_ICON_FILE}\"")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/resources/windows/program.manifest.in" "${COTERIE_MANIFEST}" @ONLY)
  configure_file("${PROJECT_SOURCE_DIR}/resources/windows/coterie.rc.in" "${folder}/${program}.rc" @ONLY)
  target_sources(${program} PRIVATE "${folder}/${program}.rc")
  set_source_files_properties("${folder}/${program}.rc" TARGET_DIRECTORY ${program} PROPERTIES OBJECT_DEPENDS "${COTERIE_MANIFEST};${COTERIE_ICON_FILE}")
  if(TARGET coterie-icons)
    add_dependencies(${program} coterie-icons)
  endif()
  if(MSVC)
    target_link_options(${program} PRIVATE /MANIFEST:NO) # the linker would add one of its own
  endif()
endfunction()
