# SPDX-License-Identifier: Apache-2.0
# The programs' version is that of project() in the top CMakeLists.txt. --version and the page "About" also tell the commit and how the programs reach
# people; both stand in one generated source, so that a commit compiles that source and links the programs, and nothing else.
set(COTERIE_PACKAGE "source" CACHE STRING "How these programs reach people: source, deb, ... (app/cli/program_version.cpp)")
set(COTERIE_COMMIT "" CACHE STRING "Commit of the sources, if they are no git checkout")

# coterie_version_source(OUT): a command that makes the source, and again after each commit.
function(coterie_version_source out)
  set(depends "")
  find_program(COTERIE_GIT git)
  mark_as_advanced(COTERIE_GIT)
  if(COTERIE_GIT AND NOT COTERIE_COMMIT)
    foreach(place IN ITEMS logs/HEAD HEAD) # git writes the log at each commit and checkout; a repository that keeps none has HEAD alone
      execute_process(COMMAND "${COTERIE_GIT}" rev-parse --git-path "${place}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      if(file AND EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
        list(APPEND depends "${file}")
        break()
      endif()
    endforeach()
  endif()
  set(script "${PROJECT_SOURCE_DIR}/cmake/write_version.cmake")
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package_kind.txt" CONTENT "${COTERIE_PACKAGE} ${COTERIE_COMMIT}\n") # written only if it changes
  add_custom_command(OUTPUT "${out}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DGIT=${COTERIE_GIT}" "-DCOMMIT=${COTERIE_COMMIT}"
            "-DPACKAGE=${COTERIE_PACKAGE}" "-DVERSION=${PROJECT_VERSION}" -P "${script}"
    DEPENDS "${script}" "${PROJECT_BINARY_DIR}/package_kind.txt" ${depends}
    COMMENT "The programs' version")
endfunction()
