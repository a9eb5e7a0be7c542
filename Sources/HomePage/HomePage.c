// The files of the page. The compiler embeds them, and compiles this file again when one of them changes.
// To add a file, add it to the folder Files and to both lists below.

#include "HomePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_css[] = {
#embed "Files/app.css"
};
static const unsigned char index_html[] = {
#embed "Files/index.html"
};

#define PAGE_FILE(name, bytes) { name, bytes, sizeof(bytes) }

static const struct home_page_file files[] = {
    PAGE_FILE("app.css", app_css),
    PAGE_FILE("index.html", index_html),
};

const size_t home_page_file_count = sizeof(files) / sizeof(files[0]);

struct home_page_file home_page_file_at(size_t index) {
    return files[index];
}
