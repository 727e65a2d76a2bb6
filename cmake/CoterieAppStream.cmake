# SPDX-License-Identifier: Apache-2.0
# The description for software centres (AppStream), from resources/desktop/metainfo.xml.in.

# coterie_write_metainfo(OUT): software centres load the pictures from a public address (COTERIE_PICTURES). Without one the description has no pictures.
function(coterie_write_metainfo out)
  set(template "${PROJECT_SOURCE_DIR}/resources/desktop/metainfo.xml.in")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${template}")
  file(READ "${template}" text)
  if(NOT COTERIE_PICTURES)
    string(REGEX REPLACE " *<screenshots>.*</screenshots>\n" "" text "${text}")
  endif()
  string(TIMESTAMP COTERIE_DATE "%Y-%m-%d" UTC) # the day of SOURCE_DATE_EPOCH, which installers/package sets
  file(CONFIGURE OUTPUT "${out}" CONTENT "${text}" @ONLY)
endfunction()
