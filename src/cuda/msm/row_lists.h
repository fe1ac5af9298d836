// Lists of points to be summed, in the order in which the summing kernels read them.
//
// A task is one list: up to max_length entries whose sum goes to one place. Tasks are sorted by length, longest first;
// 32 consecutive tasks make a row, one task a lane, so the lanes of a warp have (nearly) equal work. Round j of a row
// takes entry j of its 32 lists: line first_line[j] + row, 32 words. rows_in_round[j] rows have a round j; the rows of a
// round are the first ones. Rows of padding and lists that have ended hold kNoEntry. A task without entries still has a
// round 0, so that its place is written (with infinity).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/arena.h"

namespace cuzk::cuda {

struct RowLists {
  const uint32_t* entries;
  const uint32_t* rows_in_round;
  const uint32_t* first_line;
  const uint32_t* dest;  // a word a task: index of the sum in the output, or kNoEntry
  uint32_t num_rows;
};

// Device arrays: segment i is the entries start[i] .. start[i] + length[i] - 1 of some array; its sum goes to dest[i],
// or to i if dest is null.
struct Segments {
  const uint32_t* start;
  const uint32_t* length;
  const uint32_t* dest;
  uint32_t count;
};

// d_out[i] = i for i < n.
void fill_identity(uint32_t* d_out, std::size_t n, cudaStream_t stream);

struct ListCapacity {
  std::size_t tasks;          // after splitting
  std::size_t entries;        // of all tasks together
  std::size_t long_segments;  // segments that are split
  uint32_t max_length;

  // Words of RowLists::entries: full lines, one line a round that is not full, and the first lines of empty tasks.
  std::size_t line_words() const noexcept { return (entries / 32 + max_length + tasks / 32 + 8) * 32; }
};

// Makes RowLists. One build at a time: each build overwrites the last.
class ListBuilder {
 public:
  // Work space from `arena`; `d_lines` holds capacity.line_words() words.
  ListBuilder(Arena& arena, const ListCapacity& capacity, uint32_t* d_lines);

  // Where a caller writes tasks of its own before build_strided(): entry k of task i is start[i] + k * stride[i].
  struct Tasks {
    uint32_t* start;
    uint32_t* length;
    uint32_t* dest;
    uint32_t* stride;
  };
  Tasks tasks() const noexcept { return {start_, length_, dest_, stride_}; }
  RowLists build_strided(std::size_t num_tasks, uint32_t longest, cudaStream_t stream);

  // The lists of `segments` over d_values, or over the numbers themselves if that is null. A segment longer than
  // max_length becomes several tasks, whose sums go to consecutive places from `first_slot` on and must then be summed:
  // they are the segments `rest`, valid until the next call but one. Waits for the stream.
  struct Split {
    RowLists lists;
    Segments rest;
    uint32_t num_slots;  // places used from first_slot on
  };
  Split build(const Segments& segments, const uint32_t* d_values, uint32_t max_length, uint32_t first_slot,
              cudaStream_t stream);

 private:
  RowLists arrange(std::size_t num_tasks, uint32_t longest, const uint32_t* d_values, bool strided,
                   cudaStream_t stream);

  struct Counters {
    uint32_t slots, extra_tasks, long_segments;
  };

  ListCapacity capacity_;
  uint32_t *start_, *length_, *dest_, *stride_;
  uint32_t *sorted_length_, *order_, *identity_, *row_dest_;
  uint32_t *longer_than_, *rows_in_round_, *first_line_;
  uint32_t *rest_start_[2], *rest_length_[2], *rest_dest_[2];
  uint32_t *long_source_, *long_tasks_;
  unsigned rest_turn_ = 0;
  Counters* d_counters_;
  uint32_t* d_lines_;
  std::size_t sort_bytes_;
  uint8_t* d_sort_;
};

}  // namespace cuzk::cuda
