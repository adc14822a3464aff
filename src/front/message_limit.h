/* SPDX-License-Identifier: MIT */
/* message_limit.h - how many messages are shown as text: one limit for all verbs and shims.
 *
 * In:  messages as they come.
 * Out: whether each is shown; how many are not.
 *
 * Choices: a message is shown while fewer than the limit of its severity or of worse ones have been shown. So neither warnings nor
 * notes ever hide an error, notes hide no warning, and three times the limit are the most that can come. A note that belongs to
 * the message before it is shown or left out with it. */
#ifndef FRONT_MESSAGE_LIMIT_H
#define FRONT_MESSAGE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/tessera.h>

enum {
    MESSAGE_LIMIT_DEFAULT = 100,
    MESSAGE_LIMIT_WANTS = 1000,         /* findings of a kind that models pass on */
    MESSAGE_LIMIT_WANTS_MOST = 1000000, /* the same if the user wants all */
    MESSAGE_LIMIT_RULE = 48,
};

/* Zero it. */
struct message_limit {
    uint64_t shown[3], hidden[3]; /* of each severity */
    /* The message that notes may belong to. */
    enum tess_severity severity;
    bool let;
    unsigned followers;
    char rule[MESSAGE_LIMIT_RULE];
};

/* Settles the limit of this process; 0: none. */
void message_limit_choose(uint64_t most);

/* What was chosen; false: nothing was. */
bool message_limit_chosen(uint64_t *most);

/* How many findings of one rule are shown, of which usual ones are without a choice. */
uint64_t message_limit_of_rule(uint64_t usual);

/* How many errors the assembler reports before it gives up; 0: as many as it likes to. */
uint32_t message_limit_errors(void);

/* How many findings of each kind a model passes on. */
uint32_t message_limit_wants(void);

/* Whether a message is shown; counts it. */
bool message_limit_lets(struct message_limit *limit, const struct tess_diag *diag);

/* "12 errors and 3 notes", of numbers by severity; "" if all are 0. */
void message_limit_text(char *text, size_t size, const uint64_t counts[3]);

#endif
