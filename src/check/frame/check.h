/* SPDX-License-Identifier: MIT */
/* check.h - runs the checker on assembled programs and on machine code. Extracts the instruction
 * words from files, and converts the addresses of findings to source lines. */
#ifndef CHECK_FRAME_CHECK_H
#define CHECK_FRAME_CHECK_H

#include "asm/asm.h"
#include "check/frame/check_input.h"
#include "code/code.h"

struct check_said; /* assembler_warnings.h */

/* The state of one check: rule levels, receiver of the findings, and the worst level so far. */
struct check_job {
    const struct tess_check_options *options;
    const struct check_machine *machine;
    enum tess_level levels[CHECK_RULES];
    struct tess_sink findings;
    enum tess_level worst;
    bool partial;                    /* true if the words may be only a part of a program (struct
                                      * check_input) */
    const struct check_said *said;   /* warnings of the assembler about a source, or NULL */
    const struct asm_origin *origin; /* origin of the finding being reported, or NULL */
};

/* Initialises a job and sets the levels of the rules from the options. Returns false if a setting
 * has an unknown rule id, and sets *bad to the index of the setting. */
bool check_job_begin(struct check_job *job, const struct tess_check_options *options,
                     struct tess_sink findings, size_t *bad);

/* Reports a finding, unless its rule is off. text may contain a hint (base/diag.h). hint is NULL
 * for the hint of the rule. */
void check_job_report(struct check_job *job, enum check_rule rule, const char *text,
                      const char *hint, struct tess_check_details *details);

/* Marks data words between instructions as code if the words look like instructions, because
 * sources may contain instructions written as numbers. */
void check_find_written_as_data(const struct check_machine *machine, const uint8_t *words,
                                uint8_t *content, size_t count);

/* Stores an instruction in *place. The instruction is the first length bytes at bytes, or one
 * instruction word of the machine if length is 0. size is the number of bytes available at bytes.
 * Stores 0 if the instruction is longer than size. */
void check_set_instruction(const struct check_job *job, struct tess_check_place *place,
                           uint32_t length, const uint8_t *bytes, size_t size);

/* Checks an assembled program and applies the checker comments in its sources. Returns TESS_OK,
 * TESS_NO_MEMORY, or TESS_BAD_INPUT if an entry of the options is neither a symbol nor a number. */
enum tess_status check_assembled(struct check_job *job, const struct asm_program *program,
                                 struct tess_sink sink);

/* assembler_warnings.c: returns the macro call or include with a number, or NULL. */
const struct asm_trace *check_trace(const struct asm_program *program, uint32_t number);

/* Reports a note for each macro call and include that leads to a line. trace is 1 plus the index of
 * the line's struct asm_trace, or 0 if the line has no trace. */
void check_report_calls(const struct asm_program *program, uint32_t trace, struct tess_sink sink);

/* Passes a finding of the checker to the assembler's sink, with notes for macro calls. user is a
 * struct check_to_assembler. */
struct check_to_assembler {
    const struct asm_program *program;
    const struct check_job *job;
    struct tess_sink sink;
};
void check_report_warning(void *user, const struct tess_finding *finding);

/* Checks machine code that was read from file. name identifies the file in messages. Returns the
 * same statuses as check_assembled(). */
enum tess_status check_image(struct check_job *job, const struct code_image *image,
                             const uint8_t *file, size_t size, const char *name,
                             struct tess_sink sink);

/* Checks the output of tess_assemble(). Findings go to sink as diagnostics, together with the
 * assembler's collected warnings. */
enum tess_status check_for_assembler(const struct asm_program *program, enum tess_machine machine,
                                     enum tess_a2xx_variant variant, const struct check_said *said,
                                     struct tess_sink sink);

/* Checks the ".scene" lines of a source. Reports each mistake at its line. Returns TESS_WRONG if
 * there is an error, TESS_NO_MEMORY if the host is out of memory, and otherwise TESS_OK. */
enum tess_status check_steps(const struct asm_program *program, struct tess_sink sink);

#endif
