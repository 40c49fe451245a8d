# Prints, for each module.hlo given, what in it the first stage of the compiler need not do: an opcode, an element type or
# a custom call. One line per file: PATH WORD WORD ...; files without any are not printed.
BEGIN {
    split("abs acos acosh asin asinh atan atanh cbrt ceil cosine cosh count-leading-zeros erf exponential " \
          "exponential-minus-one floor imag is-finite log log-plus-one logistic negate not popcnt real " \
          "round-nearest-afz round-nearest-even rsqrt sign sine sinh sqrt tan tanh convert bitcast-convert add and atan2 " \
          "compare complex divide maximum minimum multiply or power remainder shift-left shift-right-arithmetic " \
          "shift-right-logical subtract xor clamp select map parameter constant iota broadcast reshape bitcast copy " \
          "transpose reverse slice pad concatenate dynamic-slice dynamic-update-slice gather scatter reduce reduce-window " \
          "sort dot convolution tuple get-tuple-element call while conditional fusion opt-barrier after-all " \
          "add-dependency custom-call", words, " ")
    for (i in words) opcode[words[i]] = 1
    split("pred s8 s16 s32 s64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128 token", words, " ")
    for (i in words) type[words[i]] = 1
    split("Sharding SPMDFullToShardShape SPMDShardToFullShape xla.sdy.FuncResultSharding xla.sdy.GlobalToLocalShape " \
          "xla.sdy.LocalToGlobalShape threefry2x32 threefry2x32_ffi cu_threefry2x32 cu_threefry2x32_ffi " \
          "annotate_device_placement", words, " ")
    for (i in words) target[words[i]] = 1
}

function found(word) {
    if (!(word in seen)) { seen[word] = 1; list = list " " word }
}

function flush_file() {
    if (list != "") print name list
    list = ""
    delete seen
}

FNR == 1 { flush_file(); name = FILENAME }

/^ *\/\// { next }

{
    rest = $0
    while (match(rest, /custom_call_target="[^"]*"/)) {
        word = substr(rest, RSTART + 20, RLENGTH - 21)
        if (!(word in target)) found("custom-call:" word)
        rest = substr(rest, RSTART + RLENGTH)
    }
    rest = $0
    gsub(/"[^"]*"/, "\"\"", rest) # names in metadata look like anything
    line = rest
    while (match(rest, /[\]})] [a-z][a-z0-9-]*\(/)) { # an opcode stands between its shape and its operands
        word = substr(rest, RSTART + 2, RLENGTH - 3)
        if (!(word in opcode)) found(word)
        rest = substr(rest, RSTART + RLENGTH)
    }
    while (match(line, /(^|[^A-Za-z0-9_.%-])[a-z][a-z0-9]*\[[0-9,<=?]*\]/)) {
        word = substr(line, RSTART, RLENGTH)
        if (word ~ /[<?]/) found("dynamic-size")
        sub(/^[^a-z]*/, "", word)
        sub(/\[.*/, "", word)
        if (!(word in type)) found(word)
        line = substr(line, RSTART + RLENGTH)
    }
}

END { flush_file() }
