"""Families of operations with computations, contractions, indices and control flow (families.py has the others)."""
import families as base


def braces(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


# --- reductions -------------------------------------------------------------------------------------------------------

def combiner(p, x):
    """(op, initial value, exact, growth of bound and error with the number of elements)"""
    if x.dtype == "pred":
        return p.random.choice(["and", "or", "add", "maximum"])
    if x.is_int():
        return p.random.choice(["add", "multiply", "maximum", "minimum", "and", "or", "xor"])
    if x.is_complex():
        return "add"
    return p.random.choice(["add", "add", "maximum", "minimum"])


def reduced(p, op, x, dims, attributes, n):
    """op (reduce or reduce-window) over n elements at a time."""
    word = combiner(p, x)
    known = {"exact": x.exact, "bound": x.bound, "error": x.error}
    if word == "add" and not x.is_int() and x.dtype != "pred":
        if x.dtype in base.UNIT:
            x = p.inside(x, -4, 4)
            known = {"exact": False, "bound": (x.bound + 1) * max(n, 1) + 1,
                     "error": n * x.error + (n + 2) * (n + 2) * base.unit(x.dtype)}
        else:
            word, known = "maximum", known
    initial = p.number(x.dtype, 1)
    if known["bound"] is not None:
        known["bound"] = max(known["bound"], 1)
    return [p.put(op, x.dtype, dims, [x, initial], f"{attributes}, to_apply={p.scalar_op(word, x.dtype)}", **known)]


def reduce(p, op):
    x = p.pick(lambda v: v.dims and v.dtype != "f8e8m0fnu")
    if x is None:
        return []
    dims = sorted(p.random.sample(range(len(x.dims)), p.random.randint(1, len(x.dims))))
    n = 1
    for d in dims:
        n *= x.dims[d]
    kept = [s for d, s in enumerate(x.dims) if d not in dims]
    if p.random.random() < .2 and x.exact and x.is_int():  # the largest and where it is
        index = p.put("iota", "s32", x.dims, [], f"iota_dimension={dims[0]}", exact=True)

        def body(v):
            greater = p.put("compare", "pred", (), [v[0], v[2]], "direction=GE")
            best = [p.put("select", t, (), [greater, v[k], v[k + 2]]) for k, t in ((0, x.dtype), (1, "s32"))]
            return p.put("tuple", x.dtype, (), best)
        name = p.computation("argmax", [(x.dtype, ()), ("s32", ()), (x.dtype, ()), ("s32", ())], lambda v: tuple_root(p, body(v), [x.dtype, "s32"]))
        shapes = [p.shape(x.dtype, kept), p.shape("s32", kept)]
        both = p.name()
        p.lines.append(f"  {both} = ({', '.join(shapes)}) reduce({x.name}, {index.name}, {p.number(x.dtype, 0).name}, "
                       f"{p.number('s32', 0).name}), dimensions={braces(dims)}, to_apply={name}")
        return elements(p, both, [(x.dtype, kept), ("s32", kept)])
    return reduced(p, op, x, kept, f"dimensions={braces(dims)}", n)


def tuple_root(p, value, dtypes):
    """put() wrote a tuple as if it were a scalar: say its shape."""
    shape = "(" + ", ".join(f"{t}[]" for t in dtypes) + ")"
    p.lines[-1] = p.lines[-1].replace(f" = {dtypes[0]}[] tuple(", f" = {shape} tuple(")
    return value


def elements(p, name, kinds, exact=True):
    """get-tuple-element of each leaf. kinds: (dtype, dims)."""
    made = []
    for k, (dtype, dims) in enumerate(kinds):
        value = p.put("get-tuple-element", dtype, dims, [name], f"index={k}", exact=exact)
        p.lines[-1] = p.lines[-1].replace(p.lines[-1].split(" get-tuple")[0].split(" = ")[1], p.shape(dtype, dims))
        made.append(value)
    return made


def reduce_window(p, op):
    x = p.pick(lambda v: v.dims and v.dtype != "f8e8m0fnu" and all(v.dims))
    if x is None:
        return []
    window, out, n = [], [], 1
    for s in x.dims:
        size, stride = p.random.randint(1, min(4, s)), p.random.choice([1, 1, 2, 3])
        lo, hi = p.random.choice([0, 0, 1]), p.random.choice([0, 0, 1])
        out.append((s + lo + hi - size) // stride + 1)
        window.append((size, stride, lo, hi))
        n *= size
    text = "x".join(str(w[0]) for w in window), "x".join(str(w[1]) for w in window), "x".join(f"{w[2]}_{w[3]}" for w in window)
    return reduced(p, op, x, out, "window={size=%s stride=%s pad=%s}" % text, n)


# --- contractions -----------------------------------------------------------------------------------------------------

CONTRACTED = ("s8", "u8", "s16", "s32", "s64", "u32", "f16", "bf16", "f32", "f32", "f64", "c64", "c128", "s4", "f8e4m3fn", "f8e5m2")


def contract(p, op, x, y, dims, attributes, k):
    """A sum of k products."""
    if x.is_int():
        result = "s32" if x.dtype in ("s8", "u8", "s4") else x.dtype
        return [p.put(op, result, dims, [x, y], attributes, exact=True)]
    result = "f32" if x.dtype[:2] == "f8" or x.dtype in ("bf16", "f16") and p.random.random() < .5 else x.dtype
    x, y = p.inside(x, -2, 2), p.inside(y, -2, 2)
    bound = x.bound * y.bound * max(k, 1)
    error = k * (x.error * y.bound + y.error * x.bound) + (k + 4) * bound * base.unit(result) * .1
    return [p.put(op, result, dims, [x, y], attributes, exact=False, bound=bound + 1, error=error)]


def dot(p, op):
    dtype, r = p.random.choice(CONTRACTED), p.random
    b, m, n, k = r.choice([0, 0, 1, 2, 3]), r.choice([0, 1, 3, 8, 17, 40]), r.choice([0, 1, 4, 16, 33]), r.choice([1, 2, 8, 19, 64])
    sides = []
    for free in (m, n):
        dims = [("b", b)] * bool(b) + [("f", free)] * bool(free) + [("k", k)]
        r.shuffle(dims)
        sides.append(dims)
    values = [p.parameter(dtype, [s for _, s in dims]) if r.random() < .5 else p.like(base_value(dtype, dims)) for dims in sides]
    at = [{what: i for i, (what, _) in enumerate(dims)} for dims in sides]
    attributes = [f"lhs_contracting_dims={braces([at[0]['k']])}", f"rhs_contracting_dims={braces([at[1]['k']])}"]
    if b:
        attributes = [f"lhs_batch_dims={braces([at[0]['b']])}", f"rhs_batch_dims={braces([at[1]['b']])}"] + attributes
    return contract(p, op, *values, [s for s in (b, m, n) if s], ", ".join(attributes), k)


def base_value(dtype, dims):
    from program import Value
    return Value("", dtype, [s for _, s in dims], pure=True)


def convolution(p, op):
    dtype, r = p.random.choice(CONTRACTED), p.random
    spatial, groups = r.choice([1, 1, 2]), r.choice([1, 1, 2])
    batch, c, o = r.choice([1, 2]), r.choice([1, 2, 3]), r.choice([1, 2, 4]) * groups
    sizes, kernel = [r.choice([4, 5, 9]) for _ in range(spatial)], [r.choice([1, 2, 3]) for _ in range(spatial)]
    x = p.parameter(dtype, [batch] + sizes + [c * groups])
    w = p.parameter(dtype, kernel + [c, o])
    stride, pad = [r.choice([1, 1, 2]) for _ in sizes], [(r.choice([0, 1]), r.choice([0, 1])) for _ in sizes]
    out = [(s + lo + hi - k) // t + 1 for s, k, t, (lo, hi) in zip(sizes, kernel, stride, pad)]
    d = "01"[:spatial]
    n = c
    for k in kernel:
        n *= k
    attributes = (f"window={{size={'x'.join(map(str, kernel))} stride={'x'.join(map(str, stride))} "
                  f"pad={'x'.join(f'{lo}_{hi}' for lo, hi in pad)}}}, dim_labels=b{d}f_{d}io->b{d}f"
                  + (f", feature_group_count={groups}" if groups > 1 else ""))
    return contract(p, op, x, w, [batch] + out + [o], attributes, n)


# --- indices ----------------------------------------------------------------------------------------------------------

def gather(p, op):
    x = p.pick(lambda v: v.dims and all(v.dims) and len(v.dims) <= 3)
    if x is None:
        return []
    n, rank = p.random.choice([1, 3, 6]), len(x.dims)
    index = p.parameter(p.random.choice(["s32", "s32", "u8", "s64"]), (n, 1), "index")
    d = p.random.randrange(rank)
    sizes = [1 if k == d else s for k, s in enumerate(x.dims)]
    out = [n] + [s for k, s in enumerate(x.dims) if k != d]
    attributes = (f"offset_dims={braces(range(1, rank))}, collapsed_slice_dims={braces([d])}, start_index_map={braces([d])}, "
                  f"index_vector_dim=1, slice_sizes={braces(sizes)}")
    return [p.put(op, x.dtype, out, [x, index], attributes, exact=x.exact, bound=x.bound, error=x.error)]


def scatter(p, op):
    x = p.pick(lambda v: v.exact and v.dims and all(v.dims) and len(v.dims) <= 3 and not v.is_complex() and v.dtype != "f8e8m0fnu")
    if x is None:
        return []
    n, rank, d = p.random.choice([1, 4, 9]), len(x.dims), p.random.randrange(len(x.dims))
    index = p.parameter(p.random.choice(["s32", "s32", "s64"]), (n, 1), "index")
    updates = p.parameter(x.dtype, [n] + [s for k, s in enumerate(x.dims) if k != d])
    words = ["add", "maximum", "minimum"] if x.dtype != "pred" else ["and", "or"]
    if not x.is_int() and x.dtype != "pred":
        words = ["maximum", "minimum"]
    attributes = (f"update_window_dims={braces(range(1, rank))}, inserted_window_dims={braces([d])}, "
                  f"scatter_dims_to_operand_dims={braces([d])}, index_vector_dim=1, "
                  f"to_apply={p.scalar_op(p.random.choice(words), x.dtype)}")
    return [p.put(op, x.dtype, x.dims, [x, index, updates], attributes)]


def sort(p, op):
    x = p.pick(lambda v: v.dims and v.exact and (v.is_int() or v.pure and v.dtype in base.REAL))
    if x is None:
        return []
    d, direction = p.random.randrange(len(x.dims)), p.random.choice(["LT", "GT"])
    total = ", type=TOTALORDER" if not x.is_int() else ""
    other = p.like(base_like(p, x)) if p.random.random() < .5 else None
    kinds = [(x.dtype, ())] * 2 + ([(other.dtype, ())] * 2 if other else [])
    name = p.computation("less", kinds, lambda v: p.put("compare", "pred", (), v[:2], f"direction={direction}{total}"))
    attributes = f"dimensions={braces([d])}, is_stable=true, to_apply={name}"
    if not other:
        return base.same(p, op, x.dtype, x.dims, x, attributes)
    both = p.name()
    p.lines.append(f"  {both} = ({p.shape(x.dtype, x.dims)}, {p.shape(other.dtype, other.dims)}) sort({x.name}, {other.name}), {attributes}")
    p.covered.update({(op, x.dtype), (op, other.dtype)})
    return elements(p, both, [(x.dtype, x.dims), (other.dtype, other.dims)])


def base_like(p, x):
    from program import TYPES, Value
    return Value("", p.random.choice([t for t in TYPES if t[0] != "c"]), x.dims, pure=True)


# --- computations and control flow ------------------------------------------------------------------------------------

def exact_body(p, v):
    """A few exact operations on the values of a computation, giving one like v[0]."""
    x = v[0]
    for _ in range(p.random.choice([1, 2, 3])):
        others = [o for o in v if o.dtype == x.dtype and o.dims == x.dims]
        y = p.random.choice(others)
        if x.dtype == "pred":
            x = p.put(p.random.choice(["and", "or", "xor"]), x.dtype, x.dims, [x, y])
        elif x.is_complex():
            x = p.put(p.random.choice(["add", "subtract"]), x.dtype, x.dims, [x, y])
        elif x.is_int():
            x = p.put(p.random.choice(["add", "subtract", "multiply", "xor", "maximum"]), x.dtype, x.dims, [x, y])
        elif x.dtype in ("f32", "f64", "f16"):
            x = p.put(p.random.choice(["add", "subtract", "maximum", "minimum"]), x.dtype, x.dims, [x, y])
        else:
            x = p.put(p.random.choice(["maximum", "minimum"] if x.dtype != "f8e8m0fnu" else ["maximum"]), x.dtype, x.dims, [x, y])
    return x


def called(p, op):
    x = p.pick(lambda v: v.exact)
    y = p.like(x, base.is_exact)
    if op == "map":
        if not x.dims:
            return []
        name = p.computation("called", [(x.dtype, ())] * 2, lambda v: exact_body(p, v))
        return [p.put(op, x.dtype, x.dims, [x, y], f"dimensions={braces(range(len(x.dims)))}, to_apply={name}")]
    name = p.computation("called", [(x.dtype, x.dims)] * 2, lambda v: exact_body(p, v))
    return [p.put(op, x.dtype, x.dims, [x, y], f"kind=kLoop, calls={name}" if op == "fusion" else f"to_apply={name}")]


def conditional(p, op):
    x = p.pick(lambda v: v.exact)
    y = p.like(x, base.is_exact)
    n = p.random.choice([2, 3])
    names = [p.computation(f"branch{k}", [(x.dtype, x.dims)], lambda v: exact_body(p, v)) for k in range(n)]
    arguments = [p.random.choice([x, y]) for _ in names]
    if n == 2 and p.random.random() < .5:
        return [p.put(op, x.dtype, x.dims, [p.parameter("pred", ())] + arguments,
                      f"true_computation={names[0]}, false_computation={names[1]}")]
    return [p.put(op, x.dtype, x.dims, [p.parameter("s32", (), "index")] + arguments,
                  f"branch_computations={braces(names)}")]


def loop(p, op):
    x = p.pick(lambda v: v.exact)
    y = p.like(x, base.is_exact)
    state = f"(s32[], {p.shape(x.dtype, x.dims)}, {p.shape(y.dtype, y.dims)})"
    trips = p.random.choice([0, 1, 2, 5, 9])
    swaps = p.random.random() < .3

    def leaves(v):
        return [p.put("get-tuple-element", t, d, [v], f"index={k}", exact=True)
                for k, (t, d) in enumerate([("s32", ()), (x.dtype, x.dims), (y.dtype, y.dims)])]

    def plain(stem, build):
        lines, p.lines = p.lines, []
        name, s = p.name(stem), p.name("state")
        p.lines.append(f"  {s} = {state} parameter(0)")
        plain_shape, p.shape = p.shape, lambda t, d, layout=False: type(p).shape(p, t, d)
        build(s)
        p.shape = plain_shape
        p.done.append(f"{name} {{\n" + "\n".join(p.lines) + "\n}\n")
        p.lines = lines
        return name

    def condition(s):
        i = leaves(s)[0]
        limit = p.constant("s32", str(trips))
        p.lines.append(f"  ROOT {p.name()} = pred[] compare({i.name}, {limit.name}), direction=LT")

    def body(s):
        i, a, b = leaves(s)
        one = p.constant("s32", "1")
        i = p.put("add", "s32", (), [i, one])
        new = exact_body(p, [a, b])
        last = (b, new) if swaps else (new, b)
        p.lines.append(f"  ROOT {p.name()} = {state} tuple({i.name}, {last[0].name}, {last[1].name})")

    condition_name, body_name = plain("cond", condition), plain("body", body)
    zero, first, result = p.constant("s32", "0"), p.name(), p.name()
    p.lines.append(f"  {first} = {state} tuple({zero.name}, {x.name}, {y.name})")
    p.lines.append(f"  {result} = {state} while({first}), condition={condition_name}, body={body_name}")
    p.covered.add((op, x.dtype))
    return elements(p, result, [("s32", ()), (x.dtype, x.dims), (y.dtype, y.dims)])[1:]


def barrier(p, op):
    x = p.pick()
    if op == "tuple":
        y = p.pick()
        both = p.name()
        p.lines.append(f"  {both} = ({p.shape(x.dtype, x.dims)}, {p.shape(y.dtype, y.dims)}) tuple({x.name}, {y.name})")
        op = "opt-barrier"
        again = p.name()
        p.lines.append(f"  {again} = ({p.shape(x.dtype, x.dims)}, {p.shape(y.dtype, y.dims)}) opt-barrier({both})")
        p.covered.update({("tuple", x.dtype), (op, x.dtype)})
        return [v for v in elements(p, again, [(x.dtype, x.dims)], x.exact) if x.exact]
    if op == "add-dependency":
        token = p.name()
        p.lines.append(f"  {token} = token[] after-all()")
        p.covered.add(("after-all", "token"))
        return [p.put(op, x.dtype, x.dims, [x, token], exact=x.exact, bound=x.bound, error=x.error)]
    return [p.put("opt-barrier", x.dtype, x.dims, [x], exact=x.exact, bound=x.bound, error=x.error)]


def random_bits(p, op):
    algorithm, words = p.random.choice([("rng_three_fry", 2), ("rng_philox", 2), ("rng_philox", 3)])
    state = p.parameter("u64", (words,))
    dtype, dims = p.random.choice(["u8", "u16", "u32", "u64", "s32"]), p.dims(low=1, most=300)
    both = p.name()
    p.lines.append(f"  {both} = (u64[{words}], {p.shape(dtype, dims)}) rng-bit-generator({state.name}), algorithm={algorithm}")
    p.covered.add((op, dtype))
    return elements(p, both, [("u64", (words,)), (dtype, dims)])


def normalise(p, op):
    dtype = p.random.choice(["f32", "f32", "f64", "f16"])
    dims, n = (p.random.choice([2, 5]), p.random.choice([3, 8]), 4), 1
    feature = p.random.randrange(3)
    for k, d in enumerate(dims):
        n *= d if k != feature else 1
    x = p.inside(p.parameter(dtype, dims), -3, 3)
    rows = [p.inside(p.parameter(dtype, (dims[feature],)), lo, 2) for lo in (-2, -2, -2, .5)]
    error, tail = 300 * base.unit(dtype) * (n if op != "batch-norm-inference" else 1), f"epsilon=1, feature_index={feature}"
    if op == "batch-norm-inference":
        return [p.put(op, dtype, dims, [x, rows[0], rows[1], rows[2], rows[3]], tail, exact=False, bound=40, error=error)]
    row = (dims[feature],)
    operands = [x, rows[0], rows[1]] if op == "batch-norm-training" else [x, rows[0], rows[2], rows[3], p.inside(p.parameter(dtype, dims), -2, 2)]
    name, shape = p.name(), p.shape(dtype, dims)
    p.lines.append(f"  {name} = ({shape}, {p.shape(dtype, row)}, {p.shape(dtype, row)}) {op}({', '.join(v.name for v in operands)}), {tail}")
    p.covered.add((op, dtype))
    made = elements(p, name, [(dtype, dims), (dtype, row), (dtype, row)], exact=False)
    for v in made:
        v.bound, v.error = 40 * n, error * 4
    return made


def select_and_scatter(p, op):
    x = p.pick(lambda v: v.exact and v.dims and all(s > 1 for s in v.dims) and len(v.dims) < 4 and not v.is_complex()
               and (v.is_int() or v.pure and v.dtype in ("f32", "f64")) and v.dtype not in ("s1", "u1"))
    if x is None:
        return []
    size = [p.random.randint(1, 2) for _ in x.dims]
    out = [(s - w) // w + 1 for s, w in zip(x.dims, size)]
    source = p.parameter(x.dtype, out)
    ge = p.computation("ge", [(x.dtype, ())] * 2, lambda v: p.put("compare", "pred", (), v, "direction=GE"))
    word = "add" if x.is_int() else "maximum"
    text = "x".join(map(str, size))
    return [p.put(op, x.dtype, x.dims, [x, source, p.number(x.dtype, 0)],
                  f"window={{size={text} stride={text}}}, select={ge}, scatter={p.scalar_op(word, x.dtype)}")]


def topk(p, op):
    dtype = p.random.choice(["s32", "f32", "u8", "bf16"])
    n = p.random.choice([3, 8, 40])
    dims = p.random.choice([(n,), (3, n)])
    x = p.parameter(dtype, dims, "finite")
    k = p.random.randint(1, n)
    out, name = dims[:-1] + (k,), p.name()
    p.lines.append(f"  {name} = ({p.shape(dtype, out)}, {p.shape('s32', out)}) topk({x.name}), k={k}, largest=true")
    p.covered.add((op, dtype))
    return elements(p, name, [(dtype, out), ("s32", out)])


def fft(p, op):
    n, kind = p.random.choice([1, 2, 3, 8, 12, 30]), p.random.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    wide = p.random.random() < .4
    real, number = ("f64", "c128") if wide else ("f32", "c64")
    half = n // 2 + 1
    from_type, to_type = (real if kind == "RFFT" else number), (real if kind == "IRFFT" else number)
    x = p.inside(p.parameter(from_type, (3, half if kind == "IRFFT" else n)), -2, 2)
    return [p.put(op, to_type, (3, half if kind == "RFFT" else n), [x], f"fft_type={kind}, fft_length={{{n}}}", exact=False,
                  bound=4.0 * n, error=16 * n * base.unit(real))]


FAMILIES = [
    (6, "reduce", reduce), (3, "reduce-window", reduce_window), (6, "dot", dot), (2, "convolution", convolution),
    (4, "gather", gather), (3, "scatter", scatter), (4, "sort", sort), (4, "call map fusion", called),
    (3, "conditional", conditional), (4, "while", loop), (2, "opt-barrier tuple add-dependency", barrier),
    (1, "rng-bit-generator", random_bits), (1, "batch-norm-training batch-norm-inference batch-norm-grad", normalise),
    (1, "select-and-scatter", select_and_scatter), (0.3, "topk", topk), (1, "fft", fft),
]

SEVERAL_DEVICES = ("all-gather all-gather-start all-gather-done all-reduce all-reduce-start all-reduce-done all-to-all "
                   "ragged-all-to-all reduce-scatter collective-broadcast collective-reduce collective-permute "
                   "collective-permute-start collective-permute-done partition-id replica-id").split()
LEFT_OUT = [(op, "of several devices: tests of collectives") for op in SEVERAL_DEVICES] + [
    (op, "needs callbacks of the caller") for op in "infeed outfeed send send-done recv recv-done".split()] + [
    (op, "no value that a second compiler could repeat") for op in "rng rng-get-and-update-state".split()] + [
    (op, "needs well-conditioned matrices: ../shared/corpus") for op in "cholesky triangular-solve".split()] + [
    (op, "sizes at run time: ../shared/corpus") for op in
    "dynamic-reshape get-dimension-size set-dimension-size".split()] + [
    (op, "a form of operations that are generated") for op in
    "ragged-dot scaled-dot scan custom-call domain async-start async-update async-done copy-start copy-done".split()] + [
    ("get-tuple-element", "with every tuple"), ("after-all", "with add-dependency")]
