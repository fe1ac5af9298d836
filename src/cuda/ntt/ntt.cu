#include "cuda/ntt/ntt.h"

#include "base/check.h"
#include "cuda/ntt/ntt_kernels.cuh"

namespace cuzk::cuda {
namespace {

DeviceFr to_device(const Fr& x) {
  DeviceFr out;
  static_assert(sizeof out == sizeof x);
  std::memcpy(&out, &x, sizeof out);
  return out;
}
const DeviceFr* device(const Fr* p) {
  return reinterpret_cast<const DeviceFr*>(p);
}
DeviceFr* device(Fr* p) {
  return reinterpret_cast<DeviceFr*>(p);
}

// An element of order 2^log_n, the one of the host's Domain; log_n at most 32.
Fr root_of_unity(unsigned log_n) {
  Fr root = kFrRootOfUnity;
  for (unsigned i = log_n; i < kFrTwoAdicity; ++i) root = root.squared();
  return root;
}

struct TableSizes {
  std::size_t input, high, low, roots;
  std::size_t total() const { return input + high + low + roots; }
};
// With every optional table.
TableSizes table_sizes(const NttPass& pass) {
  const std::size_t radix = std::size_t{1} << pass.log_radix;
  const unsigned log_low = ntt_log_low(pass);
  return {radix, radix << (pass.log_rest - log_low), ntt_two_tables(pass) ? radix << log_low : 0, radix};
}

void launch_table(Fr* d_out, unsigned log_k, unsigned log_m, const Fr& root, const Fr& by_k, const Fr& by_m,
                  const Fr& scale, cudaStream_t stream) {
  const NttTableArgs args{device(d_out),   log_k,           log_m,           to_device(root),
                          to_device(by_k), to_device(by_m), to_device(scale)};
  const std::size_t size = std::size_t{1} << (log_k + log_m);
  ntt_table_kernel<<<static_cast<unsigned>(std::min<std::size_t>((size + 255) / 256, 4096)), 256, 0,
                     stream>>>(args);
  CUZK_CUDA_LAUNCHED();
}

}  // namespace

std::size_t DeviceDomain::table_bytes(unsigned log_n) {
  const NttPlan plan(log_n);
  std::size_t elements = 0;
  for (unsigned i = 0; i < plan.num_passes(); ++i) elements += table_sizes(plan.pass(i)).total();
  return elements * kNumKinds * sizeof(Fr);
}

DeviceDomain::DeviceDomain(unsigned log_n, cudaStream_t stream)
    : plan_(log_n), memory_(table_bytes(log_n) / sizeof(Fr)) {
  CUZK_CHECK(log_n <= NttPlan::kMaxLogN, "a domain with a coset has at most 2^31 elements");
  const auto shared = static_cast<int>(ntt_shared_bytes(kNttLogTile));
  CUZK_CUDA_TRY(cudaFuncSetAttribute(ntt_pass_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  Fr* d_next = memory_.data();
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) build(static_cast<Kind>(kind), d_next, stream);
  CUZK_CUDA_TRY(cudaStreamSynchronize(stream));
}

// Where the factors beside the roots go. The forward coset transform scales input j by g^j: its first digit in the
// first pass's input factors, all others, `rest`, in the first twiddles. The inverse one scales output k by g^-k: digit
// k_i, worth 2^log_done, in the twiddles of pass i. The constant (1 / n, 1 / 2 n, -1 / 2 n) is in the first twiddles.
void DeviceDomain::build(Kind kind, Fr*& d_next, cudaStream_t stream) {
  const bool inverse = kind == kInverse || kind == kHalfInverse || kind == kCosetInverse;
  const bool coset_output = kind == kCosetInverse;
  const Fr root = inverse ? root_of_unity(log_n()).inverse() : root_of_unity(log_n());
  Fr constant = Fr::one();
  if (inverse) constant = Fr::from_u64(kind == kInverse ? size() : 2 * size()).inverse();
  if (kind == kCosetInverse) constant = -constant;
  const Fr generator = root_of_unity(log_n() + 1);
  const Fr shift = coset_output ? generator.inverse() : Fr::one();
  for (unsigned i = 0; i < plan_.num_passes(); ++i) {
    const NttPass pass = plan_.pass(i);
    const TableSizes sizes = table_sizes(pass);
    PassTables& tables = tables_[kind][i];
    const auto take = [&](std::size_t elements) { return std::exchange(d_next, d_next + elements); };
    Fr *d_input = take(sizes.input), *d_high = take(sizes.high), *d_low = take(sizes.low),
       *d_roots = take(sizes.roots);

    const Fr radix_root = root.pow(std::uint64_t{1} << (log_n() - pass.log_radix));
    launch_table(d_roots, 0, pass.log_radix, Fr::one(), Fr::one(), radix_root, Fr::one(), stream);
    tables.roots = d_roots;
    const bool coset_input = kind == kCosetForward && i == 0;
    if (coset_input) {
      launch_table(d_input, 0, pass.log_radix, Fr::one(), Fr::one(),
                   generator.pow(std::uint64_t{1} << pass.log_rest), Fr::one(), stream);
      tables.input = d_input;
    }
    const bool plain_last = pass.log_rest == 0 && !coset_output && !(inverse && i == 0);
    if (plain_last) continue;
    const unsigned log_low = ntt_log_low(pass);
    const Fr step = root.pow(std::uint64_t{1} << pass.log_done);
    const Fr by_rest = coset_input ? generator : Fr::one();
    launch_table(d_high, pass.log_radix, pass.log_rest - log_low, step.pow(std::uint64_t{1} << log_low),
                 shift.pow(std::uint64_t{1} << pass.log_done), by_rest.pow(std::uint64_t{1} << log_low),
                 i == 0 ? constant : Fr::one(), stream);
    tables.high = d_high;
    if (ntt_two_tables(pass)) {
      launch_table(d_low, pass.log_radix, log_low, step, Fr::one(), by_rest, Fr::one(), stream);
      tables.low = d_low;
    }
  }
}

void DeviceDomain::run(Kind kind, Fr* d_data, const Fr* d_b, const Fr* d_sum, Fr* d_scratch,
                       cudaStream_t stream) const {
  const Fr* d_in = d_data;
  for (unsigned i = 0; i < plan_.num_passes(); ++i) {
    const NttPass pass = plan_.pass(i);
    const PassTables& tables = tables_[kind][i];
    const bool last = i + 1 == plan_.num_passes();
    Fr* d_out = !last && d_in == d_data ? d_scratch : d_data;
    const unsigned log_columns = ntt_log_columns(pass);
    NttPassArgs args{device(d_in),
                     i == 0 ? device(d_b) : nullptr,
                     device(d_out),
                     last ? device(d_sum) : nullptr,
                     device(tables.input),
                     device(tables.roots),
                     device(tables.high),
                     device(tables.low),
                     pass,
                     log_columns,
                     ntt_log_low(pass)};
    const unsigned blocks = 1u << (pass.log_rest + pass.log_done - log_columns);
    const unsigned shared = ntt_shared_bytes(pass.log_radix + log_columns);
    ntt_pass_kernel<<<blocks, kNttThreads, shared, stream>>>(args);
    CUZK_CUDA_LAUNCHED();
    d_in = d_out;
  }
}

void DeviceDomain::ntt(Fr* d_data, Fr* d_scratch, cudaStream_t stream) const {
  run(kForward, d_data, nullptr, nullptr, d_scratch, stream);
}
void DeviceDomain::intt(Fr* d_data, Fr* d_scratch, cudaStream_t stream) const {
  run(kInverse, d_data, nullptr, nullptr, d_scratch, stream);
}

void DeviceDomain::quotient(Fr* d_a, Fr* d_b, Fr* d_c, Fr* d_scratch, cudaStream_t stream) const {
  for (Fr* d_values : {d_a, d_b}) {
    run(kInverse, d_values, nullptr, nullptr, d_scratch, stream);
    run(kCosetForward, d_values, nullptr, nullptr, d_scratch, stream);
  }
  run(kHalfInverse, d_c, nullptr, nullptr, d_scratch, stream);
  run(kCosetInverse, d_a, d_b, d_c, d_scratch, stream);
}

}  // namespace cuzk::cuda
