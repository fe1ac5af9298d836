#!/usr/bin/env python3
"""Writes field_ptx.cuh: the carry-chain arithmetic of Fp (12 x 32 bits) and Fr (8 x 32 bits) as single PTX blocks.

Method. A product is formed in full, then its low half is cleared limb by limb (Montgomery, R = 2^(32 N)). Wide
multiply-adds are written as mad.lo.cc / madc.hi.cc pairs on two accumulators, one of the pairs at even limbs and one of
those at odd limbs, so that ptxas fuses each pair into one IMAD.WIDE; that pipe is the bottleneck. One level of
subtractive Karatsuba trades wide multiply-adds for additions on the idle pipe. A lone `addc x, x, 0` would be placed
on the multiplier pipe (IMAD.X); an addc.cc whose carry is consumed is not.

Reduction. M0 = -1/p mod 2^32 and M0 p = K 2^32 - 1. Adding v M0 p clears the limb v with v itself as the factor, without
a product for the factor and without a low word. The last row adds q p with q = v M0, so that the result stays below
2 p + T / R. Fr has no room for that bound (2^256 = 2.2 r): its rows are all of the second kind (M0 = -1, so q = -v),
result below r + T / R.

usage: gen_field_ptx.py OUTPUT     write the header
       gen_field_ptx.py --check    run every routine in an interpreter of these instructions against big integers,
                                   failing also on a carry that is dropped
"""
import random
import sys

MASK = 0xFFFFFFFF
FP = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
FR = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


def limbs(x, n):
    return [(x >> (32 * i)) & MASK for i in range(n)]


def value(words):
    return sum(w << (32 * i) for i, w in enumerate(words))


def imm(x):
    return f"0x{x:08x}"


class Emitter:
    """A straight-line program: instructions (name, destination, operands) on registers, inputs and immediates."""

    def __init__(self, p, n):
        self.p, self.n = p, n
        self.m0 = -pow(p, -1, 1 << 32) % (1 << 32)
        self.code = []
        self.num_regs = 0
        self.pending = False

    def op(self, name, *args):
        self.num_regs += 1
        dst = f"t{self.num_regs}"
        self.code.append((name, dst, args))
        return dst

    def p_limb(self, j, k=1):
        return imm(limbs(k * self.p, self.n)[j])

    def chain(self, name, a, b, tail_cc=False):
        """a + b or a - b over equally long lists."""
        out = []
        for k, (x, y) in enumerate(zip(a, b)):
            first, last = k == 0, k == len(a) - 1
            out.append(self.op(name + ("" if first else "c") + ("" if last and not tail_cc else ".cc") + ".u32", x, y))
        return out

    def add(self, a, b):
        return self.chain("add", a, b)

    def add_carry(self, a, b):
        return self.chain("add", a, b, True) + [self.op("addc.u32", "0", "0")]

    def sub(self, a, b):
        return self.chain("sub", a, b)

    def sub_mask(self, a, b):
        """a - b and a word that is all ones if that borrowed."""
        return self.chain("sub", a, b, True), self.op("subc.wrap.u32", "0", "0")


def mad_pair(e, acc, pos, x, y, carry, last):
    """acc[pos, pos + 1] += x * y (+ carry); returns whether a carry is pending. A pair that is still empty cannot carry."""
    lo, hi = acc.get(pos), acc.get(pos + 1)
    if lo is None and hi is None:
        if carry:
            acc[pos] = e.op("madc.lo.cc.u32", x, y, "0")
            acc[pos + 1] = e.op("madc.hi.u32", x, y, "0")
        else:
            acc[pos] = e.op("mul.lo.u32", x, y)
            acc[pos + 1] = e.op("mul.hi.u32", x, y)
        return False
    last = last or hi is None
    acc[pos] = e.op(("madc" if carry else "mad") + ".lo.cc.u32", x, y, lo or "0")
    acc[pos + 1] = e.op("madc.hi.u32" if last else "madc.hi.cc.u32", x, y, hi or "0")
    return not last


