/* SPDX-License-Identifier: MIT */
/* message_limit.h - limit on the number of messages shown as text, the same for all commands and
 * shims.
 *
 * In:      messages in the order of their reports.
 * Out: for each message, true if it is shown; the number of messages that are not shown.
 *
 * Choices: a message is shown while the number of shown messages of its severity or worse is below
 *          the limit. Warnings and notes therefore never suppress errors, notes never suppress
 *          warnings, and the number of shown messages is at most three times the limit. A note that
 *          belongs to the previous message is shown or suppressed together with that message. */
#ifndef FRONT_MESSAGE_LIMIT_H
#define FRONT_MESSAGE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/tessera.h>

enum {
    MESSAGE_LIMIT_DEFAULT = 100,
    /* Default number of findings of each kind that models report. */
    MESSAGE_LIMIT_WANTS = 1000,
    /* Number of findings of each kind that models report if the user chooses no limit. */
    MESSAGE_LIMIT_WANTS_MOST = 1000000,
    MESSAGE_LIMIT_RULE = 48,
};

/* State of the limit. Zero-initialise the struct. */
struct message_limit {
    uint64_t shown[3], hidden[3]; /* numbers of messages by severity */
    /* About the previous message, to which following notes may belong: its severity, true if it was
     * shown, the number of its notes so far, and its rule. */
    enum tess_level severity;
    bool let;
    unsigned followers;
    char rule[MESSAGE_LIMIT_RULE];
};

/* Sets the limit of this process, 0 for no limit. */
void message_limit_choose(uint64_t most);

/* Sets *most to the chosen limit. Returns false if no limit was chosen. */
bool message_limit_chosen(uint64_t *most);

/* Returns the number of findings that are shown for each rule. Returns `usual` if no limit was
 * chosen. */
uint64_t message_limit_of_rule(uint64_t usual);

/* Returns the number of errors after which the assembler stops, or 0 for the assembler's
 * default. */
uint32_t message_limit_errors(void);

/* Returns the number of findings of each kind that a model reports. */
uint32_t message_limit_wants(void);

/* Counts a message. Returns true if the message should be shown. */
bool message_limit_lets(struct message_limit *limit, const struct tess_finding *diag);

/* Writes "12 errors and 3 notes" from counts by severity, or "" if all are 0. */
void message_limit_text(char *text, size_t size, const uint64_t counts[3]);

#endif
