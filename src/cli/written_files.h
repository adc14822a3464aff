/* SPDX-License-Identifier: MIT */
/* written_files.h - lists the written files on standard error, with the size of pictures and the length of
 * other files. */
#ifndef CLI_WRITTEN_FILES_H
#define CLI_WRITTEN_FILES_H

#include <stdbool.h>

/* Starts recording files. */
void written_files_begin(void);

/* Records a file that has been or will be written. Ignores NULL and "-", which are standard
 * output. */
void written_files_note(const char *path);

/* Like written_files_note(), but also works before written_files_begin(). contents, such as "3 findings", is
 * printed instead of the file's length. */
void written_files_note_contents(const char *path, const char *contents);

/* Lists the recorded files, as in "wrote hang.png (640x480)", if print is true. Forgets the
 * files. */
void written_files_end(bool print);

#endif
