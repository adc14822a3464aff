/* SPDX-License-Identifier: MIT */
/* finding_private.h - what the formats of finding_log.h have in common. */
#ifndef FRONT_FINDING_PRIVATE_H
#define FRONT_FINDING_PRIVATE_H

#include "front/finding_log.h"

/* A format. */
struct finding_writer {
    void (*begin)(struct finding_log *log);
    void (*begin_file)(struct finding_log *log); /* NULL: nothing to write */
    void (*end_file)(struct finding_log *log);   /* NULL: nothing to write */
    void (*add)(struct finding_log *log, const struct finding *finding);
    void (*end)(struct finding_log *log, bool complete, int exit_status);
};

extern const struct finding_writer finding_json, finding_sarif, finding_github, finding_junit;

/* "off", "note", "warning", "error" */
const char *finding_level_name(enum tess_check_level level);

/* The column after what a place is about, in bytes: after the statement, or after the word; 0:
 * unknown. */
uint32_t finding_end_column(const struct finding_place *place);

/* The stream whose text is written later; NULL if the host is out of memory. */
FILE *finding_later(struct finding_log *log, unsigned number);

/* Writes that text, and forgets it. */
void finding_put_later(struct finding_log *log, unsigned number);

#endif
