/* SPDX-License-Identifier: MIT */
/* program.h - assembles a user program, and runs it on a device with little memory. */
#ifndef TESTS_VC4_PROGRAM_H
#define TESTS_VC4_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/isa.h>
#include <tessera/vc4.h>

enum { PROGRAM_CODE = 0x10000, PROGRAM_UNIFORMS = 0x20000, PROGRAM_MEMORY = 0x30000 };

static inline void program_say(void *user, const struct tess_finding *diag)
{
    (void)user;
    fail_msg("%s", diag->text);
}

/* Assembles a program and writes its words to memory, which must be large enough. */
static inline void program_assemble(uint8_t *to, const char *text)
{
    const char *folder = TEST_DATA "/../share/tessera/include";
    const struct tess_asm_options options = {.machine = TESS_MACHINE_QPU,
                                             .format = TESS_ASM_BIN,
                                             .include_dirs = &folder,
                                             .include_dir_count = 1,
                                             .skip_check = true};
    size_t size;
    uint8_t *code;
    assert_int_equal(tess_assemble_text(text, strlen(text), "program.qasm", &options,
                                        (struct tess_sink){program_say, NULL}, &code, &size),
                     TESS_OK);
    memcpy(to, code, size);
    tess_free(code);
}

/* Creates a device with the program at PROGRAM_CODE. */
static inline struct tess_vc4 *program_device(const char *text,
                                              const struct tess_vc4_options *options)
{
    struct tess_vc4 *vc4;
    assert_int_equal(tess_vc4_create(&vc4, options), TESS_OK);
    assert_int_equal(tess_vc4_map(vc4, 0, PROGRAM_MEMORY, NULL), TESS_OK);
    program_assemble(tess_vc4_memory(vc4, PROGRAM_CODE, PROGRAM_UNIFORMS - PROGRAM_CODE), text);
    return vc4;
}

/* Runs the program `times` times in parallel, always with the uniforms at PROGRAM_UNIFORMS. */
static inline void program_run(struct tess_vc4 *vc4, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        tess_vc4_write(vc4, V3D_SRQUA, PROGRAM_UNIFORMS);
        tess_vc4_write(vc4, V3D_SRQPC, PROGRAM_CODE);
    }
    assert_int_equal(tess_vc4_run(vc4), TESS_VC4_IDLE);
}

#endif