def product_row(e, acc, i, first, a, b_i, last_row):
    """Adds a[first..] * b_i at limb i. The two accumulators take alternate limbs of a; the chain that does not hold the
    top limb may carry, into the fresh high word of the other."""
    n = len(a)
    top = (i + n - 1) % 2
    carry = e.pending
    for j in [j for j in range(first, n) if (i + j) % 2 == top]:
        carry = mad_pair(e, acc[top], i + j, a[j], b_i, carry, False)
    e.pending = False
    assert not carry
    carry = False
    for j in [j for j in range(first, n) if (i + j) % 2 != top]:
        carry = mad_pair(e, acc[1 - top], i + j, a[j], b_i, carry, False)
    if carry:
        acc[top][i + n] = e.op("addc.u32" if last_row else "addc.cc.u32", acc[top][i + n], "0")
        e.pending = not last_row


def merge(e, acc, first, end):
    """The sum of both accumulators, limbs first .. end - 1."""
    out, started = [], False
    for k in range(first, end):
        x, y = acc[0].get(k), acc[1].get(k)
        if started:
            out.append(e.op("addc.u32" if k == end - 1 else "addc.cc.u32", x or "0", y or "0"))
        elif x is not None and y is not None:
            out.append(e.op("add.cc.u32", x, y))
            started = True
        else:
            out.append(x or y)
    return out


def schoolbook(e, a, b):
    acc = ({}, {})
    for i in range(len(b)):
        product_row(e, acc, i, 0, a, b[i], i == len(b) - 1)
    return merge(e, acc, 0, len(a) + len(b))


def karatsuba(e, a, b):
    """z0 + z2 + (a1 - a0)(b0 - b1) in the middle; the differences modulo 2^(32 h) with their signs as masks."""
    h = len(a) // 2
    z0 = schoolbook(e, a[:h], b[:h])
    z2 = schoolbook(e, a[h:], b[h:])
    da, sa = e.sub_mask(a[h:], a[:h])
    db, sb = e.sub_mask(b[:h], b[h:])
    zm = schoolbook(e, da, db)
    x = [e.op("and.b32", w, sa) for w in db]
    y = [e.op("and.b32", w, sb) for w in da]
    both = e.op("and.b32", e.op("and.b32", sa, sb), "1")
    middle = e.add(e.add_carry(z0, z2), zm + [both])
    high = e.sub(e.sub(middle[h:], x + ["0"]), y + ["0"])
    middle = middle[:h] + high
    t = z0 + z2
    return t[:h] + e.add(t[h:], middle + ["0"] * (len(t) - h - len(middle)))


def square(e, a):
    """Each product of two different limbs once, doubled, then the squares of the limbs."""
    n = len(a)
    acc = ({}, {})
    for i in range(n - 1):
        product_row(e, acc, i, i + 1, a, a[i], i == n - 2)
    off = merge(e, acc, 1, 2 * n - 1)
    twice = ["0"] + e.chain("add", off, off, True) + [e.op("addc.u32", "0", "0")]
    out = []
    for i in range(n):
        out.append(e.op("mad.lo.cc.u32" if i == 0 else "madc.lo.cc.u32", a[i], a[i], twice[2 * i]))
        out.append(e.op("madc.hi.cc.u32" if i < n - 1 else "madc.hi.u32", a[i], a[i], twice[2 * i + 1]))
    return out


def reduce_row_p(e, acc, i, carry_in):
    """Clears limb i of the sum of both accumulators with q p, q = v M0."""
    n = e.n
    cur, oth = acc[i % 2], acc[(i + 1) % 2]
    v = e.op("add.cc.u32", cur[i], oth[i]) if carry_in else cur[i]
    q = e.op("sub.wrap.u32", "0", v) if e.m0 == MASK else e.op("mul.lo.u32", v, imm(e.m0))
    carry = carry_in
    for j in range(1, n, 2):
        carry = mad_pair(e, oth, i + j, q, e.p_limb(j), carry, j == n - 1)
    # The low word of q p[0] cancels v; its carry is whether v is not 0.
    e.op("add.cc.u32", v, imm(MASK))
    p0_high = "0" if e.p_limb(0) == imm(1) else e.op("mul.hi.u32", q, e.p_limb(0))
    cur[i + 1] = e.op("addc.cc.u32", cur[i + 1], p0_high)
    for j in range(2, n, 2):
        pos, last = i + j, j == n - 2 and i > 0  # only the addend of row 0 is a full number: only it can carry out
        cur[pos] = e.op("madc.lo.cc.u32", q, e.p_limb(j), cur.get(pos) or "0")
        cur[pos + 1] = e.op("madc.hi.u32" if last else "madc.hi.cc.u32", q, e.p_limb(j), cur.get(pos + 1) or "0")
    if i == 0:
        oth[n] = e.op("addc.u32", oth[n], "0")


