/* SPDX-License-Identifier: MIT */
/* finding_private.h - declarations that the formats of finding_log.h share. */
#ifndef FRONT_FINDING_PRIVATE_H
#define FRONT_FINDING_PRIVATE_H

#include "front/finding_log.h"

/* Functions of a format. */
struct finding_writer {
    void (*begin)(struct finding_log *log);
    void (*begin_file)(struct finding_log *log); /* may be NULL */
    void (*end_file)(struct finding_log *log);   /* may be NULL */
    void (*add)(struct finding_log *log, const struct finding *finding);
    void (*end)(struct finding_log *log, bool complete, int exit_status);
};

extern const struct finding_writer finding_json, finding_sarif, finding_github, finding_junit;

/* Returns the column, in bytes, of the character after the statement or word at a place. Returns 0
 * if the column is unknown. */
uint32_t finding_end_column(const struct finding_place *place);

/* Returns the stream for text that is written to the log later, or NULL if the host is out of
 * memory. */
FILE *finding_later(struct finding_log *log);

/* Writes the text of finding_later() to the log and discards it. */
void finding_put_later(struct finding_log *log);

#endif
