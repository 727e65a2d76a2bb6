# SPDX-License-Identifier: Apache-2.0
# The rules every target follows: language level, warnings, sanitizers, where binaries land, how a test is made.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
find_package(Threads REQUIRED)
# The system's linker takes three times as long as these.
include(CheckLinkerFlag)
foreach(linker mold lld gold)
  check_linker_flag(CXX -fuse-ld=${linker} COTERIE_HAS_${linker})
  if(COTERIE_HAS_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

# Off in what users build: a newer compiler's new warning must not stop them. The presets of developers and CI set it.
option(COTERIE_WARNINGS_ARE_ERRORS "Treat warnings as errors" OFF)

# coterie_options(TARGET): what every target of ours is compiled with.
function(coterie_options target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /permissive- /utf-8 $<$<BOOL:${COTERIE_WARNINGS_ARE_ERRORS}>:/WX>)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor $<$<BOOL:${COTERIE_WARNINGS_ARE_ERRORS}>:-Werror>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-restrict) # GCC bug 105651: false alarms on "text" + std::string
    endif()
  endif()
  if(COTERIE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${COTERIE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${COTERIE_SANITIZE})
  endif()
endfunction()

# coterie_engine_part(NAME SOURCES ... [LINKS ...] [PRIVATE_LINKS ...]): one folder of engine/ as coterie_NAME.
# LINKS name only parts below it: that is what keeps the arrows pointing down.
function(coterie_engine_part name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(coterie_${name} STATIC ${ARG_SOURCES})
  target_include_directories(coterie_${name} PUBLIC "${PROJECT_SOURCE_DIR}/engine")
  list(TRANSFORM ARG_LINKS PREPEND coterie_)
  target_link_libraries(coterie_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
  coterie_options(coterie_${name})
endfunction()

# coterie_precompiled(NAME HEADERS...): headers that take long to read, read once; targets use them by coterie_use_precompiled(TARGET NAME). GCC alone lets a
# target with other definitions use them: other compilers read all headers.
function(coterie_precompiled name)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS) # the engine has slots of its own
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

function(coterie_use_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# coterie_unity(TARGET): compiles up to eight sources of TARGET as one, so that their headers are read once. The preset `debug` and those of sanitizers
# compile each by itself, which finds a source that lacks an include.
option(COTERIE_UNITY "Compile several sources of a library together" ON)
function(coterie_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${COTERIE_UNITY})
endfunction()

# coterie_label_target(TARGET LABEL ...): for each label, LABEL-tests builds everything that `ctest -L LABEL` runs, and nothing else.
function(coterie_label_target target)
  foreach(label ${ARGN})
    if(NOT TARGET ${label}-tests)
      add_custom_target(${label}-tests)
    endif()
    add_dependencies(${label}-tests ${target})
  endforeach()
endfunction()

# coterie_test_options(TARGET): what a test itself is compiled with. Compiling it takes longer than running it, so it is not optimised; what it tests, and
# tests/support, keep the flags of the build.
function(coterie_test_options target)
  coterie_options(${target})
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
endfunction()

# coterie_link_first(TARGET LIBRARIES...): puts our static libraries, with those that they link, before TARGET's own objects. Of several copies of an inline
# function the linker keeps the first: without this the engine would run with the unoptimised copies that a test makes of std::string or JSON, half as fast.
function(coterie_link_first target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT UNIX OR APPLE)
    return()
  endif()
  set(left ${ARGN})
  set(libraries "")
  set(files "")
  while(left)
    list(POP_FRONT left library)
    if(NOT TARGET ${library} OR library IN_LIST libraries)
      continue()
    endif()
    get_target_property(kind ${library} TYPE)
    get_target_property(imported ${library} IMPORTED)
    if(imported OR NOT kind STREQUAL "STATIC_LIBRARY")
      continue()
    endif()
    list(APPEND libraries ${library})
    string(APPEND files " $<TARGET_FILE:${library}>")
    get_target_property(links ${library} LINK_LIBRARIES)
    if(links)
      list(APPEND left ${links})
    endif()
  endwhile()
  if(files)
    target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive${files} -Wl,--no-whole-archive")
  endif()
endfunction()

# coterie_moc(TARGET SOURCE): makes SOURCE's .moc, which it includes at its end. AUTOMOC would run a program for each test, and compile an empty file.
function(coterie_moc target source)
  get_filename_component(stem "${source}" NAME_WE)
  set(moc "${CMAKE_CURRENT_BINARY_DIR}/${target}_moc/${stem}.moc")
  qt_generate_moc("${source}" "${moc}" TARGET ${target})
  target_sources(${target} PRIVATE "${moc}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}_moc")
endfunction()

# Tests of chats and of the window write thousands of small files and wait for the disk each time. No test is about that disk, so their folders are in memory, if there is enough.
set(COTERIE_TEST_FOLDER "")
if(IS_DIRECTORY /dev/shm)
  execute_process(COMMAND df --output=avail /dev/shm OUTPUT_VARIABLE room ERROR_QUIET)
  string(REGEX MATCH "[0-9]+" room "${room}")
  if(room GREATER 1048576) # KiB
    set(COTERIE_TEST_FOLDER /dev/shm)
  endif()
endif()

# coterie_test(tst_NAME [SOURCES ...] [LINKS ...] [LABELS ...] [ARGS ...]): tst_NAME.cpp and SOURCES as a Qt Test that CTest runs.
function(coterie_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS;ARGS" ${ARGN})
  add_executable(${name} ${name}.cpp ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} Qt6::Test)
  coterie_moc(${name} ${name}.cpp)
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS) # the engine has slots of its own
  # Other compilers want every definition of a test to be the same, and <QTest> has other contents with Qt Gui.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT ARG_LINKS MATCHES "Qt6::Gui")
    set(precompiled coterie_test_precompiled)
    if(ARG_LINKS MATCHES "coterie_(app|text|ui)")
      set(precompiled coterie_app_test_precompiled)
    endif()
    target_precompile_headers(${name} REUSE_FROM ${precompiled})
  else()
    target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/patience.h") # the others have it, too
  endif()
  coterie_test_options(${name})
  if(ARG_LABELS MATCHES "engine|gpu")
    coterie_link_first(${name} ${ARG_LINKS})
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  coterie_label_target(${name} ${ARG_LABELS})
  set(timeout 1800)
  if(COTERIE_SANITIZE)
    set(timeout 7200) # tst_reference_models needs half an hour under tsan on a busy machine
  endif()
  # Qt Test's own limit of five minutes (in ms) is too short for some functions on a busy machine: CTest's limit counts.
  set(environment "QT_QPA_PLATFORM=offscreen" "QTEST_FUNCTION_TIMEOUT=${timeout}000")
  if(COTERIE_TEST_FOLDER AND ("app" IN_LIST ARG_LABELS OR "ui" IN_LIST ARG_LABELS))
    list(APPEND environment "TMPDIR=${COTERIE_TEST_FOLDER}")
  endif()
  if(COTERIE_SANITIZE MATCHES "address")
    list(APPEND environment "LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp") # Qt PDF's own leaks
  endif()
  if(COTERIE_SANITIZE MATCHES "thread")
    list(APPEND environment "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp") # Qt's own locks
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" ENVIRONMENT "${environment}" TIMEOUT ${timeout})
endfunction()