def reduce_row_k(e, acc, i):
    """Clears limb i with v M0 p = v K 2^32 - v."""
    n, k = e.n, limbs((e.m0 * e.p + 1) >> 32, e.n)
    cur, oth = acc[i % 2], acc[(i + 1) % 2]
    v = e.op("add.cc.u32", cur[i], oth[i]) if i > 0 else cur[i]
    carry = i > 0
    for j in range(0, n, 2):
        carry = mad_pair(e, oth, i + 1 + j, v, imm(k[j]), carry, j >= n - 2)
    assert not carry
    for j in range(1, n, 2):
        carry = mad_pair(e, cur, i + 1 + j, v, imm(k[j]), carry, j >= n - 2)
    assert not carry


def reduce_last_row_fp(e, acc):
    """Row n - 1 after rows of the other kind: no row above, so both chains end in limb 2 n - 1."""
    n = e.n
    i = n - 1
    cur, oth = acc[i % 2], acc[(i + 1) % 2]
    v = e.op("add.cc.u32", cur[i], oth[i])
    q = e.op("mul.lo.u32", v, imm(e.m0))
    carry = True
    for j in range(1, n, 2):
        carry = mad_pair(e, oth, i + j, q, e.p_limb(j), carry, j == n - 1)
    p0_high = e.op("mul.hi.u32", q, e.p_limb(0))
    e.op("add.cc.u32", v, imm(MASK))
    cur[n] = e.op("addc.cc.u32", cur[n], p0_high)
    for j in range(2, n, 2):
        cur[i + j] = e.op("madc.lo.cc.u32", q, e.p_limb(j), cur.get(i + j) or "0")
        cur[i + j + 1] = e.op("madc.hi.cc.u32", q, e.p_limb(j), cur.get(i + j + 1) or "0")
    oth[2 * n - 1] = e.op("addc.u32", oth[2 * n - 1], "0")


def reduce(e, t):
    """T (2 n limbs) -> (T + q p) / 2^(32 n), n limbs."""
    n = e.n
    acc = ({k: t[k] for k in range(n)}, {})
    if e.p == FP:
        for i in range(n - 1):
            reduce_row_k(e, acc, i)
        reduce_last_row_fp(e, acc)
    else:
        for i in range(n):
            reduce_row_p(e, acc, i, i > 0)
    return e.add(merge(e, acc, n, 2 * n), t[n:])


def mul_sub(e, a, b, c, d):
    """(a b - c d) / R + p: p R is added before the reduction, so that the difference is positive."""
    ab = karatsuba(e, a, b)
    ab = ab[: e.n] + e.add(ab[e.n :], [e.p_limb(j) for j in range(e.n)])
    return reduce(e, e.sub(ab, karatsuba(e, c, d)))


def add_masked(e, a, mask, k):
    """a + (k p & mask) modulo 2^(32 N): undoes a borrow, so the carry out is dropped on purpose."""
    added = [e.op("and.b32", mask, e.p_limb(j, k)) for j in range(e.n)]
    out = e.chain("add", a[:-1], added[:-1], True)
    return out + [e.op("addc.wrap.u32", a[-1], added[-1])]


