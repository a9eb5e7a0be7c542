#include "CChaCha20.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The blocks are written as words of the machine, which must be little-endian."
#endif

// One word of each of 4 or 8 blocks. In C because Swift has no shift of a vector: it shifts the lanes one by one, and the
// optimizer doesn't put them together again.
typedef uint32_t Words4 __attribute__((vector_size(16)));
typedef uint32_t Words8 __attribute__((vector_size(32)));

#define ROTATE(words, bits) ((words) << (bits) | (words) >> (32 - (bits)))

#define QUARTER_ROUND(a, b, c, d)     \
    do {                              \
        a += b;                       \
        d = ROTATE(d ^ a, 16);        \
        c += d;                       \
        b = ROTATE(b ^ c, 12);        \
        a += b;                       \
        d = ROTATE(d ^ a, 8);         \
        c += d;                       \
        b = ROTATE(b ^ c, 7);         \
    } while (0)

// Interleaves two vectors in parts of 16 bytes: their first or second words, or their first or second pairs of words.
#define FIRST_WORDS_4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define SECOND_WORDS_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define FIRST_PAIRS_4(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define SECOND_PAIRS_4(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define FIRST_WORDS_8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define SECOND_WORDS_8(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FIRST_PAIRS_8(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define SECOND_PAIRS_8(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

// Defines a function that computes as many blocks as a vector has lanes, which are numbered.
#define DEFINE_BLOCKS(LANES, ...)                                                                                    \
    static inline __attribute__((always_inline)) void blocks_##LANES(                                                \
        const uint32_t *key, uint32_t counter, const uint32_t *nonce, unsigned char *stream)                         \
    {                                                                                                                \
        Words##LANES start[16], x[16];                                                                               \
        for (int word = 0; word < 4; word++) start[word] = (Words##LANES){0} + constants[word];                      \
        for (int word = 0; word < 8; word++) start[4 + word] = (Words##LANES){0} + key[word];                        \
        start[12] = (Words##LANES){__VA_ARGS__} + counter;                                                             \
        for (int word = 0; word < 3; word++) start[13 + word] = (Words##LANES){0} + nonce[word];                     \
        memcpy(x, start, sizeof x);                                                                                  \
        for (int round = 0; round < 10; round++) {                                                                   \
            QUARTER_ROUND(x[0], x[4], x[8], x[12]);                                                                  \
            QUARTER_ROUND(x[1], x[5], x[9], x[13]);                                                                  \
            QUARTER_ROUND(x[2], x[6], x[10], x[14]);                                                                 \
            QUARTER_ROUND(x[3], x[7], x[11], x[15]);                                                                 \
            QUARTER_ROUND(x[0], x[5], x[10], x[15]);                                                                 \
            QUARTER_ROUND(x[1], x[6], x[11], x[12]);                                                                 \
            QUARTER_ROUND(x[2], x[7], x[8], x[13]);                                                                  \
            QUARTER_ROUND(x[3], x[4], x[9], x[14]);                                                                  \
        }                                                                                                            \
        for (int word = 0; word < 16; word++) x[word] += start[word];                                                \
        for (int word = 0; word < 16; word += 4) {                                                                   \
            /* Four words of each block, which become adjacent: in each part of 16 bytes another block's. */         \
            Words##LANES a = FIRST_WORDS_##LANES(x[word], x[word + 1]);                                              \
            Words##LANES b = FIRST_WORDS_##LANES(x[word + 2], x[word + 3]);                                          \
            Words##LANES c = SECOND_WORDS_##LANES(x[word], x[word + 1]);                                             \
            Words##LANES d = SECOND_WORDS_##LANES(x[word + 2], x[word + 3]);                                         \
            Words##LANES rows[4] = {FIRST_PAIRS_##LANES(a, b), SECOND_PAIRS_##LANES(a, b),                           \
                                    FIRST_PAIRS_##LANES(c, d), SECOND_PAIRS_##LANES(c, d)};                          \
            for (int block = 0; block < LANES; block++)                                                              \
                memcpy(stream + 64 * block + 4 * word, (char *)&rows[block % 4] + block / 4 * 16, 16);               \
        }                                                                                                            \
    }

// “expand 32-byte k”
static const uint32_t constants[4] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574};

DEFINE_BLOCKS(4, 0, 1, 2, 3)

#if defined(__x86_64__)

DEFINE_BLOCKS(8, 0, 1, 2, 3, 4, 5, 6, 7)

// With AVX2, whose vectors are twice as long. It also has instructions that rotate by 8 and 16 bits and don't overwrite
// their operands.
__attribute__((target("avx2"))) static void blocks_avx2(
    const uint32_t *key, uint32_t counter, const uint32_t *nonce, unsigned char *stream)
{
    blocks_8(key, counter, nonce, stream);
}

// With the part of AVX-512 for vectors of the same length: it has instructions that rotate by any number of bits, and
// twice as many registers, so that all words stay in them.
__attribute__((target("avx2,avx512f,avx512vl"))) static void blocks_avx512(
    const uint32_t *key, uint32_t counter, const uint32_t *nonce, unsigned char *stream)
{
    blocks_8(key, counter, nonce, stream);
}

#endif

void hearth_chacha20_blocks(const uint32_t *key, uint32_t counter, const uint32_t *nonce, int count, void *stream)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vl")) {
        blocks_avx512(key, counter, nonce, stream);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        blocks_avx2(key, counter, nonce, stream);
        return;
    }
#endif
    blocks_4(key, counter, nonce, stream);
    if (count > 4) blocks_4(key, counter + 4, nonce, (unsigned char *)stream + 4 * 64);
}
