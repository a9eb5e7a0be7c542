#include "HomePage.h"

#include <stdlib.h>
#include <zlib.h>

unsigned char *home_page_compress(const unsigned char *bytes, size_t size, size_t *compressed_size) {
    // 16 selects gzip's header and trailer, which has no time or name unless one is set.
    const int window = MAX_WBITS + 16;
    const int memory = 8;
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
    const size_t bound = deflateBound(&stream, size);
    unsigned char *compressed = malloc(bound);
    int status = Z_MEM_ERROR;
    if (compressed) {
        stream.next_in = (unsigned char *)bytes;
        stream.avail_in = (unsigned)size;
        stream.next_out = compressed;
        stream.avail_out = (unsigned)bound;
        status = deflate(&stream, Z_FINISH);
        *compressed_size = bound - stream.avail_out;
    }
    deflateEnd(&stream);
    if (status == Z_STREAM_END) return compressed;
    free(compressed);
    return NULL;
}
