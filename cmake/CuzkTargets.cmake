# The three kinds of target of this project. Each folder under src/ is one library, `cuzk_<folder>`, that names its
# dependencies; a test program or a bench stands beside it.

add_library(cuzk_options INTERFACE)
target_include_directories(cuzk_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(
  cuzk_options
  INTERFACE -Wall -Wextra -Werror -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast
            -Woverloaded-virtual -Wduplicated-cond -Wlogical-op -Wformat=2
            # g++ 12 reports std::string's operator+ (GCC bug 105651).
            -Wno-restrict)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(cuzk_options INTERFACE -Wno-unknown-warning-option)
endif()

# cuzk_library(<folder> SOURCES a.cc ... [DEPS cuzk_x ...] [PRIVATE_DEPS lib ...])
function(cuzk_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(cuzk_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(cuzk_${name} PUBLIC cuzk_options ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
endfunction()

# cuzk_test(<name> SOURCES a_test.cc ... DEPS cuzk_x ... [LABELS unit|golden|slow|gpu ...] [TIMEOUT s])
# One program; ctest runs it whole. The label is `unit` unless given. The target tests_<label> builds all programs of
# that label. Under a sanitizer a test may take longer.
function(cuzk_test name)
  if(NOT CUZK_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")  # as tests/support/slowdown.h
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 20")
  elseif(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gtest GTest::gtest_main rapidcheck)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE CUZK_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
  foreach(label IN LISTS ARG_LABELS)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${name})
  endforeach()
endfunction()

# cuzk_bench(<name> SOURCES a_bench.cc ... DEPS cuzk_x ...)
function(cuzk_bench name)
  if(NOT CUZK_BUILD_BENCH)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} benchmark::benchmark)
endfunction()
