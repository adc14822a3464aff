/* SPDX-License-Identifier: MIT */
/* assembler.c - fuzz target: the assembler, with any text as a source file. The first character
 * selects the output format. If the text begins with "#gp", "#ax" or "#xe", the source is for the
 * GP, the A2xx or the Xenos, and the fourth character selects the output format. */
#include <string.h>

#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(void *user, const struct tess_finding *diag)
{
    volatile size_t *sum = user;
    for (const char *at = diag->text; *at; at++)
        *sum += (size_t)*at;
    for (const char *at = diag->source_line; at && *at; at++)
        *sum += (size_t)*at;
}

static bool begins(const uint8_t *data, size_t size, const char *prefix)
{
    return size > 3 && memcmp(data, prefix, 3) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    volatile size_t sum = 0;
    bool gp = begins(data, size, "#gp"), xenos = begins(data, size, "#xe");
    bool a2xx = xenos || begins(data, size, "#ax");
    uint8_t choice = size ? data[gp || a2xx ? 3 : 0] : 0;
    struct tess_asm_options options = {
        .machine = gp     ? TESS_MACHINE_GP
                   : a2xx ? TESS_MACHINE_A2XX
                          : TESS_MACHINE_QPU,
        .variant = xenos ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO,
        .format = (enum tess_asm_format)(choice % (TESS_ASM_OBJECT + 1)),
        .comments = size > 1 && (data[1] & 1)};
    uint8_t *out = NULL;
    size_t out_size = 0;
    tess_assemble_text((const char *)data, size, "fuzz", &options,
                       (struct tess_sink){look_at, (void *)&sum}, &out, &out_size);
    for (size_t i = 0; i < out_size; i++)
        sum += out[i];
    tess_free(out);
    return 0;
}
