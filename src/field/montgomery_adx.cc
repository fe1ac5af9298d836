// Montgomery products with mulx, adcx and adox: two carry chains side by side, one for the low and one for
// the high halves of the partial products. The rows are those of the portable code (montgomery.h). Because b
// < p, and p leaves the top bit free, t stays below 2p after each row and N + 1 limbs hold every intermediate
// sum, whatever a is: t + a_i b + m p < 2^64 * 2p.
#include "field/fp.h"
#include "field/fr.h"
#include "field/montgomery.h"

namespace cuzk {
namespace {

// Operands of the steps: a, b pointers; t0..t6 the sum; x, y scratch; p0..p5 and inv in memory.

// Row 0, t = a_0 b, on the chain CF.
#define CUZK_FIRST_STEP(j, at, above) "mulx 8*" #j "(%[b]), %[x], %[" #above "]\n\t adc %[x], %[" #at "]\n\t"
// Row i: t_j += low(a_i b_j) on CF, t_{j+1} += high(a_i b_j) on OF.
#define CUZK_ROW_STEP(j, at, above) \
  "mulx 8*" #j "(%[b]), %[x], %[y]\n\t adcx %[x], %[" #at "]\n\t adox %[y], %[" #above "]\n\t"
// Reduction with the move down by one limb: t_{j-1} = high(m p_{j-1}) + t_j on CF + low(m p_j) on OF.
#define CUZK_REDUCE_STEP(j, below, at) \
  "adcx %[" #at "], %[" #below "]\n\t mulx %[p" #j "], %[x], %[" #at "]\n\t adox %[x], %[" #below "]\n\t"

#define CUZK_BEGIN_FIRST_ROW "mov (%[a]), %%rdx\n\t xor %k[x], %k[x]\n\t mulx (%[b]), %[t0], %[t1]\n\t"
#define CUZK_BEGIN_ROW(i, top) "mov 8*" #i "(%[a]), %%rdx\n\t xor %k[" #top "], %k[" #top "]\n\t"
#define CUZK_END_ROW(top) "mov $0, %k[x]\n\t adcx %[x], %[" #top "]\n\t"
#define CUZK_BEGIN_REDUCE                                                                       \
  "mov %[inv], %%rdx\n\t imul %[t0], %%rdx\n\t xor %k[x], %k[x]\n\t mulx %[p0], %[x], %[y]\n\t" \
  "adcx %[t0], %[x]\n\t mov %[y], %[t0]\n\t"
#define CUZK_END_REDUCE(last, top) \
  "mov $0, %k[x]\n\t adcx %[x], %[" #last "]\n\t adox %[" #top "], %[" #last "]\n\t"

// Tables of macros: clang-format 14 finds no stable form for them.
// clang-format off
#define CUZK_FIRST_ROW_4 \
  CUZK_BEGIN_FIRST_ROW CUZK_FIRST_STEP(1, t1, t2) CUZK_FIRST_STEP(2, t2, t3) CUZK_FIRST_STEP(3, t3, t4) \
  "adc $0, %[t4]\n\t"
#define CUZK_ROW_4(i) \
  CUZK_BEGIN_ROW(i, t4) CUZK_ROW_STEP(0, t0, t1) CUZK_ROW_STEP(1, t1, t2) CUZK_ROW_STEP(2, t2, t3) \
  CUZK_ROW_STEP(3, t3, t4) CUZK_END_ROW(t4)
#define CUZK_REDUCE_4 \
  CUZK_BEGIN_REDUCE CUZK_REDUCE_STEP(1, t0, t1) CUZK_REDUCE_STEP(2, t1, t2) CUZK_REDUCE_STEP(3, t2, t3) \
  CUZK_END_REDUCE(t3, t4)

#define CUZK_FIRST_ROW_6 \
  CUZK_BEGIN_FIRST_ROW CUZK_FIRST_STEP(1, t1, t2) CUZK_FIRST_STEP(2, t2, t3) CUZK_FIRST_STEP(3, t3, t4) \
  CUZK_FIRST_STEP(4, t4, t5) CUZK_FIRST_STEP(5, t5, t6) "adc $0, %[t6]\n\t"
#define CUZK_ROW_6(i) \
  CUZK_BEGIN_ROW(i, t6) CUZK_ROW_STEP(0, t0, t1) CUZK_ROW_STEP(1, t1, t2) CUZK_ROW_STEP(2, t2, t3) \
  CUZK_ROW_STEP(3, t3, t4) CUZK_ROW_STEP(4, t4, t5) CUZK_ROW_STEP(5, t5, t6) CUZK_END_ROW(t6)
#define CUZK_REDUCE_6 \
  CUZK_BEGIN_REDUCE CUZK_REDUCE_STEP(1, t0, t1) CUZK_REDUCE_STEP(2, t1, t2) CUZK_REDUCE_STEP(3, t2, t3) \
  CUZK_REDUCE_STEP(4, t3, t4) CUZK_REDUCE_STEP(5, t4, t5) CUZK_END_REDUCE(t5, t6)
// clang-format on

// Static copies, so that the assembly addresses them relative to the instruction and needs no register for
// them.
constexpr Limbs<6> kP = FpParams::kModulus;
constexpr std::uint64_t kPInverse = FpParams::kInverse;
constexpr Limbs<4> kR = FrParams::kModulus;
constexpr std::uint64_t kRInverse = FrParams::kInverse;

}  // namespace

void fp_mul_adx(Limbs<6>& out, const Limbs<6>& a, const Limbs<6>& b) noexcept {
  std::uint64_t t0, t1, t2, t3, t4, t5, t6, x, y;
  asm(CUZK_FIRST_ROW_6 CUZK_REDUCE_6                                   //
          CUZK_ROW_6(1) CUZK_REDUCE_6 CUZK_ROW_6(2) CUZK_REDUCE_6      //
              CUZK_ROW_6(3) CUZK_REDUCE_6 CUZK_ROW_6(4) CUZK_REDUCE_6  //
                  CUZK_ROW_6(5) CUZK_REDUCE_6
      : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5),
        [t6] "=&r"(t6), [x] "=&r"(x), [y] "=&r"(y)
      : [a] "r"(a.data()), [b] "r"(b.data()), [p0] "m"(kP[0]), [p1] "m"(kP[1]), [p2] "m"(kP[2]),
        [p3] "m"(kP[3]), [p4] "m"(kP[4]), [p5] "m"(kP[5]), [inv] "m"(kPInverse), "m"(a), "m"(b)
      : "rdx", "cc");
  // t < 2p: subtract p, and keep t where that borrows.
  std::uint64_t d0 = t0, d1 = t1, d2 = t2, d3 = t3, d4 = t4, d5 = t5;
  asm("sub %[p0], %[d0]\n\t sbb %[p1], %[d1]\n\t sbb %[p2], %[d2]\n\t sbb %[p3], %[d3]\n\t sbb %[p4], "
      "%[d4]\n\t"
      "sbb %[p5], %[d5]\n\t cmovc %[t0], %[d0]\n\t cmovc %[t1], %[d1]\n\t cmovc %[t2], %[d2]\n\t"
      "cmovc %[t3], %[d3]\n\t cmovc %[t4], %[d4]\n\t cmovc %[t5], %[d5]\n\t"
      : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3), [d4] "+&r"(d4), [d5] "+&r"(d5)
      : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [t4] "r"(t4), [t5] "r"(t5), [p0] "m"(kP[0]),
        [p1] "m"(kP[1]), [p2] "m"(kP[2]), [p3] "m"(kP[3]), [p4] "m"(kP[4]), [p5] "m"(kP[5])
      : "cc");
  out = {d0, d1, d2, d3, d4, d5};
}

