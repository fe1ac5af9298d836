// What the tests and benches need from the device: field and curve operations one by one, and data too large to be made
// on the host. Pointers are device memory; calls enqueue and return.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "curve/xyzz.h"
#include "field/fr.h"

namespace cuzk::cuda {

enum class FieldOp { add, subtract, multiply, multiply_karatsuba, square, negate, invert, multiply_subtract };

// out[i] = a[i] op b[i]. multiply_subtract: a[i] b[i] - b[i] a[n-1-i]. invert, of elements that are not zero, and
// multiply_subtract exist in Fp, invert in Fp2, multiply_karatsuba in Fr; elsewhere they write zero.
void test_field(FieldOp op, const Fr* d_a, const Fr* d_b, Fr* d_out, std::size_t n, cudaStream_t stream);
void test_field(FieldOp op, const Fp* d_a, const Fp* d_b, Fp* d_out, std::size_t n, cudaStream_t stream);
void test_field(FieldOp op, const Fp2* d_a, const Fp2* d_b, Fp2* d_out, std::size_t n, cudaStream_t stream);

// d_out[i] = the affine form of ((a[i] + b[i]) + (b[i] + a[i])) with XYZZ additions of both kinds; device affine.
void test_points(const G1Affine* d_a, const G1Affine* d_b, G1Affine* d_out, std::size_t n,
                 cudaStream_t stream);
void test_points(const G2Affine* d_a, const G2Affine* d_b, G2Affine* d_out, std::size_t n,
                 cudaStream_t stream);

// d_out[h << log_low | l] = d_high[h] + d_low[l], for 2^log_high and 2^log_low points.
void make_sum_table(const G1Affine* d_high, const G1Affine* d_low, unsigned log_high, unsigned log_low,
                    G1Affine* d_out, cudaStream_t stream);
void make_sum_table(const G2Affine* d_high, const G2Affine* d_low, unsigned log_high, unsigned log_low,
                    G2Affine* d_out, cudaStream_t stream);
// Sums over the rows (2^log_high) and columns (2^log_low) of a matrix of scalars laid out like that table.
void sum_matrix(const Fr* d_matrix, unsigned log_high, unsigned log_low, Fr* d_rows, Fr* d_columns,
                cudaStream_t stream);

// Writes where there is no memory: the context of the device is lost.
void write_to_no_address(cudaStream_t stream);

// n pseudo-random elements.
void fill_random(Fr* d_out, std::size_t n, uint64_t seed, cudaStream_t stream);

// Runs `rounds` dependent products in every lane of a full device and writes something: for timing.
void chain_products(bool karatsuba, const Fr* d_in, Fr* d_out, unsigned blocks, unsigned rounds,
                    cudaStream_t stream);
void chain_products(const Fp* d_in, Fp* d_out, unsigned blocks, unsigned rounds, cudaStream_t stream);
inline constexpr unsigned kChainThreads = 512;

}  // namespace cuzk::cuda
