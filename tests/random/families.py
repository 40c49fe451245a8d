"""Families of opcodes for random programs (program.py): how to build one instruction of each.

build(p, op) adds instructions to p and returns the values that may be used afterwards. Operands that operations with
jumps get are exact; the others are clamped to a domain where the derivative is bounded, and error and bound follow."""
import math


class Family:
    def __init__(self, weight, ops, build):
        self.weight, self.ops, self.build = weight, ops.split(), build


REAL = ("f16", "bf16", "f32", "f64")
MATH = REAL + ("f8e5m2", "f8e4m3fn")
UNIT = {"f16": 2.0**-9, "bf16": 2.0**-6, "f32": 2.0**-20, "f64": 2.0**-49, "c64": 2.0**-19, "c128": 2.0**-48}


def unit(dtype):
    return UNIT.get(dtype, .5)


def is_exact(v):
    return v.exact


def is_arith(v):
    return v.dtype != "pred" and v.dtype != "f8e8m0fnu"


# --- elementwise ------------------------------------------------------------------------------------------------------

# (low, high) of the operand, largest derivative and largest value there
DOMAINS = {
    "acos": (-.9, .9, 3, 3), "acosh": (1.5, 20, 1, 4), "asin": (-.9, .9, 3, 2), "asinh": (-50, 50, 1, 5),
    "atan": (-50, 50, 1, 2), "atanh": (-.9, .9, 6, 2), "cbrt": (.1, 50, 2, 4), "cosine": (-30, 30, 1, 1),
    "cosh": (-3, 3, 11, 11), "erf": (-4, 4, 1.2, 1), "exponential": (-5, 3, 21, 21),
    "exponential-minus-one": (-5, 3, 21, 21), "log": (.1, 100, 10, 5), "log-plus-one": (-.5, 100, 2, 5),
    "logistic": (-20, 20, 1, 1), "rsqrt": (.25, 100, 4, 2), "sine": (-30, 30, 1, 1), "sinh": (-3, 3, 11, 11),
    "sqrt": (.1, 100, 2, 10), "tan": (-1, 1, 4, 2), "tanh": (-10, 10, 1, 1)}


def function(p, op):
    x = p.pick(dtypes=MATH)
    low, high, slope, most = DOMAINS[op]
    x = p.inside(x, low, high)
    lo_bound = max(abs(low), abs(high))
    return [p.put(op, x.dtype, x.dims, [x], exact=False, bound=most,
                  error=slope * (x.error + unit(x.dtype) * lo_bound) + 4 * unit(x.dtype) * most)]


def complex_function(p, op):
    x = p.inside(p.pick(dtypes=("c64", "c128")), -1, 1)
    u = unit(x.dtype)
    if op == "abs":
        return [p.put(op, {"c64": "f32", "c128": "f64"}[x.dtype], x.dims, [x], exact=False, bound=2, error=x.error + 4 * u)]
    if op in ("real", "imag"):
        return [p.put(op, {"c64": "f32", "c128": "f64"}[x.dtype], x.dims, [x], error=x.error, bound=1)]
    if op == "negate":
        return [p.put(op, x.dtype, x.dims, [x], error=x.error, bound=2)]
    return [p.put(op, x.dtype, x.dims, [x], exact=False, bound=8, error=4 * x.error + 32 * u)]


def exact_unary(p, op):
    """Functions with exact results: with jumps, or of bits."""
    kinds = {"not": lambda v: v.is_int() or v.dtype == "pred", "popcnt": lambda v: v.is_int(),
             "count-leading-zeros": lambda v: v.is_int(), "is-finite": lambda v: v.is_float(),
             "negate": is_arith, "abs": lambda v: v.dtype[0] in "sfb" and is_arith(v),
             "sign": lambda v: v.dtype[0] in "sfb" and is_arith(v)}
    x = p.pick(lambda v: v.exact and not v.is_complex() and kinds.get(op, lambda v: v.dtype in REAL)(v))
    if x is None:
        return []
    dtype = "pred" if op == "is-finite" else x.dtype
    return [p.put(op, dtype, x.dims, [x])]


def bits(p, op):
    x = p.pick(lambda v: v.exact and (v.is_int() or v.dtype == "pred" and op in ("and", "or", "xor")))
    return [p.put(op, x.dtype, x.dims, [x, p.like(x, is_exact)])]