# name, number of field inputs, whether a mask is the last input, whether a mask is returned, body, comment
def routines(p, n):
    k_p = [limbs(k * p, n) for k in range(4)]
    table = [
        ("add_raw", 2, False, False, lambda e, a, b: e.add(a, b), "a + b, not reduced; the sum must fit"),
        ("sub_raw", 2, False, True, lambda e, a, b: e.sub_mask(a, b), "a - b modulo 2^(32 N); returns the borrow as a mask"),
        ("sub_p", 1, False, True, lambda e, a: e.sub_mask(a, [imm(w) for w in k_p[1]]), "a - p; returns the borrow as a mask"),
        ("p_sub", 1, False, False, lambda e, a: e.sub([imm(w) for w in k_p[1]], a), "p - a, a <= p"),
        ("add_p", 1, False, False, lambda e, a: e.add(a, [imm(w) for w in k_p[1]]), "a + p, not reduced"),
        ("add_p_masked", 1, True, False, lambda e, a, m: add_masked(e, a, m, 1), "a + (p & mask)"),
    ]
    if p == FP:
        table += [
            ("add_2p_masked", 1, True, False, lambda e, a, m: add_masked(e, a, m, 2), "a + (2 p & mask)"),
            ("add_3p_masked", 1, True, False, lambda e, a, m: add_masked(e, a, m, 3), "a + (3 p & mask)"),
            ("add_3p", 1, False, False, lambda e, a: e.add(a, [imm(w) for w in k_p[3]]), "a + 3 p, not reduced"),
            ("mul_raw", 2, False, False, lambda e, a, b: reduce(e, karatsuba(e, a, b)), "a b / R, below 2 p + a b / R"),
            ("sqr_raw", 1, False, False, lambda e, a: reduce(e, square(e, a)), "a a / R, below 2 p + a a / R"),
            ("mul_sub_raw", 4, False, False, mul_sub, "(a b - c d) / R + p, below 3 p + a b / R, for c d < p R"),
        ]
    else:
        table += [
            ("mul_raw", 2, False, False, lambda e, a, b: reduce(e, schoolbook(e, a, b)), "a b / R, below r + a b / R"),
            ("mul_karatsuba_raw", 2, False, False, lambda e, a, b: reduce(e, karatsuba(e, a, b)), "the same"),
        ]
    return table


def build(p, n, routine):
    _, fields, has_mask, returns_mask, body, _ = routine
    e = Emitter(p, n)
    args = [[f"in{k * n + j}" for j in range(n)] for k in range(fields)]
    if has_mask:
        args.append(f"in{fields * n}")
    result = body(e, *args)
    return e, (result[0] + [result[1]] if returns_mask else result)


def write_routine(prefix, p, n, routine):
    name, fields, has_mask, returns_mask, _, comment = routine
    e, outputs = build(p, n, routine)
    num_out = len(outputs)
    operand = {f"in{k}": f"%{num_out + k}" for k in range(fields * n + has_mask)}
    lines = []
    for op, dst, args in e.code:
        lines.append(f"{op.replace('.wrap', '')} {dst}, {', '.join(operand.get(x, x) for x in args)};")
    lines += [f"mov.b32 %{k}, {operand.get(x, x)};" for k, x in enumerate(outputs)]
    struct = "DeviceFp" if p == FP else "DeviceFr"
    names = "abcd"
    params = [f"{struct}& r"] + [f"const {struct}& {names[k]}" for k in range(fields)] + (["uint32_t mask"] if has_mask else [])
    out = [f'"=r"(r.v[{k}])' for k in range(n)] + (['"=r"(borrow)'] if returns_mask else [])
    ins = [f'"r"({names[k]}.v[{j}])' for k in range(fields) for j in range(n)] + (['"r"(mask)'] if has_mask else [])
    text = f"// {comment}.\n"
    text += f"__device__ __forceinline__ {'uint32_t' if returns_mask else 'void'} {prefix}_{name}({', '.join(params)}) {{\n"
    if returns_mask:
        text += "  uint32_t borrow;\n"
    text += f'  asm("{{\\n\\t.reg .u32 t<{e.num_regs + 1}>;\\n\\t"\n'
    text += "".join(f'      "{line}\\n\\t"\n' for line in lines)
    text += f'      "}}"\n      : {", ".join(out)}\n      : {", ".join(ins)});\n'
    if returns_mask:
        text += "  return borrow;\n"
    return text + "}\n"


