#ifndef HOME_PAGE_H
#define HOME_PAGE_H

#include <stddef.h>

/// A file of the page.
struct home_page_file {
    /// The name, without a folder.
    const char *_Nonnull name;
    /// The first byte of the contents.
    const unsigned char *_Nonnull bytes;
    /// The size in bytes.
    size_t size;
};

/// The number of files.
extern const size_t home_page_file_count;

/// Returns a file by its index.
struct home_page_file home_page_file_at(size_t index);

/// Compresses bytes in gzip's format, always to the same bytes.
///
/// \returns the compressed bytes, which the caller frees, or NULL if memory is short.
unsigned char *_Nullable home_page_compress(const unsigned char *_Nonnull bytes, size_t size, size_t *_Nonnull compressed_size);

#endif
