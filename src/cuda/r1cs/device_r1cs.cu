#include "cuda/r1cs/device_r1cs.h"

#include <algorithm>

#include "base/check.h"
#include "cuda/field/fr.cuh"
#include "cuda/runtime/grid.cuh"

namespace cuzk::cuda {

struct EvaluateKernelArgs {
  DeviceR1cs::Block block;
  const DeviceFr* coefficients;
  const DeviceFr* inputs;
  const DeviceFr* fulls;
  const uint64_t* bits;
  DeviceFr* out[3];
  unsigned long long* first_failing;

  // The value of row `row` of one matrix in repetition `repetition`. A bit costs an addition at most; only a full element
  // with a coefficient other than +-1 costs a product.
  __device__ DeviceFr value(int matrix, uint32_t row, uint32_t repetition) const {
    const DeviceR1cs::Rows& rows = block.rows[matrix];
    DeviceFr sum;
    set_zero(sum);
    for (uint32_t i = row == 0 ? 0 : rows.row_end[row - 1]; i < rows.row_end[row]; ++i) {
      uint32_t column = rows.columns[i];
      if (static_cast<ColumnKind>(column >> 30) == ColumnKind::parameter) {
        column = block.parameters[static_cast<uint64_t>(repetition) * block.num_parameters +
                                  (column & Column::kIndexMask)];
      }
      const bool relative = (column >> 29 & 1) != 0;
      const uint64_t index = column & Column::kIndexMask, shift = relative ? repetition : 0;
      const uint16_t coefficient = rows.coefficients[i];
      const auto kind = static_cast<ColumnKind>(column >> 30);
      if (kind == ColumnKind::bit) {
        const uint64_t at = index + shift * block.num_aux;
        if ((bits[at / 64] >> (at % 64) & 1) != 0) sum = sum + coefficients[coefficient];
        continue;
      }
      const DeviceFr x = kind == ColumnKind::full ? fulls[index + shift * block.num_full]
                                                  : inputs[index + shift * block.num_inputs];
      if (coefficient == kCoefficientOne) {
        sum = sum + x;
      } else if (coefficient == kCoefficientMinusOne) {
        sum = sum - x;
      } else {
        sum = sum + coefficients[coefficient] * x;
      }
    }
    return sum;
  }
};

namespace {

__global__ void __launch_bounds__(256) evaluate_kernel(const __grid_constant__ EvaluateKernelArgs args) {
  const std::size_t total = static_cast<std::size_t>(args.block.count) * args.block.num_constraints;
  CUZK_GRID_STRIDE(i, total) {
    const auto repetition = static_cast<uint32_t>(i / args.block.num_constraints);
    const auto row = static_cast<uint32_t>(i % args.block.num_constraints);
    DeviceFr values[3];
#pragma unroll 1
    for (int matrix = 0; matrix < 3; ++matrix) {
      values[matrix] = args.value(matrix, row, repetition);
      args.out[matrix][args.block.first_constraint + i] = values[matrix];
    }
    if (!limbs_equal(values[0] * values[1], values[2])) {
      atomicMin(args.first_failing, static_cast<unsigned long long>(args.block.first_constraint + i));
    }
  }
}

template <class T, class Vector>
const T* upload(Arena& arena, const Vector& host, cudaStream_t stream) {
  using U = typename Vector::value_type;
  static_assert(sizeof(T) == sizeof(U) && std::is_trivially_copyable_v<U>);
  T* d_copy = arena.alloc<T>(host.size());
  if (!host.empty()) {
    CUZK_CUDA_TRY(
        cudaMemcpyAsync(d_copy, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
  }
  return d_copy;
}

}  // namespace

DeviceR1cs::DeviceR1cs(Arena& arena, const R1cs& r1cs, cudaStream_t stream)
    : num_inputs_(r1cs.num_inputs()), num_constraints_(r1cs.num_constraints()) {
  const auto rows = [&](const SparseRows& host) {
    return Rows{upload<uint32_t>(arena, host.row_end, stream), upload<uint32_t>(arena, host.columns, stream),
                upload<uint16_t>(arena, host.coefficients, stream)};
  };
  for (const R1csBlock& host : r1cs.blocks()) {
    blocks_.push_back({host.count,
                       host.num_inputs,
                       host.num_aux,
                       host.num_full,
                       host.num_constraints,
                       host.first_constraint,
                       host.num_parameters,
                       upload<uint32_t>(arena, host.parameters, stream),
                       {rows(host.a), rows(host.b), rows(host.c)}});
  }
  d_coefficients_ = upload<Fr>(arena, r1cs.coefficients(), stream);
  d_first_failing_ = arena.alloc<unsigned long long>(1);
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
}

std::optional<std::size_t> DeviceR1cs::evaluate(const DeviceWitness& witness, Fr* d_a, Fr* d_b, Fr* d_c,
                                                std::size_t size, cudaStream_t stream) const {
  CUZK_CHECK(size >= num_constraints_ + num_inputs_, "evaluate() needs the domain's size");
  constexpr unsigned long long kNone = ~0ULL;
  CUZK_CUDA_TRY(cudaMemsetAsync(d_first_failing_, 0xff, sizeof kNone, stream));
  const auto device = [](auto* p) { return reinterpret_cast<DeviceFr*>(p); };
  const auto* values = reinterpret_cast<const DeviceFr*>(witness.values);
  for (const Block& block : blocks_) {
    const std::size_t total = std::size_t{block.count} * block.num_constraints;
    if (total == 0) continue;
    const EvaluateKernelArgs args{block,           reinterpret_cast<const DeviceFr*>(d_coefficients_),
                                  values,          values + num_inputs_,
                                  witness.bits,    {device(d_a), device(d_b), device(d_c)},
                                  d_first_failing_};
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((total + 255) / 256, 1u << 20));
    evaluate_kernel<<<blocks, 256, 0, stream>>>(args);
    CUZK_CUDA_LAUNCHED();
  }
  const std::size_t closing = num_constraints_, rows = num_constraints_ + num_inputs_;
  CUZK_CUDA_TRY(cudaMemcpyAsync(d_a + closing, witness.values, num_inputs_ * sizeof(Fr),
                                cudaMemcpyDeviceToDevice, stream));
  CUZK_CUDA_TRY(cudaMemsetAsync(d_a + rows, 0, (size - rows) * sizeof(Fr), stream));
  for (Fr* d_values : {d_b, d_c}) {
    CUZK_CUDA_TRY(cudaMemsetAsync(d_values + closing, 0, (size - closing) * sizeof(Fr), stream));
  }
  unsigned long long first = kNone;
  CUZK_CUDA_TRY(cudaMemcpyAsync(&first, d_first_failing_, sizeof first, cudaMemcpyDeviceToHost, stream));
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
  if (first == kNone) return std::nullopt;
  return first;
}

}  // namespace cuzk::cuda
