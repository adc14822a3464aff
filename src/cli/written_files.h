/* SPDX-License-Identifier: MIT */
/* written_files.h - lists the written files on standard error, with the size of pictures and the length of
 * other files. */
#ifndef CLI_WROTE_H
#define CLI_WROTE_H

#include <stdbool.h>

/* Starts recording files. */
void wrote_begin(void);

/* Records a file that is written, now or at the end. Ignores NULL and "-", which are standard
 * output. */
void wrote_note(const char *path);

/* Like wrote_note(), but also works before wrote_begin(). contents, such as "3 findings", is
 * printed instead of the file's length. */
void wrote_note_contents(const char *path, const char *contents);

/* Lists the recorded files, as in "wrote hang.png (640x480)", if print is true. Forgets the
 * files. */
void wrote_end(bool print);

#endif
