"""The table of opcodes and element types that random programs have covered (covered.txt): a line per opcode."""


def read(path):
    covered = set()
    if path.exists():
        for line in path.read_text().splitlines():
            op, _, types = line.partition(": ")
            if types and not line.startswith("#"):
                covered.update((op, dtype) for dtype in types.split())
    return covered


def add(path, more):
    from program import TYPES
    covered = read(path) | set(more)
    order = {dtype: k for k, dtype in enumerate(TYPES + ["token"])}
    lines = ["# Opcodes and element types (of results and operands) in random programs that agreed; tests/random/run.py --covered."]
    for op in sorted({op for op, _ in covered}):
        lines.append(f"{op}: " + " ".join(sorted((t for o, t in covered if o == op), key=order.get)))
    path.write_text("\n".join(lines) + "\n")
