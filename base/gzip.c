#include "base/gzip.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST_CODE = 15, N_LITERALS = 288, N_DISTANCES = 30, END_OF_BLOCK = 256, WINDOW = 32768 };

/* The packed bytes, read bit by bit from the low end of each. */
typedef struct {
    const unsigned char *at, *end;
    uint32_t bits;
    int n_bits;
    bool short_of_bits; /* more were asked for than there are: all further ones are 0 */
    Text *out;
    size_t first; /* of out, for this member: distances do not reach further back */
    size_t limit;
} Inflate;

static uint32_t take_bits(Inflate *z, int n) {
    while (z->n_bits < n) {
        if (z->at == z->end) z->short_of_bits = true;
        else z->bits |= (uint32_t)*z->at++ << z->n_bits;
        z->n_bits += 8;
    }
    uint32_t bits = z->bits & ((UINT32_C(1) << n) - 1);
    z->bits >>= n;
    z->n_bits -= n;
    return bits;
}

/* A canonical Huffman code: how many codes there are of each length, and the symbols in the order of their codes. */
typedef struct {
    uint16_t counts[LONGEST_CODE + 1];
    uint16_t symbols[N_LITERALS];
} Huffman;

/* False: the lengths over-subscribe the code. */
static bool make_code(Huffman *code, const uint8_t *lengths, int n) {
    memset(code->counts, 0, sizeof code->counts);
    for (int i = 0; i < n; i++) code->counts[lengths[i]]++;
    code->counts[0] = 0;
    int left = 1;
    uint16_t offsets[LONGEST_CODE + 2] = {0};
    for (int length = 1; length <= LONGEST_CODE; length++) {
        left = 2 * left - code->counts[length];
        if (left < 0) return false;
        offsets[length + 1] = (uint16_t)(offsets[length] + code->counts[length]);
    }
    for (int i = 0; i < n; i++)
        if (lengths[i]) code->symbols[offsets[lengths[i]]++] = (uint16_t)i;
    return true;
}

/* The next symbol; -1: no code begins so. */
static int take_symbol(Inflate *z, const Huffman *code) {
    int value = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE; length++) {
        value |= (int)take_bits(z, 1);
        int count = code->counts[length];
        if (value - first < count) return code->symbols[index + value - first];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    return -1;
}

static const char truncated[] = "the gzip data end too early", corrupt[] = "the gzip data are corrupt",
                  too_large[] = "the gzip data unpack to more than fits";

static const char *copy_stored(Inflate *z) {
    take_bits(z, z->n_bits & 7);
    uint32_t n = take_bits(z, 16), complement = take_bits(z, 16);
    if (z->short_of_bits) return truncated;
    if ((n ^ complement) != 0xffff) return corrupt;
    if ((size_t)(z->end - z->at) < n) return truncated;
    text_bytes(z->out, (const char *)z->at, n);
    z->at += n;
    return z->out->n > z->limit ? too_large : NULL;
}

