/* SPDX-License-Identifier: MIT */
/* written_files.h - lists the written files on standard error, with the width and height of
 * pictures and the number of bytes of other files. */
#ifndef CLI_WRITTEN_FILES_H
#define CLI_WRITTEN_FILES_H

#include <stdbool.h>

/* Starts recording files. */
void written_files_begin(void);

/* Records a file that has been or will be written. Ignores NULL and "-", which are standard
 * output. */
void written_files_note(const char *path);

/* Like written_files_note(), but also works without written_files_begin(). contents is printed
 * instead of the file's size, as in "3 findings". */
void written_files_note_contents(const char *path, const char *contents);

/* Prints the recorded files if print is true, as in "wrote hang.png (640x480)". Ends the recording
 * and clears the list. */
void written_files_end(bool print);

#endif
