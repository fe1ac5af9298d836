#include "cuda/setup/fixed_base.h"

#include "base/check.h"
#include "cuda/setup/fixed_base_kernels.cuh"

namespace cuzk::cuda {
namespace {

template <typename F>
struct DeviceFieldOf;
template <>
struct DeviceFieldOf<Fp> {
  using Type = DeviceFp;
};
template <>
struct DeviceFieldOf<Fp2> {
  using Type = DeviceFp2;
};

template <typename F>
using DeviceAffineOf = DeviceAffine<typename DeviceFieldOf<F>::Type>;

static_assert(FixedBaseTable::kEntries % kFixedBaseThreads == 0);

}  // namespace

template <typename F>
DeviceFixedBase<F>::DeviceFixedBase(const AffinePoint<F>& base, cudaStream_t stream)
    : table_(FixedBaseTable::kEntries) {
  CUZK_CHECK(!base.is_infinity(), "a fixed base at infinity");
  const auto powers = window_powers(base);
  const DeviceBuffer<AffinePoint<F>> d_powers{std::span<const AffinePoint<F>>(powers)};
  constexpr auto kBlocks = static_cast<unsigned>(FixedBaseTable::kEntries / kFixedBaseThreads);
  fill_table_kernel<typename DeviceFieldOf<F>::Type>
      <<<kBlocks, kFixedBaseThreads, 0, stream>>>(reinterpret_cast<const DeviceAffineOf<F>*>(d_powers.data()),
                                                  reinterpret_cast<DeviceAffineOf<F>*>(table_.data()));
  CUZK_CUDA_LAUNCHED();
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
}

template <typename F>
void DeviceFixedBase<F>::multiply(const Fr* d_scalars, std::size_t n, std::uint8_t* d_encoded,
                                  cudaStream_t stream) const {
  if (n == 0) return;
  const std::size_t blocks = (n + kFixedBaseThreads - 1) / kFixedBaseThreads;
  CUZK_CHECK(blocks <= 0x7fffffff, "too many products for one launch");
  multiply_kernel<typename DeviceFieldOf<F>::Type>
      <<<static_cast<unsigned>(blocks), kFixedBaseThreads, 0, stream>>>(
          reinterpret_cast<const DeviceAffineOf<F>*>(table_.data()),
          reinterpret_cast<const DeviceFr*>(d_scalars), n, reinterpret_cast<DeviceFp*>(d_encoded));
  CUZK_CUDA_LAUNCHED();
}

template class DeviceFixedBase<Fp>;
template class DeviceFixedBase<Fp2>;

}  // namespace cuzk::cuda