def arithmetic(p, op):
    x = p.pick(lambda v: v.dtype != "f8e8m0fnu" and (v.dtype != "pred" or op in ("add", "multiply", "maximum", "minimum")))
    if x.is_int() or x.dtype == "pred":
        if op == "atan2":
            return []
        if op == "power":
            y = p.put("and", x.dtype, x.dims, [p.like(x), p.number(x.dtype, 1 if x.dtype in ("s2", "u2") else 3, x.dims)]) \
                if x.dtype not in ("s1", "u1") else x
            return [p.put(op, x.dtype, x.dims, [x, y])] if x.dtype not in ("s1", "u1") else []
        return [p.put(op, x.dtype, x.dims, [x, p.like(x)])]
    y = p.like(x)
    u = unit(x.dtype)
    if op in ("maximum", "minimum"):
        if x.is_complex():
            return []
        bound = None if x.bound is None or y.bound is None else max(x.bound, y.bound)
        return [p.put(op, x.dtype, x.dims, [x, y], bound=bound, error=max(x.error, y.error))]
    if op in ("add", "subtract") and x.exact and y.exact and x.dtype != "bf16":
        return [p.put(op, x.dtype, x.dims, [x, y])]
    if op == "remainder":
        if not (x.exact and y.exact and x.dtype in ("f32", "f64")):
            return []
        return [p.put(op, x.dtype, x.dims, [x, y])]
    if op in ("atan2", "power", "divide"):
        if op == "divide":
            x, y = p.inside(x, -6, 6), p.inside(y, 1, 2) if not y.is_complex() else y
            if y.is_complex():
                return []
            return [p.put(op, x.dtype, x.dims, [x, y], exact=False, bound=6, error=x.error + 6 * y.error + 6 * u)]
        if x.is_complex() or x.dtype not in MATH:
            return []
        x, y = p.inside(x, .5, 3), p.inside(y, .5, 2)
        return [p.put(op, x.dtype, x.dims, [x, y], exact=False, bound=9, error=10 * (x.error + y.error) + 40 * u)]
    if op == "multiply":
        x, y = p.inside(x, -6, 6), p.inside(y, -6, 6)
        bound = x.bound * y.bound
        error = x.error * y.bound + y.error * x.bound
    else:
        x, y = p.inside(x, -60, 60), p.inside(y, -60, 60)
        bound, error = x.bound + y.bound, x.error + y.error
    return [p.put(op, x.dtype, x.dims, [x, y], exact=False, bound=bound, error=error + u * bound)]


def compare(p, op):
    x = p.pick(lambda v: v.exact)
    y = p.like(x, is_exact)
    direction = p.random.choice(["EQ", "NE"] if x.is_complex() else ["EQ", "NE", "LT", "LE", "GT", "GE"])
    total = ", type=TOTALORDER" if x.dtype in REAL and x.pure and y.pure and p.random.random() < .3 else ""
    return [p.put(op, "pred", x.dims, [x, y], f"direction={direction}{total}")]


def choose(p, op):
    x = p.pick()
    if op == "clamp":
        if x.is_complex() or x.dtype == "pred":
            return []
        lo, hi = (p.like(x), p.like(x)) if p.random.random() < .5 else (p.parameter(x.dtype, ()), p.parameter(x.dtype, ()))
        bounds = [v.bound for v in (lo, x, hi)]
        return [p.put(op, x.dtype, x.dims, [lo, x, hi], error=max(lo.error, x.error, hi.error),
                      bound=None if None in bounds else max(bounds))]
    y = p.like(x)
    c = p.pick(lambda v: v.dims == x.dims, ("pred",)) if p.random.random() < .5 else None
    if c is None or c.dims not in (x.dims, ()):
        c = p.parameter("pred", p.random.choice([x.dims, ()]))
    bound = None if x.bound is None or y.bound is None else max(x.bound, y.bound)
    return [p.put("select", x.dtype, x.dims, [c, x, y], bound=bound, error=max(x.error, y.error))]


def convert(p, op):
    from program import TYPES, WEIGHTS
    to = p.random.choices(TYPES, WEIGHTS)[0]
    x = p.pick(lambda v: v.exact or (to in UNIT and not v.is_complex()) or (v.is_complex() and to[0] == "c"))
    if x.is_complex() and to[0] != "c" and not x.exact:
        return []
    error, bound = x.error, x.bound
    if not x.exact:
        x = p.inside(x, -100, 100)
        bound, error = 200, x.error + 200 * unit(to)
    return [p.put(op, to, x.dims, [x], error=error, bound=bound)]


