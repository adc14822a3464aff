/* SPDX-License-Identifier: MIT */
/* access_kind.h - kinds of memory that an instruction accesses. */
#ifndef VCIO_ACCESS_KIND_H
#define VCIO_ACCESS_KIND_H

/* Memory that contains all bytes of an access. ACCESS_GPU is GPU memory, which may be closed.
 * ACCESS_OTHER is an access to several kinds of memory, and an access that the program's protection
 * of registers or GPU memory forbids. */
enum access_kind { ACCESS_REGISTERS, ACCESS_MEMORY, ACCESS_GPU, ACCESS_OTHER };

#endif
