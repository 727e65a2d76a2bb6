# SPDX-License-Identifier: Apache-2.0
# The catalogues of the window's texts (resources/translations/*.ts), compiled into the programs.
if(CMAKE_CROSSCOMPILING)
  # A Qt for another system has no programs that run here.
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core)
  find_package(Qt6LinguistTools 6.4 REQUIRED CONFIG PATHS "${QT_HOST_PATH_CMAKE_DIR}" NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
else()
  find_package(Qt6 6.4 REQUIRED COMPONENTS LinguistTools)
endif()
find_package(Python3 3.9 COMPONENTS Interpreter) # only to bring the catalogue up to date, and for tests

set(COTERIE_TRANSLATIONS "${PROJECT_SOURCE_DIR}/resources/translations")

# Brings the English catalogue up to date with the source. A test fails if it is not.
if(Python3_FOUND)
  add_custom_target(coterie-translations VERBATIM
    COMMAND Python3::Interpreter "${COTERIE_TRANSLATIONS}/catalogue.py" --source "${PROJECT_SOURCE_DIR}" --lupdate $<TARGET_FILE:Qt6::lupdate> --write)
endif()

# coterie_compile_catalogue(TS QM): a command that compiles the catalogue TS into the file QM.
function(coterie_compile_catalogue source out)
  get_filename_component(folder "${out}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${out}" VERBATIM DEPENDS "${source}" COMMAND Qt6::lrelease -silent "${source}" -qm "${out}")
endfunction()

# coterie_embed_translations(TARGET): puts every catalogue into TARGET, as :/translations/coterie_LANGUAGE.qm.
function(coterie_embed_translations target)
  file(GLOB sources CONFIGURE_DEPENDS "${COTERIE_TRANSLATIONS}/coterie_*.ts")
  set(compiled "")
  foreach(source ${sources})
    get_filename_component(name "${source}" NAME_WE)
    set(out "${CMAKE_CURRENT_BINARY_DIR}/translations/${name}.qm")
    coterie_compile_catalogue("${source}" "${out}")
    list(APPEND compiled "${out}")
  endforeach()
  qt_add_resources(${target} coterie_translations PREFIX "/translations" BASE "${CMAKE_CURRENT_BINARY_DIR}/translations" FILES ${compiled})
endfunction()
