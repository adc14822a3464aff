/* SPDX-License-Identifier: MIT */
/* walk.h - an instruction with the state before it: what it does to the state, and what it must
 * not do.
 *
 * One function for each concern. They report what is wrong and change the state to that behind
 * the instruction. */
#ifndef ISA_QPU_CHECK_WALK_H
#define ISA_QPU_CHECK_WALK_H

#include "isa/qpu/check/state.h"

/* A node with the state before it. With silent set nothing is reported. */
struct walk {
    struct checker *checker;
    struct state state;
    const struct check_facts *facts;
    uint32_t node, word;
    uint32_t late; /* instructions that the node is behind the word */
    bool silent;
};

/* Instructions from another word to the walk's; 0 if it is far away, or FLOW_NONE. */
uint32_t walk_distance(const struct walk *walk, uint32_t other);

#define REPORT(walk, rule, other, subject, ...)                                                   \
    do {                                                                                          \
        if (!(walk)->silent)                                                                      \
            found((walk)->checker, rule, (walk)->word,                                            \
                  (struct check_about){other, walk_distance(walk, other), subject}, __VA_ARGS__); \
    } while (0)

/* Reports what became clear at the walk's instruction at the one that caused it. */
#define REPORT_CAUSE(walk, rule, cause, subject, ...)                                      \
    do {                                                                                   \
        if (!(walk)->silent && (cause) != FLOW_NONE)                                       \
            found((walk)->checker, rule, cause,                                            \
                  (struct check_about){(walk)->word, walk_distance(walk, cause), subject}, \
                  __VA_ARGS__);                                                            \
        else                                                                               \
            REPORT(walk, rule, FLOW_NONE, subject, __VA_ARGS__);                           \
    } while (0)

/* Reports a rule by its title. other: a word, or FLOW_NONE. */
void walk_title(struct walk *walk, enum check_rule rule, uint32_t other);

/* values.c: what is read, and was never written, only in part, or is lost; what is written.
 * walk_result: what an ALU (0 add, 1 mul) gives, if it is a constant. */
void walk_undefined(struct walk *walk);
void walk_lost(struct walk *walk);
void walk_partial(struct walk *walk);
void define_results(struct walk *walk);
void keep_constants(struct walk *walk);
bool walk_result(const struct walk *walk, unsigned unit, uint32_t *value);

/* The value of an operand, if it is a constant. */
bool walk_operand(const struct walk *walk, unsigned mux, uint32_t *value);

/* kinds.c: integers where floats are taken, elements that differ where a branch asks for all of
 * them, shifts by 32 and more. */
void walk_kinds(struct walk *walk);

/* tmu.c: requests, results, and what is left of them at the end. */
void walk_tmu(struct walk *walk);
void end_tmu(struct walk *walk);

/* texture.c: uniforms and the stream that the scene has for the program, texture parameters and
 * stencil setups among them. walk_uniform: the number of the next uniform in the stream;
 * UNLIMITED: unknown. */
unsigned walk_uniform(const struct walk *walk);

/* What an ALU writes, if it is a constant, or a uniform as it is. Before walk_uniforms(). */
bool walk_word(const struct walk *walk, unsigned unit, uint32_t *value);
void walk_uniforms(struct walk *walk);
/* images.c: the first two parameters of a texture. */
void check_texture_memory(struct walk *walk, const uint32_t word[2]);

void check_texture(struct walk *walk, const uint8_t at[], unsigned count);
void walk_stencil(struct walk *walk);

/* vpm.c: setups, words read and written, rows of vertices. */
void walk_vpm(struct walk *walk);
void end_vpm(struct walk *walk);

/* dma.c: transfers that nothing has waited for. */
void walk_dma(struct walk *walk);
void end_dma(struct walk *walk);

/* threads.c: scoreboard, mutex, thread switches. end_threads is for the program end, end_locks
 * for what is behind the last instruction. walk_others, end_others: semaphores, and other QPUs;
 * report_ends says what holds for all ends of the program. */
void walk_scoreboard(struct walk *walk);
void walk_tests(struct walk *walk);
void walk_mutex(struct walk *walk);
void walk_others(struct walk *walk);
void walk_switch(struct walk *walk);
void walk_registers(struct walk *walk);
void finish_switch(struct walk *walk);
void end_threads(struct walk *walk);
void end_locks(struct walk *walk);
void end_others(struct walk *walk);
void report_ends(struct checker *checker);

#endif