def run(code, registers):
    """Interprets the instructions; fails when an addition without .cc and without .wrap loses a carry or borrow."""
    carry = 0
    get = lambda x: registers[x] if x in registers else int(x, 0)
    for name, dst, args in code:
        parts = name.split(".")
        x = [get(a) for a in args]
        base, cc = parts[0], "cc" in parts
        extra = carry if base in ("addc", "madc", "subc") else 0
        if base in ("add", "addc"):
            full = x[0] + x[1] + extra
        elif base in ("sub", "subc"):
            full = x[0] - x[1] - extra
        elif base in ("mad", "madc"):
            full = x[0] * x[1]
            full = (full & MASK if "lo" in parts else full >> 32) + x[2] + extra
        elif base == "mul":
            full = x[0] * x[1] & MASK if "lo" in parts else x[0] * x[1] >> 32
        else:
            assert base == "and"
            full = x[0] & x[1]
        if cc:
            carry = int(not 0 <= full <= MASK)
        else:
            assert "wrap" in parts or 0 <= full <= MASK, f"lost carry in {name} {dst}"
        registers[dst] = full & MASK
    return registers


def expected(name, p, n, a):
    """(check of the result, or None if the operands are outside the routine's domain)"""
    r, big = 1 << (32 * n), 1 << (32 * n)
    congruent = lambda got, want, bound: (got * r - want) % p == 0 and got < bound
    if name == "add_raw":
        return lambda got: got == (a[0] + a[1]) if a[0] + a[1] < big else None
    if name in ("sub_raw", "sub_p"):
        b = a[1] if name == "sub_raw" else p
        return lambda got: got == (a[0] - b) % big + ((big * MASK) if a[0] < b else 0)
    if name == "p_sub":
        return (lambda got: got == p - a[0]) if a[0] <= p else None
    if name in ("add_p", "add_3p"):
        k = 1 if name == "add_p" else 3
        return (lambda got: got == a[0] + k * p) if a[0] + k * p < big else None
    if name.endswith("masked"):
        k = int(name[4]) if name[4].isdigit() else 1
        return lambda got: got == (a[0] + (k * p if a[-1] else 0)) % big
    if name.startswith("mul_sub"):
        want = a[0] * a[1] - a[2] * a[3] + p * r
        return (lambda got: congruent(got, want, 3 * p + a[0] * a[1] // r + 1)) if a[2] * a[3] <= p * r else None
    want = a[0] * a[0] if name.startswith("sqr") else a[0] * a[1]
    slack = 2 * p if p == FP else p
    return (lambda got: congruent(got, want, slack + want // r + 1)) if slack + want // r < big else None


def check():
    rng = random.Random(20240601)
    for prefix, p, n in (("fp", FP, 12), ("fr", FR, 8)):
        top = int(4.5 * p) if p == FP else (1 << 256) - 1
        edges = [0, 1, p - 1, p, p + 1, 2 * p - 1, min(2 * p, top), top, (1 << (32 * n - 32)) - 1, MASK]
        for routine in routines(p, n):
            name, fields, has_mask, returns_mask = routine[:4]
            e, outputs = build(p, n, routine)
            done = 0
            for trial in range(3000):
                a = [rng.choice(edges) if rng.random() < 0.3 else rng.randrange(rng.choice([p, 2 * p, top])) for _ in range(fields)]
                if has_mask:
                    a.append(rng.choice([0, MASK]))
                verify = expected(name, p, n, a)
                if verify is None or (name == "add_raw" and a[0] + a[1] >= 1 << (32 * n)):
                    continue
                words = [w for x in a[:fields] for w in limbs(x, n)] + (a[fields:] if has_mask else [])
                registers = run(e.code, {f"in{k}": w for k, w in enumerate(words)})
                got = value([registers[x] if x in registers else int(x, 0) for x in outputs])
                assert verify(got), f"{prefix}_{name}({', '.join(map(hex, a))}) = {got:#x}"
                done += 1
            assert done > 300, name
            wide = sum(1 for op, _, _ in e.code if op.startswith(("mad.lo", "madc.lo", "mul.lo")))
            print(f"{prefix}_{name}: {done} cases, {wide} wide multiply-adds, {len(e.code)} instructions")


def main():
    if sys.argv[1:] == ["--check"]:
        check()
        return
    text = "// Generated by gen_field_ptx.py.\n#pragma once\n\n#include \"cuda/field/device_field.cuh\"\n\nnamespace cuzk::cuda {\n\n"
    for prefix, p, n in (("fp", FP, 12), ("fr", FR, 8)):
        text += "".join(write_routine(prefix, p, n, routine) + "\n" for routine in routines(p, n))
    with open(sys.argv[1], "w") as f:
        f.write(text + "}  // namespace cuzk::cuda\n")


main()
