/* SPDX-License-Identifier: MIT */
/* qpu_walk.h - an instruction on a path: what the functions of the rules look at, and the functions
 * that compute the state after the instruction.
 *
 * The rules are functions that qpu_rules.def names. Where a rule depends on the order of effects
 * inside of an instruction, the functions that update the state ask about each write before it.
 * They also report cases of CHECK_SEVERAL, CHECK_UNIFORM_ADDRESS, CHECK_SWITCH and
 * CHECK_VPM_DMA_LEFT that the functions of these rows, called at another time, do not see. */
#ifndef CHECK_QPU_QPU_WALK_H
#define CHECK_QPU_QPU_WALK_H

#include "check/qpu/qpu_check_state.h"
#include "isa/qpu/setup.h"

/* A node with the state before it, or after it at the end of the program. Rules about single
 * instructions have no state. If silent is set, nothing is reported. */
struct walk {
    struct checker *checker;
    struct state *state;
    const struct qpu_facts *facts;
    uint32_t node, word;
    uint32_t late; /* number of instructions from word to the node; 0 unless word is an earlier
                    * instruction */
    bool silent;
    unsigned unit; /* for rules about writes: the ALU that writes, 0 add, 1 mul */

    /* For rules about two instructions: the instruction early_word on a path to the node, and the
     * number of instructions from it to the node. */
    const struct qpu_facts *early;
    uint32_t early_word, distance;
};

/* The functions that qpu_rules.def names. At the end of the program, walk->word is the instruction
 * that signals the end. */
#define ASK_WALK struct walk
#include "check/frame/asks.h"
#include "check/qpu/qpu_rules.def"

/* Returns the number of instructions from another word to the walk's word. Returns 0 if other is
 * far away or CHECK_NONE. */
uint32_t walk_distance(const struct walk *walk, uint32_t other);

/* Returns true if the write that rules look at is to the address in the file. */
static inline bool walk_writes(const struct walk *walk, unsigned address, bool file_b)
{
    const struct qpu_write *write = &walk->facts->write[walk->unit];
    return write->address == address && write->file_b == file_b;
}

/* Reports at the walk's word. */
#define FOUND(walk, rule, other, subject, ...)                                                  \
    do {                                                                                        \
        if (!(walk)->silent)                                                                    \
            check_report(&(walk)->checker->out, rule, (walk)->word,                             \
                         CHECK_OTHER(other, walk_distance(walk, other), subject), __VA_ARGS__); \
    } while (0)

/* Reports at the instruction that caused the problem. The walk's instruction, where the problem
 * shows, becomes the second instruction of the finding. */
#define FOUND_CAUSE(walk, rule, cause, subject, ...)                                     \
    do {                                                                                 \
        if (!(walk)->silent && (cause) != CHECK_NONE)                                    \
            check_report(&(walk)->checker->out, rule, cause,                             \
                         CHECK_OTHER((walk)->word, walk_distance(walk, cause), subject), \
                         __VA_ARGS__);                                                   \
        else                                                                             \
            FOUND(walk, rule, CHECK_NONE, subject, __VA_ARGS__);                         \
    } while (0)

/* Asks the rules about the write of an ALU, unless the walk is silent. */
void walk_write(struct walk *walk, unsigned unit);

/* Reports a rule with its title as text. other is a word or CHECK_NONE. */
void walk_title(const struct walk *walk, enum check_rule rule, uint32_t other);

/* Returns the walk at the end of the program with the last instruction as its word. */
struct walk walk_last(const struct walk *walk);

/* values.c: registers that are read without a value, written in part, or lost; constants.
 * If the result of an ALU (0 add, 1 mul) is a constant, walk_result() stores it in *value
 * and returns true. */
void walk_undefined(struct walk *walk);
void walk_partial(struct walk *walk);
void define_results(struct walk *walk);
void keep_constants(struct walk *walk);
bool walk_result(const struct walk *walk, unsigned unit, uint32_t *value);

/* Stores the value of an operand in *value and returns true if the operand is a constant. */
bool walk_operand(const struct walk *walk, unsigned mux, uint32_t *value);

/* kinds.c: registers with integers, and registers whose elements differ. */
void walk_kinds(struct walk *walk);

/* tmu.c: requests and results. walk_request() returns the queue before the request that the write
 * makes, or NULL. */
void walk_tmu(struct walk *walk);
const struct queue *walk_request(const struct walk *walk);

/* texture.c: the scene's uniform stream, with texture parameters and stencil setups.
 * walk_uniform() returns the index of the next uniform in the stream, or UNLIMITED if unknown. */
unsigned walk_uniform(const struct walk *walk);

/* If the value that an ALU writes is a constant or an unmodified uniform, stores it in *value and
 * returns true. Must run before walk_uniforms(). */
bool walk_word(const struct walk *walk, unsigned unit, uint32_t *value);
void walk_uniforms(struct walk *walk);

/* Stores the parameters of the texture request that the write makes. Returns their number, or 0 if
 * the write makes no such request or a parameter is unknown. */
unsigned walk_texture(const struct walk *walk, uint32_t words[PARAMETERS_MAX]);

/* vpm.c: setups, vectors read and written, rows of vertices. */
void walk_vpm(struct walk *walk);

/* dma.c: setups of transfers, and transfers that no instruction waits for. */
void walk_dma(struct walk *walk);

/* threads.c: scoreboard, mutex, semaphores, thread switches, host interrupt. end_others() collects
 * the facts that hold at all ends. */
void walk_scoreboard(struct walk *walk);
void walk_tests(struct walk *walk);
void walk_mutex(struct walk *walk);
void walk_others(struct walk *walk);
void walk_switch(struct walk *walk);
void finish_switch(struct walk *walk);
void end_others(const struct walk *walk);

#endif
