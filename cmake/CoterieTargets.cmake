# SPDX-License-Identifier: Apache-2.0
# The rules every target follows: language level, warnings, sanitizers, where binaries land, how a test is made.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
find_package(Threads REQUIRED)

# coterie_options(TARGET): what every target of ours is compiled with. Warnings are errors.
function(coterie_options target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 /WX /permissive- /utf-8)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
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

# coterie_label_target(TARGET LABEL ...): for each label, LABEL-tests builds everything that `ctest -L LABEL` runs, and nothing else.
function(coterie_label_target target)
  foreach(label ${ARGN})
    if(NOT TARGET ${label}-tests)
      add_custom_target(${label}-tests)
    endif()
    add_dependencies(${label}-tests ${target})
  endforeach()
endfunction()

# coterie_test(tst_NAME [SOURCES ...] [LINKS ...] [LABELS ...] [ARGS ...]): tst_NAME.cpp and SOURCES as a Qt Test that CTest runs.
function(coterie_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;LABELS;ARGS" ${ARGN})
  add_executable(${name} ${name}.cpp ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} Qt6::Test)
  target_compile_definitions(${name} PRIVATE QT_NO_KEYWORDS) # the engine has slots of its own
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # others want every definition of a test to be the same
    target_precompile_headers(${name} REUSE_FROM coterie_test_precompiled)
  endif()
  coterie_options(${name})
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  coterie_label_target(${name} ${ARG_LABELS})
  set(environment "QT_QPA_PLATFORM=offscreen")
  set(timeout 1800)
  if(COTERIE_SANITIZE)
    set(timeout 7200) # tst_reference_models needs half an hour under tsan on a busy machine
    list(APPEND environment QTEST_FUNCTION_TIMEOUT=7200000) # ms; Qt Test's own five minutes are too few for some
  endif()
  if(COTERIE_SANITIZE MATCHES "thread")
    list(APPEND environment "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp") # Qt's own locks
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" ENVIRONMENT "${environment}" TIMEOUT ${timeout})
endfunction()
