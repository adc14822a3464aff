/* SPDX-License-Identifier: MIT */
/* registers.c - the names of registers and semaphores.
 *
 * In:      names as in a line of text.
 * Out:     the number of the register, and its uses (operand.h).
 * Source:  vc4asm, doc/expressions.html. */
#include <string.h>

#include "base/ascii.h"
#include "isa/qpu/operand.h"

enum {
    A = QPU_REGISTER_A,
    B = QPU_REGISTER_B,
    AB = QPU_REGISTER_AB,
    READ = QPU_REGISTER_READ,
    WRITE = QPU_REGISTER_WRITE,
    NAME_SIZE = 16,
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Every name except ra0 to ra63, rb0 to rb63, sacq0 to sacq15 and srel0 to srel15. Names are padded
 * with zeros so that the whole array can be compared at once. */
static const struct {
    char name[NAME_SIZE];
    uint8_t address, uses;
} names[] = {
    /* clang-format off */
    {"r0",              32, AB | WRITE},
    {"r1",              33, AB | WRITE},
    {"r2",              34, AB | WRITE},
    {"r3",              35, AB | WRITE},
    {"r4",              36, AB | WRITE},
    {"r5",              37, AB},
    {"r5quad",          37, A | WRITE},
    {"r5rep",           37, B | WRITE},
    {"nop",             39, AB | READ | WRITE},
    {"unif",            32, AB | READ},
    {"uniform_read",    32, AB | READ},
    {"vary",            35, AB | READ},
    {"varying_read",    35, AB | READ},
    {"tmurs",           36, AB | WRITE},
    {"tmu_noswap",      36, AB | WRITE},
    {"elem_num",        38, A | READ},
    {"element_number",  38, A | READ},
    {"qpu_num",         38, B | READ},
    {"qpu_number",      38, B | READ},
    {"irq",             38, AB | WRITE},
    {"interrupt",       38, AB | WRITE},
    {"host_int",        38, AB | WRITE},
    {"unif_addr",       40, A | WRITE},
    {"unif_addr_rel",   40, B | WRITE},
    {"x_coord",         41, A | READ | WRITE},
    {"x_pixel_coord",   41, A | READ | WRITE},
    {"quad_x",          41, A | READ},
    {"y_coord",         41, B | READ | WRITE},
    {"y_pixel_coord",   41, B | READ | WRITE},
    {"quad_y",          41, B | READ},
    {"ms_mask",         42, A | READ | WRITE},
    {"ms_flags",        42, A | READ | WRITE},
    {"rev_flag",        42, B | READ | WRITE},
    {"stencil",         43, AB | WRITE},
    {"tlb_stencil",     43, AB | WRITE},
    {"tlbz",            44, AB | WRITE},
    {"tlb_z",           44, AB | WRITE},
    {"tlbm",            45, AB | WRITE},
    {"tlb_colour_ms",   45, AB | WRITE},
    {"tlbc",            46, AB | WRITE},
    {"tlb_colour_all",  46, AB | WRITE},
    {"tlbam",           47, AB | WRITE},
    {"tlb_alpha_mask",  47, AB | WRITE},
    {"vpm",             48, AB | READ | WRITE},
    {"vpm_read",        48, AB | READ},
    {"vpm_write",       48, AB | WRITE},
    {"vr_busy",         49, A | READ},
    {"vpm_ld_busy",     49, A | READ},
    {"vw_busy",         49, B | READ},
    {"vpm_st_busy",     49, B | READ},
    {"vr_setup",        49, A | WRITE},
    {"vpmvcd_rd_setup", 49, A | WRITE},
    {"vw_setup",        49, B | WRITE},
    {"vpmvcd_wr_setup", 49, B | WRITE},
    {"vr_wait",         50, A | READ},
    {"vpm_ld_wait",     50, A | READ},
    {"vw_wait",         50, B | READ},
    {"vpm_st_wait",     50, B | READ},
    {"vr_addr",         50, A | WRITE},
    {"vpm_ld_addr",     50, A | WRITE},
    {"vw_addr",         50, B | WRITE},
    {"vpm_st_addr",     50, B | WRITE},
    {"mutex",           51, AB | READ | WRITE},
    {"mutex_acq",       51, AB | READ},
    {"mutex_acquire",   51, AB | READ},
    {"mutex_rel",       51, AB | WRITE},
    {"mutex_release",   51, AB | WRITE},
    {"recip",           52, AB | WRITE},
    {"sfu_recip",       52, AB | WRITE},
    {"recipsqrt",       53, AB | WRITE},
    {"sfu_recipsqrt",   53, AB | WRITE},
    {"exp",             54, AB | WRITE},
    {"sfu_exp",         54, AB | WRITE},
    {"log",             55, AB | WRITE},
    {"sfu_log",         55, AB | WRITE},
    {"t0s",             56, AB | WRITE},
    {"tmu0_s",          56, AB | WRITE},
    {"t0t",             57, AB | WRITE},
    {"tmu0_t",          57, AB | WRITE},
    {"t0r",             58, AB | WRITE},
    {"tmu0_r",          58, AB | WRITE},
    {"t0b",             59, AB | WRITE},
    {"tmu0_b",          59, AB | WRITE},
    {"t1s",             60, AB | WRITE},
    {"tmu1_s",          60, AB | WRITE},
    {"t1t",             61, AB | WRITE},
    {"tmu1_t",          61, AB | WRITE},
    {"t1r",             62, AB | WRITE},
    {"tmu1_r",          62, AB | WRITE},
    {"t1b",             63, AB | WRITE},
    {"tmu1_b",          63, AB | WRITE},
    /* clang-format on */
};

/* Register families: a prefix followed by a decimal number below the limit. length is the length of
 * the prefix. */
static const struct {
    const char *prefix;
    uint8_t limit, uses, length;
} families[] = {
    {"ra", 64, A | READ | WRITE, 2},
    {"rb", 64, B | READ | WRITE, 2},
    {"sacq", 16, QPU_REGISTER_ACQUIRE, 4},
    {"srel", 16, QPU_REGISTER_RELEASE, 4},
};

/* Parses a decimal number of one or two digits without a leading zero. */
static bool small_number(const char *text, size_t length, unsigned *number)
{
    if (length < 1 || length > 2 || (length == 2 && text[0] == '0'))
        return false;
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (!ascii_is_digit(text[i]))
            return false;
        *number = *number * 10 + (unsigned)(text[i] - '0');
    }
    return true;
}

bool qpu_register_find(const char *name, size_t length, struct qpu_operand *operand)
{
    char filled[NAME_SIZE] = {0};
    for (size_t i = 0; i < COUNT(families); i++) {
        unsigned number, cut = families[i].length;
        if (length > cut && memcmp(name, families[i].prefix, cut) == 0 &&
            small_number(name + cut, length - cut, &number) && number < families[i].limit) {
            *operand = (struct qpu_operand){.number = (uint8_t)number, .uses = families[i].uses};
            return true;
        }
    }
    if (length >= sizeof filled)
        return false;
    memcpy(filled, name, length);
    for (size_t i = 0; i < COUNT(names); i++) {
        if (memcmp(filled, names[i].name, sizeof filled) == 0) {
            *operand = (struct qpu_operand){.number = names[i].address, .uses = names[i].uses};
            return true;
        }
    }
    return false;
}

const char *qpu_register_name(size_t index)
{
    return index < COUNT(names) ? names[index].name : NULL;
}