/* A repetition: length bytes from distance bytes back; the two may overlap. */
static const char *copy_match(Inflate *z, int symbol, const Huffman *distances) {
    static const uint16_t lengths[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                          2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t starts[N_DISTANCES] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const uint8_t start_bits[N_DISTANCES] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                    6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    int l = symbol - END_OF_BLOCK - 1;
    if (l >= (int)sizeof length_bits) return corrupt;
    size_t length = lengths[l] + take_bits(z, length_bits[l]);
    int d = take_symbol(z, distances);
    if (d < 0 || d >= N_DISTANCES) return corrupt;
    size_t distance = starts[d] + take_bits(z, start_bits[d]);
    if (distance > z->out->n - z->first) return corrupt;
    for (size_t i = 0; i < length; i++) text_char(z->out, z->out->at[z->out->n - distance]);
    return NULL;
}

static const char *copy_packed(Inflate *z, const Huffman *literals, const Huffman *distances) {
    while (!z->short_of_bits && z->out->n <= z->limit) {
        int symbol = take_symbol(z, literals);
        if (symbol < 0) return corrupt;
        if (symbol == END_OF_BLOCK) return z->short_of_bits ? truncated : NULL;
        if (symbol < END_OF_BLOCK) {
            text_char(z->out, (char)symbol);
            continue;
        }
        const char *wrong = copy_match(z, symbol, distances);
        if (wrong) return wrong;
    }
    return z->short_of_bits ? truncated : too_large;
}

static const char *copy_fixed(Inflate *z) {
    uint8_t lengths[N_LITERALS];
    for (int i = 0; i < N_LITERALS; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    Huffman literals, distances;
    make_code(&literals, lengths, N_LITERALS);
    memset(lengths, 5, N_DISTANCES);
    make_code(&distances, lengths, N_DISTANCES);
    return copy_packed(z, &literals, &distances);
}

/* The lengths of n codes, themselves packed with a code and run lengths. */
static bool read_lengths(Inflate *z, const Huffman *code, uint8_t *lengths, int n) {
    for (int i = 0; i < n;) {
        int symbol = take_symbol(z, code);
        if (symbol < 0 || z->short_of_bits || (symbol == 16 && i == 0)) return false;
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        uint8_t repeated = symbol == 16 ? lengths[i - 1] : 0;
        int times = symbol == 16   ? 3 + (int)take_bits(z, 2)
                    : symbol == 17 ? 3 + (int)take_bits(z, 3)
                                   : 11 + (int)take_bits(z, 7);
        if (times > n - i) return false;
        while (times-- > 0) lengths[i++] = repeated;
    }
    return true;
}

static const char *copy_dynamic(Inflate *z) {
    static const uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int n_literals = 257 + (int)take_bits(z, 5), n_distances = 1 + (int)take_bits(z, 5),
        n_lengths = 4 + (int)take_bits(z, 4);
    if (n_literals > 286 || n_distances > N_DISTANCES) return corrupt;
    uint8_t lengths[N_LITERALS + N_DISTANCES] = {0};
    for (int i = 0; i < n_lengths; i++) lengths[order[i]] = (uint8_t)take_bits(z, 3);
    Huffman code, literals, distances;
    if (!make_code(&code, lengths, 19)) return corrupt;
    memset(lengths, 0, sizeof lengths);
    if (!read_lengths(z, &code, lengths, n_literals + n_distances)) return z->short_of_bits ? truncated : corrupt;
    if (!make_code(&literals, lengths, n_literals) || !make_code(&distances, lengths + n_literals, n_distances))
        return corrupt;
    return copy_packed(z, &literals, &distances);
}

static const char *inflate(Inflate *z) {
    bool last;
    do {
        last = take_bits(z, 1);
        uint32_t type = take_bits(z, 2);
        if (z->short_of_bits) return truncated;
        const char *wrong = type == 0   ? copy_stored(z)
                            : type == 1 ? copy_fixed(z)
                            : type == 2 ? copy_dynamic(z)
                                        : corrupt;
        if (wrong) return wrong;
    } while (!last);
    z->at -= z->n_bits / 8; /* whole bytes that were read ahead */
    return NULL;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static uint32_t checksum(const char *bytes, size_t n) {
    uint32_t table[256], crc = 0xffffffff;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++) table[i] = table[i] & 1 ? 0xedb88320 ^ table[i] >> 1 : table[i] >> 1;
    }
    for (size_t i = 0; i < n; i++) crc = table[(crc ^ (unsigned char)bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

bool gzip_is(const char *bytes, size_t n) {
    return n >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

/* Behind the header of a member; NULL: it is cut off. */
static const unsigned char *skip_header(const unsigned char *at, const unsigned char *end) {
    enum { FIXED = 10, HAS_CRC = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
    if (end - at < FIXED) return NULL;
    int flags = at[3];
    at += FIXED;
    if (flags & HAS_EXTRA) {
        if (end - at < 2 || end - at - 2 < (at[0] | at[1] << 8)) return NULL;
        at += 2 + (at[0] | at[1] << 8);
    }
    for (int text = HAS_NAME; text <= HAS_COMMENT; text *= 2) {
        if (!(flags & text)) continue;
        at = memchr(at, 0, (size_t)(end - at));
        if (!at++) return NULL;
    }
    if (flags & HAS_CRC) at += 2;
    return at <= end ? at : NULL;
}

static uint32_t little_endian(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

const char *gzip_unpack(Text *out, const char *bytes, size_t n, size_t limit) {
    const unsigned char *at = (const unsigned char *)bytes, *end = at + n;
    while (gzip_is((const char *)at, (size_t)(end - at))) { /* what follows the last member is padding */
        at = skip_header(at, end);
        if (!at) return truncated;
        Inflate z = {.at = at, .end = end, .out = out, .first = out->n, .limit = limit};
        const char *wrong = inflate(&z);
        if (wrong) return wrong;
        if (end - z.at < 8) return truncated;
        size_t size = out->n - z.first;
        bool intact = little_endian(z.at) == checksum(text_string(out) + z.first, size) &&
                      little_endian(z.at + 4) == (uint32_t)size;
        if (!intact) return corrupt;
        at = z.at + 8;
    }
    return NULL;
}