def bitcast_convert(p, op):
    from program import TYPES, bits_of
    x = p.pick(lambda v: v.exact and not v.is_complex() and v.dtype != "pred" and (v.is_int() or v.pure))
    if x is None:
        return []
    have = bits_of(x.dtype)
    fits = [t for t in TYPES if t[0] != "c" and t != "pred" and (bits_of(t) == have or have % bits_of(t) == 0
            or (bits_of(t) % have == 0 and x.dims and x.dims[-1] == bits_of(t) // have))]
    to = p.random.choice(fits)
    dims = x.dims if bits_of(to) == have else x.dims + (have // bits_of(to),) if have > bits_of(to) else x.dims[:-1]
    return [p.put(op, to, dims, [x])]


def special(p, op):
    if op == "mulhi":
        x = p.pick(lambda v: v.is_int())
        return [p.put(op, x.dtype, x.dims, [x, p.like(x)])]
    if op == "complex":
        x = p.pick(dtypes=("f32", "f64"))
        y = p.like(x)
        bound = None if x.bound is None or y.bound is None else x.bound + y.bound
        return [p.put(op, {"f32": "c64", "f64": "c128"}[x.dtype], x.dims, [x, y], error=x.error + y.error, bound=bound)]
    if op == "reduce-precision":
        x = p.pick(lambda v: v.exact and v.is_float() and v.dtype in REAL)
        return [p.put(op, x.dtype, x.dims, [x],
                      f"exponent_bits={p.random.randint(2, 9)}, mantissa_bits={p.random.randint(0, 12)}")]
    x = p.pick(lambda v: v.exact and v.dtype in ("f16", "f32", "f64", "bf16"))
    random = p.parameter({"f16": "u16", "bf16": "u16", "f32": "u32", "f64": "u64"}[x.dtype], x.dims)
    return [p.put(op, p.random.choice(["s4", "s8", "s16", "s32", "s64"]), x.dims, [x, random])]


# --- leaves and movement ----------------------------------------------------------------------------------------------

def leaf(p, op):
    from program import TYPES, WEIGHTS
    dtype = p.random.choices(TYPES, WEIGHTS)[0]
    if op == "iota":
        if dtype == "pred" or (dtype[0] == "f" and dtype not in REAL):
            dtype = "s32"
        dims = p.dims(low=1)
        return [p.put(op, dtype, dims, [], f"iota_dimension={p.random.randrange(len(dims))}", exact=True)]
    if op == "parameter":
        return [p.parameter(dtype, p.dims())] and []
    n = p.random.choice([1, 3, 8])
    number = (lambda: p.random.choice(["true", "false"])) if dtype == "pred" else \
        (lambda: p.random.randint(-1, 0)) if dtype == "s1" else (lambda: p.random.randint(0, 1)) if dtype in ("u1", "u2", "s2") else \
        (lambda: p.random.randint(0, 7)) if dtype[0] in "su" else (lambda: f"({p.random.randint(-9, 9)}, 0.5)") if dtype[0] == "c" else \
        (lambda: p.random.choice([1, 2, 4])) if dtype == "f8e8m0fnu" else (lambda: p.random.choice([-1.5, 0, 0.5, 2, 3]))
    return [p.constant(dtype, "{" + ", ".join(str(number()) for _ in range(n)) + "}", (n,))]


def same(p, op, dtype, dims, x, attributes="", operands=None):
    value = p.put(op, dtype, dims, operands or [x], attributes, exact=x.exact, bound=x.bound, error=x.error)
    value.pure = x.pure and op not in ("pad",)
    return [value]


def braces(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


def move(p, op):
    x = p.pick(lambda v: len(v.dims) >= (1 if op not in ("broadcast", "reshape", "copy", "transpose") else 0))
    r, d = p.random, list(x.dims)
    if op == "copy":
        return same(p, op, x.dtype, d, x)
    if op == "broadcast":
        out, dims = list(d), list(range(len(d)))
        for _ in range(r.choice([1, 1, 2])):
            at = r.randint(0, len(out))
            out.insert(at, r.choice([1, 2, 3, 5, 8]))
            dims = [k + (k >= at) for k in dims]
        return same(p, op, x.dtype, out, x, f"dimensions={braces(dims)}") if len(out) <= 6 else []
    if op == "transpose":
        order = list(range(len(d)))
        r.shuffle(order)
        return same(p, op, x.dtype, [d[k] for k in order], x, f"dimensions={braces(order)}")
    if op == "reverse":
        dims = sorted(r.sample(range(len(d)), r.randint(1, len(d))))
        return same(p, op, x.dtype, d, x, f"dimensions={braces(dims)}")
    if op == "reshape":
        n, out = x.size, []
        while n > 1 and len(out) < 4:
            factors = [k for k in (2, 3, 4, 5, 7, 8, 16) if n % k == 0]
            if not factors or r.random() < .25:
                break
            out.append(r.choice(factors))
            n //= out[-1]
        out.append(n)
        r.shuffle(out)
        return same(p, op, x.dtype, out, x)
    if op == "slice":
        parts, out = [], []
        for size in d:
            lo = r.randint(0, max(size - 1, 0)) if r.random() < .6 else 0
            hi = r.randint(lo, size) if r.random() < .6 else size
            step = r.choice([1, 1, 1, 2, 3])
            parts.append(f"[{lo}:{hi}:{step}]" if step > 1 else f"[{lo}:{hi}]")
            out.append(-(-(hi - lo) // step))
        return same(p, op, x.dtype, out, x, "slice={" + ", ".join(parts) + "}")
    if op == "pad":
        parts, out = [], []
        for size in d:
            lo, hi, gap = r.choice([0, 0, 1, 2, -1]), r.choice([0, 0, 1, 3, -1]), r.choice([0, 0, 0, 1])
            new = size + lo + hi + gap * max(size - 1, 0)
            if new < 0:
                lo, hi, gap, new = 0, 0, 0, size
            parts.append(f"{lo}_{hi}_{gap}" if gap else f"{lo}_{hi}")
            out.append(new)
        value = p.number(x.dtype, 1)
        return same(p, op, x.dtype, out, x, "padding=" + "x".join(parts), [x, value])
    if op == "concatenate":
        k = r.randrange(len(d))
        others = [v for v in p.values if v.dtype == x.dtype and len(v.dims) == len(d)
                  and all(v.dims[i] == d[i] for i in range(len(d)) if i != k)]
        parts = [x] + [r.choice(others) for _ in range(r.choice([1, 1, 2, 3]))]
        r.shuffle(parts)
        out = list(d)
        out[k] = sum(v.dims[k] for v in parts)
        bounds = [v.bound for v in parts]
        return [p.put(op, x.dtype, out, parts, f"dimensions={braces([k])}", error=max(v.error for v in parts),
                      bound=None if None in bounds else max(bounds))]
    if op == "shuffle":
        dims = sorted(r.sample(range(len(d)), r.randint(1, len(d))))
        return same(p, op, x.dtype, d, x, f"dimensions={braces(dims)}, mode=rotate, "
                    f"shifts={braces(r.randint(-9, 9) for _ in dims)}")
    start = [p.parameter("s32", (), "index") for _ in d]
    if op == "dynamic-slice":
        sizes = [r.randint(min(1, s), s) for s in d]
        return same(p, op, x.dtype, sizes, x, f"dynamic_slice_sizes={braces(sizes)}", [x] + start)
    update = p.parameter(x.dtype, [r.randint(min(1, s), s) for s in d])
    return same(p, op, x.dtype, d, x, "", [x, update] + start)


def bitcast(p, op):
    x = p.parameter(p.random.choice(["f32", "s32", "u8", "f64"]), (p.random.choice([4, 6, 24]),))
    y = p.put("add", x.dtype, x.dims, [x, x])
    at = p.lines[-1]
    return [p.put(op, y.dtype, (2, x.size // 2), [y])] if "{" not in at else []


# --- the rest is in wholes.py ------------------------------------------------------------------------------------------

import wholes  # noqa: E402  (needs Family's neighbours above)

FAMILIES = [
    Family(10, " ".join(DOMAINS), function),
    Family(3, "abs cosine exponential exponential-minus-one imag log-plus-one negate real sine tanh logistic sign", complex_function),
    Family(6, "abs ceil count-leading-zeros floor is-finite negate not popcnt round-nearest-afz round-nearest-even sign", exact_unary),
    Family(5, "and or xor shift-left shift-right-arithmetic shift-right-logical", bits),
    Family(16, "add subtract multiply divide remainder power maximum minimum atan2", arithmetic),
    Family(4, "compare", compare),
    Family(5, "select clamp", choose),
    Family(10, "convert", convert),
    Family(4, "bitcast-convert", bitcast_convert),
    Family(4, "mulhi complex reduce-precision stochastic-convert", special),
    Family(4, "iota constant parameter", leaf),
    Family(16, "broadcast transpose reverse reshape slice pad concatenate copy dynamic-slice dynamic-update-slice shuffle", move),
    Family(1, "bitcast", bitcast),
] + [Family(*row) for row in wholes.FAMILIES]

# Not generated, and why.
LEFT_OUT = dict(wholes.LEFT_OUT)
