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

#endif
