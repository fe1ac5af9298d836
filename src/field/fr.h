// Fr: the scalar field of BLS12-381, modulus r (255 bits), in which witnesses and constraints live.
#pragma once

#include "field/montgomery.h"
#include "field/prime_field.h"

namespace cuzk {

struct FrParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr Limbs<4> kModulus = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805,
                                        0x73eda753299d7d48};
  static constexpr Limbs<4> kOne = {0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5,
                                    0x1824b159acc5056f};
  static constexpr Limbs<4> kR2 = {0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f,
                                   0x0748d9d99f59ff11};
  static constexpr std::uint64_t kInverse = 0xfffffffeffffffff;  // -1/r mod 2^64
  // 7^((r-1)/2^32), of order 2^32.
  static constexpr Limbs<4> kRootOfUnity = {0xb9b58d8c5f0e466a, 0x5b1b4c801819d7ec, 0x0af53ae352a31e64,
                                            0x5bf3adda19e9b27b};
  static void mul(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept { fr_mul(out, a, b); }
};

using Fr = PrimeField<FrParams>;
using FrRepr = Fr::Repr;

inline constexpr unsigned kFrNumBits = 255;   // every canonical element is below 2^255
inline constexpr unsigned kFrCapacity = 254;  // every integer of 254 bits is a canonical element
inline constexpr unsigned kFrTwoAdicity = 32;

// 7, a multiplicative generator, and 7^((r-1)/2^32), a root of unity of order 2^32.
inline constexpr Fr kFrGenerator =
    Fr::from_montgomery({0x0000000efffffff1, 0x17e363d300189c0f, 0xff9c57876f8457b0, 0x351332208fc5a8c4});
inline constexpr Fr kFrRootOfUnity = Fr::from_montgomery(FrParams::kRootOfUnity);

}  // namespace cuzk
