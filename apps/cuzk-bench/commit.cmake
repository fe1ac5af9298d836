# Writes ${output} from commit.h.in with the commit of ${source_dir}, "-dirty" behind it if a tracked file differs; "unknown"
# where the tree is no repository. The file is touched only when its content changes.
execute_process(
  COMMAND git -C ${source_dir} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
  RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/commit.h.in ${output} @ONLY)
