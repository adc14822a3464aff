/* SPDX-License-Identifier: MIT */
/* live_x86.c - see live.h. Fills the ZMM and mask registers if the processor has AVX-512, the YMM
 * registers if it has only AVX, and otherwise the XMM registers. In 32-bit mode there are eight
 * registers of each kind (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
 * 15.1.2). */
#include <string.h>

#include "live.h"

#ifdef __x86_64__
#define WORD_REGISTER "%%rax"
#define FROM          "%%rsi"
#define TO            "%%rdi"
#define ALL(of)       LOW(of) MORE(of, 8, 9, 10, 11, 12, 13, 14, 15)
#define ALL_512(of) \
    ALL(of) MORE(of, 16, 17, 18, 19, 20, 21, 22, 23) MORE(of, 24, 25, 26, 27, 28, 29, 30, 31)
#else
#define WORD_REGISTER "%%eax"
#define FROM          "%%esi"
#define TO            "%%edi"
#define ALL(of)       LOW(of)
#define ALL_512(of)   LOW(of)
#endif
#define MORE(of, a, b, c, d, e, f, g, h) of(a) of(b) of(c) of(d) of(e) of(f) of(g) of(h)
#define LOW(of)                          MORE(of, 0, 1, 2, 3, 4, 5, 6, 7)

enum { VECTOR = 64, VECTORS = 32, MASKS = 8 };

struct registers {
    uint8_t vector[VECTORS][VECTOR];
    uint64_t mask[MASKS];
};

#define LOAD_ZMM(n)  "vmovdqu32 " #n "*64(" FROM "), %%zmm" #n "\n\t"
#define STORE_ZMM(n) "vmovdqu32 %%zmm" #n ", " #n "*64(" TO ")\n\t"
#define LOAD_K(n)    "kmovq 2048+" #n "*8(" FROM "), %%k" #n "\n\t"
#define STORE_K(n)   "kmovq %%k" #n ", 2048+" #n "*8(" TO ")\n\t"
#define LOAD_YMM(n)  "vmovdqu " #n "*64(" FROM "), %%ymm" #n "\n\t"
#define STORE_YMM(n) "vmovdqu %%ymm" #n ", " #n "*64(" TO ")\n\t"
#define LOAD_XMM(n)  "movdqu " #n "*64(" FROM "), %%xmm" #n "\n\t"
#define STORE_XMM(n) "movdqu %%xmm" #n ", " #n "*64(" TO ")\n\t"
#define ADD          "addl $1, (" WORD_REGISTER ")\n\t"

/* Executes `code`. The compiler keeps no values in vector registers during the code. */
#define AROUND(code)                                                                           \
    __asm__ volatile(code                                                                      \
                     :                                                                         \
                     : "a"(word), "S"(before), "D"(after)                                      \
                     : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", \
                       "xmm7" MORE_XMM)
#ifdef __x86_64__
#define MORE_XMM , "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#else
#define MORE_XMM
#endif

static size_t width(void)
{
    if (__builtin_cpu_supports("avx512bw"))
        return 64;
    return __builtin_cpu_supports("avx") ? 32 : 16;
}

const char *live_registers(void)
{
    return width() == 64 ? "AVX-512" : width() == 32 ? "AVX" : "SSE";
}

static void add(volatile uint32_t *word, const struct registers *before, struct registers *after)
{
    switch (width()) {
    case 64:
        AROUND(ALL_512(LOAD_ZMM) LOW(LOAD_K) ADD ALL_512(STORE_ZMM) LOW(STORE_K) "vzeroupper\n\t");
        break;
    case 32: AROUND(ALL(LOAD_YMM) ADD ALL(STORE_YMM) "vzeroupper\n\t"); break;
    default: AROUND(ALL(LOAD_XMM) ADD ALL(STORE_XMM)); break;
    }
}

bool live_add(volatile uint32_t *word, uint32_t seed)
{
    struct registers before, after;
    const size_t count = width() == 64 && sizeof(void *) == 8 ? VECTORS : 2 * sizeof(void *);

    for (size_t i = 0; i < sizeof before; i++)
        ((uint8_t *)&before)[i] = (uint8_t)((seed + i) * 0x9e3779b1u >> 24);
    memset(&after, 0, sizeof after);
    add(word, &before, &after);
    for (size_t i = 0; i < count; i++)
        if (memcmp(after.vector[i], before.vector[i], width()))
            return false;
    return width() < 64 || !memcmp(after.mask, before.mask, sizeof after.mask);
}
