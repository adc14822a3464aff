/* SPDX-License-Identifier: MIT */
/* examples.h - a wrong and a right program for each rule of the checkers and each finding of the
 * models and the board. */
#ifndef FRONT_EXAMPLES_H
#define FRONT_EXAMPLES_H

/* Form of both sides of an example. */
enum example_kind {
    EXAMPLE_QPU,      /* source for tessera check */
    EXAMPLE_GP,       /* source for tessera check and tessera run -m gp */
    EXAMPLE_A2XX,     /* source for tessera check and tessera run -m a2xx */
    EXAMPLE_SCENE,    /* source of a scene, for tessera check and tessera run */
    EXAMPLE_EXCERPT,  /* lines of a scene; a line "..." separates two pieces */
    EXAMPLE_ACCESSES, /* accesses to memory and mailboxes, in the form of findings_pi.def */
    EXAMPLE_TEXT,     /* lines of C */
};

struct example {
    const char *id;
    enum example_kind kind;
    const char *wrong, *right; /* lines that end with a newline */
};

/* Returns the example of a rule of the checkers. If a rule about scenes has no example, returns the
 * example of the finding with the same id. Returns NULL if there is no such rule. */
const struct example *example_of_rule(const char *id);

/* Returns the example of a finding of a model or of the board, or NULL if there is no such
 * finding. */
const struct example *example_of_finding(const char *id);

#endif
