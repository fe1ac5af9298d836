// Sums of lists of affine points (row_lists.h).
//
// Two methods with the same results. Batch-affine (G1 only): one affine accumulator a list; a warp walks all its lists
// once a round, adding one point to each, with one inversion a lane and round shared along its lists (Montgomery's
// trick). 5 products and a square an addition, but the inversion must be spread over many lists. XYZZ: one accumulator a
// lane, in G2 a pair of lanes, 8 products and 2 squares an addition, one inversion a list at the end.
//
// All cases are exact: equal and opposite points, infinity, empty lists.
#pragma once

#include "cuda/msm/row_lists.h"
#include "curve/affine.h"

namespace cuzk::cuda {

enum class ListMethod { batch_affine, xyzz };

// The faster method for so many rows on a device of so many SMs: on an H200 the inversions of a chain of K rows cost
// 620 / K clocks an addition, XYZZ costs 30 more than batch-affine and 360 a list.
ListMethod choose_list_method(std::size_t num_rows, int num_sms) noexcept;

// Words of 16 bytes of the scratch of sum_lists for batch-affine: a record a row.
inline constexpr std::size_t kRecordPieces = 288;

// d_out[dest] = sum over each list of its entries: points d_points[entry & 0x7fffffff], negated if bit 31 is set. Points
// are device affine (infinity marked, points.cuh). d_points and d_out may be the same array if no place is both read and
// written. d_records: kRecordPieces * 16 bytes a row, needed for batch_affine only. Enqueues and returns.
void sum_lists(ListMethod method, const G1Affine* d_points, const RowLists& lists, void* d_records,
               G1Affine* d_out, cudaStream_t stream);
void sum_lists(ListMethod method, const G2Affine* d_points, const RowLists& lists, void* d_records,
               G2Affine* d_out, cudaStream_t stream);

}  // namespace cuzk::cuda
