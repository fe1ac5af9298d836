// The sum of full products with mulx, adcx and adox, in nine registers: per row the low halves go up on the
// chain CF, the high halves on OF, and both carries run to the top.
#include "hash/fr_dot_wide.h"

namespace cuzk::detail {
namespace {

#define CUZK_DOT_STEP(j, at, above) \
  "mulx 8*" #j "(%[b]), %[x], %[y]\n\t adcx %[x], %[" #at "]\n\t adox %[y], %[" #above "]\n\t"
#define CUZK_DOT_ROW(i, t0, t1, t2, t3, t4)                                                              \
  "mov 8*" #i "(%[a]), %%rdx\n\t xor %k[x], %k[x]\n\t" CUZK_DOT_STEP(0, t0, t1) CUZK_DOT_STEP(1, t1, t2) \
      CUZK_DOT_STEP(2, t2, t3) CUZK_DOT_STEP(3, t3, t4) "mov $0, %k[x]\n\t adcx %[x], %[" #t4 "]\n\t"
#define CUZK_DOT_CARRY(t) "adox %[x], %[" #t "]\n\t adcx %[x], %[" #t "]\n\t"

}  // namespace

void accumulate_products_adx(Limbs<9>& acc, const Fr* a, const Fr* b, std::size_t n) noexcept {
  std::uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0, t7 = 0, t8 = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Limbs<4>& left = a[i].montgomery();
    const Limbs<4>& right = b[i].montgomery();
    std::uint64_t x, y;
    asm(CUZK_DOT_ROW(0, t0, t1, t2, t3, t4)                                          //
        CUZK_DOT_CARRY(t5) CUZK_DOT_CARRY(t6) CUZK_DOT_CARRY(t7) CUZK_DOT_CARRY(t8)  //
        CUZK_DOT_ROW(1, t1, t2, t3, t4, t5)                                          //
        CUZK_DOT_CARRY(t6) CUZK_DOT_CARRY(t7) CUZK_DOT_CARRY(t8)                     //
        CUZK_DOT_ROW(2, t2, t3, t4, t5, t6)                                          //
        CUZK_DOT_CARRY(t7) CUZK_DOT_CARRY(t8)                                        //
        CUZK_DOT_ROW(3, t3, t4, t5, t6, t7)                                          //
        CUZK_DOT_CARRY(t8)
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5),
          [t6] "+&r"(t6), [t7] "+&r"(t7), [t8] "+&r"(t8), [x] "=&r"(x), [y] "=&r"(y)
        : [a] "r"(left.data()), [b] "r"(right.data()), "m"(left), "m"(right)
        : "rdx", "cc");
  }
  acc = {t0, t1, t2, t3, t4, t5, t6, t7, t8};
}

}  // namespace cuzk::detail
