/* SPDX-License-Identifier: MIT */
/* pages.h - finds and prints the pages of documentation that messages name, such as
 * "docs/run.md". */
#ifndef CLI_PAGES_H
#define CLI_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the folder that contains docs/, next to the installed program or above the build folder.
 * Returns false if docs/ is not found. */
bool pages_folder(char *folder, size_t size);

/* True if a word has the form of a page's name, which ends in ".md". */
bool pages_is_name(const char *word);

/* Prints a page to standard output. name is "docs/run.md" or "run.md", for example. Returns
 * CLI_DONE, or CLI_USAGE after an error message if the page cannot be printed. */
int pages_print(const char *title, const char *name);

#endif
