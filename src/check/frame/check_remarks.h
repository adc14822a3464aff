/* SPDX-License-Identifier: MIT */
/* check_remarks.h - reads comments in sources that address the checker, such as "# tessera: allow
 * RULE". docs/check.md lists the comments. */
#ifndef CHECK_FRAME_CHECK_REMARKS_H
#define CHECK_FRAME_CHECK_REMARKS_H

#include "asm/source.h"
#include "check/frame/check_input.h"

/* Largest number of comments of each kind; further comments are ignored. */
enum { REMARKS_MAX = 4096 };

/* A rule that may be broken on some lines. */
struct remark_allow {
    const struct source_file *file;
    enum check_rule rule; /* CHECK_RULES if the comment names a finding of a model, or all rules */
    const char *finding;
    bool every;           /* true if the comment allows all rules */
    uint32_t first, last; /* numbers of the first and last line on which the rule is allowed */
    uint32_t line;        /* line of the comment */
    bool used, open;      /* open: true after an "off" comment, until an "on" comment ends its
                           * range */
};

enum remark_fact { REMARK_KIND, REMARK_VARYINGS, REMARK_ROWS, REMARK_REGISTERS };

/* A fact from a comment about the program whose first instruction follows. */
struct remark_about {
    const struct source_file *file;
    uint32_t line;
    enum remark_fact fact;
    int value;
};

/* A comment with an unknown verb, rule or value. */
struct remark_wrong {
    const struct source_file *file;
    uint32_t line, column;
    char text[160];
};

struct remarks {
    enum tess_machine machine;
    struct remark_allow *allows;
    size_t allow_count;
    struct remark_about *abouts;
    size_t about_count;
    struct remark_wrong *wrongs;
    size_t wrong_count;
    bool no_memory;
};

/* Reads the comments of all files. Set machine and zero the other fields of *remarks before the
 * call. Free *remarks with remarks_free(). */
void remarks_read(struct remarks *remarks, const struct source_file *files);

/* Returns true if a comment allows an id (a rule, or a finding of a model) on a line of a file. */
bool remarks_allow_id(const struct remarks *remarks, const char *id, const struct source_file *file,
                      uint32_t line);

/* Returns true if a comment allows the rule on this line. Marks the comment as used. */
bool remarks_allow(struct remarks *remarks, enum check_rule rule, const struct source_line *line);

void remarks_free(struct remarks *remarks);

#endif
