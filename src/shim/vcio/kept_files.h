/* SPDX-License-Identifier: MIT */
/* kept_files.h - files in memory that belong to the shim and show the program the contents of
 * devices. They stay open even if the program closes all descriptors. */
#ifndef SHIM_VCIO_KEPT_FILES_H
#define SHIM_VCIO_KEPT_FILES_H

#include <stdint.h>

/* Creates a file in memory with the seals F_SEAL_* in `seals`, which is kept until the process
 * ends. /proc shows `name`. Returns the file's number, or -1 with errno set. The file's descriptor
 * is private (private_fds.h). */
int kept_files_make(const char *name, uint64_t size, int seals);

/* Returns the current descriptor of a kept file. */
int kept_files_fd(int number);

/* Opens a kept file again with the flags of open(). The new descriptor has its own file position.
 * Returns the descriptor, or -1 with errno set. */
int kept_files_open(int number, int flags);

/* Returns the number of the kept file to which a descriptor of the program refers, or -1 if it does
 * not refer to a kept file. */
int kept_files_find(int fd);

#endif
