/* SPDX-License-Identifier: MIT */
/* wrote.h - what a run has written is said on standard error, with the size of pictures and the length of other files. */
#ifndef CLI_WROTE_H
#define CLI_WROTE_H

#include <stdbool.h>

/* From here on files count. */
void wrote_begin(void);

/* A file is written, or will have been at the end. NULL and "-", which are standard output, do not count. */
void wrote_note(const char *path);

/* The same, also before wrote_begin(): contents, as "3 findings", is printed in place of the file's length. */
void wrote_note_contents(const char *path, const char *contents);

/* Says what has been written: "wrote hang.png (640x480)". print: false only forgets it. */
void wrote_end(bool print);

#endif
