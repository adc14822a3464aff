/* SPDX-License-Identifier: MIT */
/* access_kind.h - kinds of memory that an instruction accesses. */
#ifndef VCIO_ACCESS_KIND_H
#define VCIO_ACCESS_KIND_H

/* Memory that contains all bytes of an access. ACCESS_OTHER is GPU memory, an access to both
 * registers and memory, and an access that the program's protection of the registers forbids. */
enum access_kind { ACCESS_REGISTERS, ACCESS_MEMORY, ACCESS_OTHER };

#endif
