#ifndef CCHACHA20_H
#define CCHACHA20_H

#include <stdint.h>

/// The number of blocks that hearth_chacha20_blocks computes together.
#define HEARTH_CHACHA20_BATCH 4

/// Computes four consecutive blocks of ChaCha20's key stream (RFC 8439, section 2.3).
///
/// Its time doesn't depend on the key: no branch and no address does.
///
/// - key: eight words
/// - counter: the number of the first block; must not overflow within the batch
/// - nonce: three words
/// - stream: receives 256 bytes
void hearth_chacha20_blocks(const uint32_t *key, uint32_t counter, const uint32_t *nonce, void *stream);

#endif