void fr_mul_adx(Limbs<4>& out, const Limbs<4>& a, const Limbs<4>& b) noexcept {
  std::uint64_t t0, t1, t2, t3, t4, x, y;
  asm(CUZK_FIRST_ROW_4 CUZK_REDUCE_4 CUZK_ROW_4(1) CUZK_REDUCE_4  //
          CUZK_ROW_4(2) CUZK_REDUCE_4 CUZK_ROW_4(3) CUZK_REDUCE_4
      : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [x] "=&r"(x),
        [y] "=&r"(y)
      : [a] "r"(a.data()), [b] "r"(b.data()), [p0] "m"(kR[0]), [p1] "m"(kR[1]), [p2] "m"(kR[2]),
        [p3] "m"(kR[3]), [inv] "m"(kRInverse), "m"(a), "m"(b)
      : "rdx", "cc");
  std::uint64_t d0 = t0, d1 = t1, d2 = t2, d3 = t3;
  asm("sub %[p0], %[d0]\n\t sbb %[p1], %[d1]\n\t sbb %[p2], %[d2]\n\t sbb %[p3], %[d3]\n\t"
      "cmovc %[t0], %[d0]\n\t cmovc %[t1], %[d1]\n\t cmovc %[t2], %[d2]\n\t cmovc %[t3], %[d3]\n\t"
      : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3)
      : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [p0] "m"(kR[0]), [p1] "m"(kR[1]),
        [p2] "m"(kR[2]), [p3] "m"(kR[3])
      : "cc");
  out = {d0, d1, d2, d3};
}

}  // namespace cuzk
