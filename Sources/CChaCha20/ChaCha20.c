#include "CChaCha20.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The blocks are written as words of the machine, which must be little-endian."
#endif

// One word of each of the four blocks. In C because Swift has no shift of a vector: it shifts the lanes one by one, and
// the optimizer doesn't put them together again.
typedef uint32_t Words __attribute__((vector_size(4 * HEARTH_CHACHA20_BATCH)));

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

static inline __attribute__((always_inline)) void blocks(
    const uint32_t *key, uint32_t counter, const uint32_t *nonce, uint32_t *stream)
{
    // “expand 32-byte k”
    static const uint32_t constants[4] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574};
    Words start[16], x[16];
    for (int word = 0; word < 4; word++) start[word] = (Words){0} + constants[word];
    for (int word = 0; word < 8; word++) start[4 + word] = (Words){0} + key[word];
    start[12] = (Words){0, 1, 2, 3} + counter;
    for (int word = 0; word < 3; word++) start[13 + word] = (Words){0} + nonce[word];
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 10; round++) {
        QUARTER_ROUND(x[0], x[4], x[8], x[12]);
        QUARTER_ROUND(x[1], x[5], x[9], x[13]);
        QUARTER_ROUND(x[2], x[6], x[10], x[14]);
        QUARTER_ROUND(x[3], x[7], x[11], x[15]);
        QUARTER_ROUND(x[0], x[5], x[10], x[15]);
        QUARTER_ROUND(x[1], x[6], x[11], x[12]);
        QUARTER_ROUND(x[2], x[7], x[8], x[13]);
        QUARTER_ROUND(x[3], x[4], x[9], x[14]);
    }
    for (int word = 0; word < 16; word++) x[word] += start[word];
    for (int block = 0; block < HEARTH_CHACHA20_BATCH; block++)
        for (int word = 0; word < 16; word++)
            memcpy(stream + 16 * block + word, (uint32_t *)&x[word] + block, sizeof(uint32_t));
}

#if defined(__x86_64__)

// With AVX2, which has instructions that rotate by 8 and 16 bits and don't overwrite their operands.
__attribute__((target("avx2"))) static void blocks_avx2(
    const uint32_t *key, uint32_t counter, const uint32_t *nonce, uint32_t *stream)
{
    blocks(key, counter, nonce, stream);
}

void hearth_chacha20_blocks(const uint32_t *key, uint32_t counter, const uint32_t *nonce, void *stream)
{
    if (__builtin_cpu_supports("avx2"))
        blocks_avx2(key, counter, nonce, stream);
    else
        blocks(key, counter, nonce, stream);
}

#else

void hearth_chacha20_blocks(const uint32_t *key, uint32_t counter, const uint32_t *nonce, void *stream)
{
    blocks(key, counter, nonce, stream);
}

#endif
