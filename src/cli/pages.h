/* SPDX-License-Identifier: MIT */
/* pages.h - the pages that messages name: "docs/run.md". */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that has the folder docs: where the program was installed, or built. False: it is not
 * there. */
bool pages_folder(char *folder, size_t size);

/* Whether a word may be the name of a page. */
bool pages_is_name(const char *word);

/* Prints a page, "docs/run.md" or "run.md", to standard output. Returns the exit status; stderr has
 * been told. */
int pages_print(const char *title, const char *name);

#endif
