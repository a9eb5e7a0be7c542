#ifndef CCHACHA20_H
#define CCHACHA20_H

#include <stdint.h>

/// The number of blocks that hearth_chacha20_blocks computes at most.
#define HEARTH_CHACHA20_BATCH 8

/// Computes consecutive blocks of ChaCha20's key stream (RFC 8439, section 2.3): at least `count`, and more where that
/// takes no more time.
///
/// Its time doesn't depend on the key: no branch and no address does.
///
/// - key: eight words
/// - counter: the number of the first block; must not overflow within the batch
/// - nonce: three words
/// - count: 1 to HEARTH_CHACHA20_BATCH
/// - stream: 512 bytes, of which all may be overwritten
void hearth_chacha20_blocks(const uint32_t *key, uint32_t counter, const uint32_t *nonce, int count, void *stream);

#endif
