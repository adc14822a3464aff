/* SPDX-License-Identifier: MIT */
/* qpu.c - fuzz target: the QPU, with any bytes as a user program. The program is started twice, so
 * that the two copies can disturb each other. The uniforms are the bytes of the program. Every word
 * is also disassembled and explained. */
#include <string.h>

#include <tessera/isa.h>
#include <tessera/vc4.h>

enum { MEMORY = 1 << 14, PROGRAM = 0x100 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_words(const uint8_t *data, size_t size)
{
    char text[64]; /* short, so that texts are truncated too */
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, sizeof word);
        tess_qpu_disassemble(text, sizeof text, word, (uint32_t)(PROGRAM + i));
        tess_qpu_explain(text, sizeof text, word, (uint32_t)(PROGRAM + i));
    }
}

static void run_program(struct tess_vc4 *vc4, const uint8_t *data, size_t size)
{
    memcpy(tess_vc4_memory(vc4, PROGRAM, (uint32_t)size), data, size);
    for (int i = 0; i < 2; i++) {
        tess_vc4_write(vc4, V3D_SRQUA, PROGRAM);
        tess_vc4_write(vc4, V3D_SRQUL, 64);
        tess_vc4_write(vc4, V3D_SRQPC, PROGRAM);
    }
    tess_vc4_run(vc4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 2000,
                                                    .max_records = 100};
    struct tess_vc4 *vc4;
    if (size == 0 || size > MEMORY - PROGRAM || tess_vc4_create(&vc4, &options) != TESS_OK)
        return 0;
    print_words(data, size);
    if (tess_vc4_map(vc4, 0, MEMORY, NULL) == TESS_OK)
        run_program(vc4, data, size);
    tess_vc4_destroy(vc4);
    return 0;
}
