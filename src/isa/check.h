/* SPDX-License-Identifier: MIT */
/* check.h - the checker on assembled programs and on machine code: from files to words, from addresses to lines. */
#ifndef ISA_CHECK_H
#define ISA_CHECK_H

#include "asm/asm.h"
#include "isa/check_input.h"
#include "isa/check_said.h"
#include "isa/code.h"

/* One check of one program: what findings count for, who gets them, and the worst so far. */
struct check_job {
    const struct tess_check_options *options;
    const struct check_machine *machine;
    enum tess_check_level levels[CHECK_RULES];
    struct tess_check_sink findings;
    enum tess_check_level worst;
    bool partial;                    /* see struct check_input */
    const struct check_said *said;   /* by the assembler, of a source; NULL: nothing */
    const struct asm_origin *origin; /* of the finding being reported; NULL if there is none */
};

/* Sets the levels as the options say. False if a setting names no rule; its number is in *bad. */
bool check_job_begin(struct check_job *job, const struct tess_check_options *options,
                     struct tess_check_sink findings, size_t *bad);

/* Hands a finding over, unless its rule is off. */
void check_job_report(struct check_job *job, struct tess_check_finding *finding,
                      enum check_rule rule);

/* Instructions may be written as numbers, amid others: turns such data into code. */
void check_find_written_as_data(const struct check_machine *machine, const uint8_t *words,
                                uint8_t *content, size_t count);

/* The instruction of a place becomes length bytes from there on, 0: one of the machine's words, if there are as many left. */
void check_set_instruction(const struct check_job *job, struct tess_check_place *place,
                           uint32_t length, const uint8_t *bytes, size_t size);

/* Checks an assembled program, and obeys the comments in its sources. TESS_OK or TESS_NO_MEMORY; TESS_BAD_INPUT if an
 * entry of the options is no symbol and no number. */
enum tess_status check_assembled(struct check_job *job, const struct asm_program *program,
                                 struct tess_sink sink);

/* Notes that say how the assembler came to a line: trace is the number of its trace, + 1, or 0. */
void check_report_calls(const struct asm_program *program, uint32_t trace, struct tess_sink sink);

/* Checks machine code that was read from file; name stands for it. The same statuses. */
enum tess_status check_image(struct check_job *job, const struct code_image *image,
                             const uint8_t *file, size_t size, const char *name,
                             struct tess_sink sink);

/* Checks what tess_assemble() has assembled: warnings go to sink as diagnostics, those that were
 * said among them. */
enum tess_status check_for_assembler(const struct asm_program *program, enum tess_machine machine,
                                     enum tess_a2xx_variant variant, const struct check_said *said,
                                     struct tess_sink sink);

#endif
