/* SPDX-License-Identifier: MIT */
/* assemble.c - connects the GP's instruction set to the assembler core: instructions of one or
 * more lines, and the directives of the interface. The core keeps a struct gp_state for each
 * pass. */
#include "base/bits.h"
#include "isa/asm_isa.h"
#include "isa/gp/directives.h"
#include "isa/gp/parse.h"

struct gp_state {
    struct gp_owners owners;
    struct gp_build build;  /* the latest instruction, which lines that begin with ';' continue */
    struct gp_build before; /* the instruction before the latest one; valid if has_before is true */
    uint32_t address;       /* address of the latest instruction */
    bool has_build, has_before;
};

static size_t write(const struct gp_build *build, uint8_t bytes[ASM_INSTRUCTION_MAX])
{
    uint32_t words[GP_WORDS];
    struct gp_insn insn = gp_build_end(build);
    gp_encode(&insn, words);
    for (unsigned i = 0; i < GP_WORDS; i++)
        store_le32(bytes + 4 * i, words[i]);
    return GP_INSN_BYTES;
}

static size_t instruction(const char *text, size_t length, uint32_t address,
                          const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                          unsigned *traits, struct asm_error *error)
{
    struct gp_state *state = names->state;
    state->has_before = state->has_build && address - state->address == GP_INSN_BYTES;
    state->before = state->build;
    gp_build_begin(&state->build);
    state->address = address;
    state->has_build = true;
    *traits = ASM_AGAIN;
    if (gp_parse_slots(text, length, names, &state->build, error) == GP_PARSE_ERROR)
        return 0;
    return write(&state->build, bytes);
}

/* Adds the slots of a line to the latest instruction. Fails if the bytes before this address are
 * not the latest instruction, for example after .back, .clone or data. */
static size_t join(const char *text, size_t length, uint32_t address, const struct asm_names *names,
                   const uint8_t *before, size_t before_size, bool exact,
                   uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error)
{
    (void)before;
    (void)before_size;
    (void)exact;
    struct gp_state *state = names->state;
    if (!state->has_build || state->address != address) {
        asm_fail(error, "asm-join", 0,
                 "remove the ';' at the start of the line to begin a new instruction",
                 "there is no instruction for this line to continue");
        return 0;
    }
    if (gp_parse_slots(text, length, names, &state->build, error) == GP_PARSE_ERROR)
        return 0;
    return write(&state->build, bytes);
}

static bool complete(void *user, struct asm_error *error)
{
    const struct gp_state *state = user;
    return (!state->has_before || gp_build_stands_alone(&state->build, &state->before, error)) &&
           gp_build_has_loads(&state->build, error);
}

static enum asm_taken directive(const struct asm_directive *directive, struct asm_error *error)
{
    struct gp_state *state = directive->names->state;
    return gp_directive(&state->owners, directive, error);
}

/* The idle instruction ad4ad6b5 038002b5 0007ff80 000ad500, little-endian
 * (docs/hardware/utgard.md, section 2). */
static const uint8_t nop[] = {0xb5, 0xd6, 0x4a, 0xad, 0xb5, 0x02, 0x80, 0x03,
                              0x80, 0xff, 0x07, 0x00, 0x00, 0xd5, 0x0a, 0x00};

const struct asm_isa gp_asm_isa = {.alignment = GP_INSN_BYTES,
                                   .instruction = instruction,
                                   .join = join,
                                   .joins_always = true,
                                   .complete = complete,
                                   .directive = directive,
                                   .directive_name = gp_directive_name,
                                   .state_size = sizeof(struct gp_state),
                                   .nop = nop,
                                   .mnemonic = gp_mnemonic,
                                   .library = "gp.inc"};
