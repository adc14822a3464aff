/* SPDX-License-Identifier: MIT */
/* forms_x86.c - instruction forms of x86-64 and i386. DI is the base register. SI points to
 * ordinary memory. CX is 3, DX is 8.
 *
 * Expected: the accesses in the Intel 64 and IA-32 Architectures Software Developer's Manual,
 * volume 2: the operands and their sizes. */
#include <cpuid.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <Zydis/Zydis.h>

#include "forms.h"
#include "shim/vcio/decode_x86.h"
#include "shim/vcio/plain_x86.h"
#include "shim/vcio/run_x86.h"

#ifdef __x86_64__
#define WIDE           1
#define ALSO(accesses) " " accesses
#define R(name)        "%r" name
#define WORD           ".quad "
#else
#define WIDE 0
#define ALSO(accesses)
#define R(name) "%e" name
#define WORD    ".long "
#endif
#define DI R("di")
#define SI R("si")
#define CX R("cx")
#define DX R("dx")
#define AX R("ax")
#define SP R("sp")

#define FORM(accesses, ...)                                                       \
    __asm__(".pushsection .rodata\n1: " __VA_ARGS__ "\n2:\n3: .asciz \"" accesses \
            "\"\n4: .asciz \"" __VA_ARGS__                                        \
            "\"\n.popsection\n.pushsection trap_forms, \"aw\"\n" WORD             \
            "1b, 2b, 4b, 3b\n.popsection\n")

/* Moves of all widths and all addressing modes. */
FORM("r0", "movl (" DI "), %eax");
FORM("r8", "movl 8(" DI "), %edi");
FORM("r4", "movl 4(" DI "), %ebx");
FORM("r12", "movl (" DI "," CX ",4), %eax");
FORM("r16", "movl 4(" DI "," CX ",4), %eax");
FORM("r8", "movl -8(" DI "," DX ",2), %eax");
FORM("w0", "movl %eax, (" DI ")");
FORM("w4", "movl %edi, 4(" DI ")");
FORM("w12", "movl %ecx, (" DI "," CX ",4)");
FORM("w8", "movl $0x12345678, 8(" DI ")");
FORM("r0", "movb (" DI "), %al");
FORM("r0", "movb 3(" DI "), %ah");
FORM("r4", "movw 6(" DI "), %ax");
FORM("r0", "movzbl 1(" DI "), %eax");
FORM("r0", "movsbl 2(" DI "), %eax");
FORM("r4", "movzwl 4(" DI "), %eax");
FORM("r4", "movswl 6(" DI "), %eax");
FORM("r0 r4", "movw 3(" DI "), %ax");
FORM("r0 r4", "movl 2(" DI "), %eax");
FORM("r0", "movbe (" DI "), %eax");
FORM("w0", "movbe %eax, (" DI ")");
FORM("r0 r4", "cmpl %eax, (" DI "); movl 4(" DI "), %eax");

/* Arithmetic with the register of the peripheral as the source and as the destination. */
FORM("r0", "addl (" DI "), %eax");
FORM("r0 w0", "addl %eax, (" DI ")");
FORM("r0 w0", "lock; addl %eax, (" DI ")");
FORM("r4 w4", "orl $0x10, 4(" DI ")");
FORM("r4 w4", "andl $-2, 4(" DI ")");
FORM("r0", "testl %eax, (" DI ")");
FORM("r0", "testl $0x100, (" DI ")");
FORM("r0", "testb $1, (" DI ")");
FORM("r0", "cmpl $5, (" DI ")");
FORM("r0", "cmpb $5, 2(" DI ")");
FORM("r0 w0", "incl (" DI ")");
FORM("r0 w0", "negl (" DI ")");
FORM("r0 w0", "notl (" DI ")");
FORM("r0 w0", "shll $3, (" DI ")");
FORM("r0 w0", "rcrl %cl, (" DI ")");
FORM("r0 w0", "shldl $4, %eax, (" DI ")");
FORM("r0", "imull (" DI "), %eax");
FORM("r0", "imull $7, (" DI "), %eax");
FORM("r0", "mull (" DI ")");
FORM("r0 w0", "xchgl %eax, (" DI ")");
FORM("r0 w0", "lock; xaddl %eax, (" DI ")");
FORM("r0 w0", "lock; cmpxchgl %edx, (" DI ")");
FORM("r0 w0", "movl (" SI "), %eax; movl %eax, %ebx; lock; cmpxchgl %edx, (" DI ")");
FORM("r0 r4 w0 w4", "lock; cmpxchg8b (" DI ")");
FORM("r0", "cmovel (" DI "), %eax");
FORM("r0", "cmovnel (" DI "), %eax");
FORM("r0", "btl $5, (" DI ")");
FORM("r0 w0", "btsl $5, (" DI ")");
FORM("r0", "btl %edx, (" DI ")");
FORM("r8 w8", "movl $77, %eax; btrl %eax, (" DI ")");
FORM("r0", "movl $-20, %eax; btl %eax, 4(" DI ")");
FORM("r0", "bsfl (" DI "), %eax");
FORM("r0", "bswap %eax; popcntl (" DI "), %eax");
FORM("r0", "adcl (" DI "), %eax");
FORM("r0 w0", "sbbl %eax, (" DI ")");

/* Instructions that use the stack. */
FORM("r0" ALSO("r4"), "push (" DI "); pop " AX);
FORM("r4" ALSO("r8"), "push 4(" DI "); mov (" SP "), " AX "; pop " DX);
FORM("w4" ALSO("w8"), "push $77; pop 4(" DI ")");
FORM("w4" ALSO("w8"), "push (" SI "); pop 4(" DI ")");

/* String instructions. Some forms exchange SI and DI, so that SI points to the registers of
 * peripherals. */
FORM("w0", "cld; stosl");
FORM("w0", "std; stosl; cld");
FORM("w0 w4 w8", "cld; rep; stosl");
FORM("w0 w4 w8", "cld; rep; movsl");
FORM("r0 r4 r8", "cld; xchg " SI ", " DI "; rep; movsl");
FORM("r0 r4 r8", "cld; xchg " SI ", " DI "; rep; lodsl");
FORM("r0", "cld; xchg " SI ", " DI "; lodsl");
FORM("r8 r4 r0", "std; add $8, " DI "; xchg " SI ", " DI "; rep; lodsl; cld");
FORM("r0 w32", "cld; mov " DI ", " SI "; add $32, " DI "; movsl");
FORM("r0 r4 r8", "cld; mov (" SI "), %eax; not %eax; mov $3, %ecx; repne; scasl");
FORM("r32 r0", "cld; lea 32(" DI "), " SI "; cmpsl");
FORM("r0 r0 r0", "cld; xchg " SI ", " DI "; rep; lodsb");

/* Vector registers and the x87 unit. */
FORM("r0 r4 r8 r12", "movups (" DI "), %xmm0");
FORM("r16 r20 r24 r28", "movaps 16(" DI "), %xmm1");
FORM("w0 w4 w8 w12", "movdqu %xmm2, (" DI ")");
FORM("w16 w20 w24 w28", "movntdq %xmm2, 16(" DI ")");
FORM("r0", "movss (" DI "), %xmm0");
FORM("r0 r4", "movsd (" DI "), %xmm0");
FORM("w4", "movss %xmm3, 4(" DI ")");
FORM("r8", "movd 8(" DI "), %xmm0");
FORM("w8", "movd %xmm1, 8(" DI ")");
FORM("r0 r4", "movq (" DI "), %xmm0");
FORM("w0 w4", "movhps %xmm0, (" DI ")");
FORM("r0 r4", "movlps (" DI "), %xmm0");
FORM("r0 r4 r8 r12", "paddd (" DI "), %xmm0");
FORM("r0 r4 r8 r12", "pshufd $27, (" DI "), %xmm0");
FORM("r4", "pinsrd $2, 4(" DI "), %xmm0");
FORM("w4", "pextrd $2, %xmm0, 4(" DI ")");
FORM("r4", "cvtsi2ssl 4(" DI "), %xmm0");
FORM("r0 r4", "movq (" DI "), %mm0; movq %mm0, 8(" SI "); emms");
FORM("r0", "fildl (" DI "); fistpl (" SI ")");
FORM("w0", "fildl (" SI "); fistpl (" DI ")");
FORM("r0 r4", "fldl (" DI "); fstpl (" SI ")");
FORM("r0 r4 r8", "fldt (" DI "); fstpt (" SI ")");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "vmovdqu (" DI "), %ymm0");
FORM("w0 w4 w8 w12 w16 w20 w24 w28", "vmovups %ymm1, (" DI ")");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "vpaddd (" DI "), %ymm1, %ymm2");
FORM("r4", "vbroadcastss 4(" DI "), %ymm3");
FORM("r8", "vpcmpeqd %xmm1, %xmm1, %xmm1; vpslldq $8, %xmm1, %xmm1; vpsrldq $4, %xmm1, %xmm2; "
           "vpand %xmm1, %xmm2, %xmm1; "
           "vmaskmovps (" DI "), %xmm1, %xmm0");
FORM("w8", "vpcmpeqd %xmm1, %xmm1, %xmm1; vpslldq $8, %xmm1, %xmm1; vpsrldq $4, %xmm1, %xmm2; "
           "vpand %xmm1, %xmm2, %xmm1; "
           "vmaskmovps %xmm0, %xmm1, (" DI ")");
FORM("r0 r4 r8 r12 r16 r20 r24 r28 r32 r36 r40 r44 r48 r52 r56 r60", "vmovdqu32 (" DI "), %zmm0");
FORM("w0 w4 w8 w12 w16 w20 w24 w28 w32 w36 w40 w44 w48 w52 w56 w60", "vmovdqu32 %zmm2, (" DI ")");
FORM("r0 r8 r20", "mov $0x25, %eax; kmovw %eax, %k1; vmovdqu32 (" DI "), %ymm0{%k1}{z}");
FORM("w0 w8 w20", "mov $0x25, %eax; kmovw %eax, %k1; vmovdqu32 %ymm0, (" DI "){%k1}");
FORM("r4", "vpaddd 4(" DI "){1to4}, %xmm1, %xmm0");
FORM("r0 r4", "kmovq (" DI "), %k3");
FORM("w4", "kmovd %k5, 4(" DI ")");

/* With unmasked exceptions, the x87 unit raises an exception at its next instruction. Until then,
 * every processor keeps the addresses of the instruction and its operand. If the result cannot be
 * stored, no bytes are written (SDM volume 1, 8.5). */
#define UNMASK(control) "push $" control "; fldcw (" SP "); pop " AX "; "
FORM("w0", UNMASK("0x35f") "fldpi; fistpl (" DI ")");
FORM("w8 w12", UNMASK("0x35f") "fldpi; fstpl 8(" DI ")");
FORM("w12", UNMASK("0x35f") "fldpi; fisttpl (" DI "," CX ",4)");
FORM("r0 r4", UNMASK("0x35f") "fldpi; faddl (" DI ")");
FORM("r4", UNMASK("0x35f") "fldpi; fidivl 4(" DI ")");
FORM("", UNMASK("0x37e") "fistpl (" DI ")");
FORM("", UNMASK("0x37e") "fstpt 16(" DI ")");

/* Instructions that make no access. */
FORM("", "clflush (" DI ")");
FORM("", "prefetcht0 (" DI ")");

#if WIDE
FORM("r0 r4", "movq (%rdi), %rax");
FORM("r4 r8", "movq 4(%rdi), %r15");
FORM("w0 w4", "movq %r9, (%rdi)");
FORM("r0 r4", "movq (%rdi), %rdi");
FORM("r0", "movslq (%rdi), %r8");
FORM("r0 r4 w0 w4", "addq %r10, (%rdi)");
FORM("r0", "movl (%edi), %r11d");
FORM("w0", "movl %r12d, (%edi)");
FORM("r0", ".byte 0x48, 0x67, 0x8b, 0x07"); /* a REX prefix before another prefix has no effect */
FORM("w0 w4 w4 w8 w8 w12", "cld; add $0, %rdi; stosq; sub $4, %rdi; stosq; sub $4, %rdi; stosq");
FORM("r0 r4 r8 r12 w0 w4 w8 w12", "lock; cmpxchg16b (%rdi)");
FORM("r0 r4", "movq %rdi, %r13; movq (%r13), %r14");
FORM("r0", "movq %rdi, %r12; movl (%r12), %eax");
FORM("r0 r4", "vmovq (%rdi), %xmm15");
FORM("r0 r4 r8 r12 r16 r20 r24 r28 r32 r36 r40 r44 r48 r52 r56 r60", "vmovdqu32 (%rdi), %zmm17");
FORM("w0 w4 w8 w12 w16 w20 w24 w28 w32 w36 w40 w44 w48 w52 w56 w60", "vmovdqu32 %zmm31, (%rdi)");
FORM("r0 r4 r8 r12 r16 r20 r24 r28", "vpaddd (%rdi), %ymm20, %ymm30");
FORM("w0", UNMASK("0x35f") "fldpi; fistpl (%edi)");
#else
FORM("r0", "pushl (%edi); popl %ecx");
#endif

/* ------------------------------------------------------------------ running them */

enum {
    GPRS = WIDE ? 16 : 8,
    FP_SIZE = 4096, /* size in bytes; large enough for all tested components on any processor */
    FP_STATUS = 2,
    FP_OPCODE = 6,
    FP_POINTERS = 8,
    FP_XMM = 160,
    FP_HEADER = 512,
    FP_EXCEPTION = 0x80, /* ES of the status word */
    FP_COMPONENTS = 0xe7,
    STACK = 1 << 18,
    RED_ZONE = WIDE ? 128 : 0, /* bytes below the stack pointer that a signal does not change */
    FLAGS = 0x8d5,
    NUMBER_CX = 1,
    NUMBER_DX = 2,
    NUMBER_SP = 4,
    NUMBER_BP = 5,
    NUMBER_SI = 6,
    NUMBER_DI = 7,
};

/* Page with the code and the data that the code addresses relative to itself. */
static struct page {
    struct run run;
    uint8_t code[512];
} * page;

static struct {
    uint64_t gpr[16], flags;
    _Alignas(64) uint8_t fp[FP_SIZE];
} state;

static uint64_t mix(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29;
}

static bool has_xsave(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE;
}

static uint64_t features(void)
{
    uint32_t low = 0, high = 0;

    if (has_xsave())
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low & FP_COMPONENTS;
}

static void fill(uint64_t *seed, size_t offset, size_t size)
{
    if (offset + size > FP_SIZE)
        abort();
    for (size_t i = 0; i < size; i++)
        state.fp[offset + i] = (uint8_t)(mix(seed) >> 20);
}

/* Sets all registers of SSE, AVX and AVX-512 to random values. CPUID returns the offset of each
 * component. */
static void prepare_fp(uint64_t *seed)
{
    static const uint16_t control = 0x37f;
    static const uint32_t mxcsr = 0x1f80;
    const uint64_t components = features();
    unsigned size, offset, c, d;

    memset(state.fp, 0, sizeof state.fp);
    memcpy(state.fp, &control, sizeof control);
    memcpy(state.fp + 24, &mxcsr, sizeof mxcsr);
    fill(seed, FP_XMM, 16 * GPRS);
    for (unsigned i = 2; components >> i; i++)
        if (components >> i & 1 && __get_cpuid_count(0x0d, i, &size, &offset, &c, &d))
            fill(seed, offset, size);
    memcpy(state.fp + FP_HEADER, &components, sizeof components);
}

/* Clears state that differs between processors or runs. A component that is zero may or may not
 * count as in use. The selectors next to the x87 unit's pointers are lost at a signal. Unless an
 * exception is pending, the x87 unit's opcode and pointers differ: processors from Intel always
 * save the instruction's address, and some of them the operand's address. Processors from AMD save
 * neither (SDM volume 1, 8.1.8 and 8.1.9; APM volume 2, 11.4.4). */
static void clear_undefined(void)
{
    memset(state.fp + FP_HEADER, 0, 8);
    if (!WIDE) {
        memset(state.fp + FP_POINTERS + 4, 0, 4);
        memset(state.fp + FP_POINTERS + 12, 0, 4);
    }
    if (state.fp[FP_STATUS] & FP_EXCEPTION)
        return;
    memset(state.fp + FP_OPCODE, 0, 2);
    memset(state.fp + FP_POINTERS, 0, 16);
}

void forms_prepare(uint64_t seed, uintptr_t base, uintptr_t memory)
{
    static uint8_t *stack;

    if (!stack) {
        stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (stack == MAP_FAILED || page == MAP_FAILED)
            abort();
    }
    for (int i = 0; i < GPRS; i++)
        state.gpr[i] = WIDE ? mix(&seed) : (uint32_t)mix(&seed);
    state.gpr[NUMBER_CX] = 3;
    state.gpr[NUMBER_DX] = 8;
    state.gpr[NUMBER_SP] = (uintptr_t)stack + STACK - 256 - 4 * (mix(&seed) >> 40 & 15);
    for (uint8_t *at = (uint8_t *)(uintptr_t)state.gpr[NUMBER_SP] - RED_ZONE; at < stack + STACK;
         at++)
        *at = (uint8_t)(mix(&seed) >> 20);
    state.gpr[NUMBER_SI] = memory;
    state.gpr[NUMBER_DI] = base;
    state.flags = (mix(&seed) & FLAGS) | 2;
    prepare_fp(&seed);
}

static uint8_t *put(uint8_t *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

static uint8_t *put_cell(uint8_t *to, const char *opcode, size_t size, const void *cell)
{
    uint8_t *end = put(to, opcode, size) + 4;
    uint32_t displacement = (uint32_t)(WIDE ? (uintptr_t)cell - (uintptr_t)end : (uintptr_t)cell);

    put(end - 4, &displacement, 4);
    return end;
}

/* Runs code as run_x86.h requires: the code first loads DI from the struct to which DI points, and
 * stores DI at the end. */
bool forms_call(const uint8_t *code, size_t size)
{
    uint8_t *to = page->code;

    to = WIDE ? put(to, "\x48\x8b\x7f\x38", 4) : put(to, "\x8b\x7f\x38", 3);
    to = put(to, code, size);
    to = WIDE ? put_cell(to, "\x48\x89\x3d", 3, &page->run.gpr[NUMBER_DI])
              : put_cell(to, "\x89\x3d", 2, &page->run.gpr[NUMBER_DI]);
    to = WIDE ? put_cell(to, "\x48\x8d\x3d", 3, &page->run)
              : put_cell(to, "\x8d\x3d", 2, &page->run);
    put_cell(to, "\xff\x25", 2, &page->run.back);
    memcpy(page->run.gpr, state.gpr, sizeof state.gpr);
    page->run.flags = state.flags;
    page->run.fp = (uintptr_t)state.fp;
    page->run.back = (uintptr_t)run_back;
    page->run.entry = (uintptr_t)page->code;
    page->run.features = features();
    page->run.extended = has_xsave();
    run_x86(&page->run);
    memcpy(state.gpr, page->run.gpr, sizeof state.gpr);
    state.flags = page->run.flags & (FLAGS | 0x400);
    clear_undefined();
    return true;
}

const void *forms_state(size_t *size)
{
    *size = sizeof state;
    return &state;
}

/* ------------------------------------------------------------------ refused ones */

/* Encodings from volume 2 of the SDM. */
const char *forms_accepted(void)
{
    static const struct {
        uint8_t code[X86_LENGTH];
        const char *text;
    } forms[] = {
        {{0xff, 0x17}, "call *(%rdi)"},
        {{0xff, 0x27}, "jmp *(%rdi)"},
        {{0x0f, 0xae, 0x07}, "fxsave (%rdi)"},
        {{0x0f, 0xae, 0x27}, "xsave (%rdi)"},
        {{0x64, 0x8b, 0x07}, "movl %fs:(%rdi), %eax"},
        {{0xc4, 0xe2, 0x69, 0x90, 0x04, 0x0f}, "vpgatherdd %xmm2, (%rdi,%xmm1), %xmm0"},
        {{0x66, 0x0f, 0x1a, 0x07}, "bndmov (%rdi), %bnd0"},
#if WIDE
        {{0xc4, 0xe2, 0x78, 0x49, 0x07}, "ldtilecfg (%rdi)"},
        {{0xc4, 0xe2, 0x79, 0x49, 0x07}, "sttilecfg (%rdi)"},
        {{0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x0f}, "tileloadd (%rdi,%rcx), %tmm0"},
#endif
    };
    struct x86_instruction instruction;
    bool more;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!x86_decode(forms[i].code, X86_LENGTH, WIDE, &instruction, &more))
            return forms[i].text;
    return NULL;
}

/* ------------------------------------------------------------------ random ones */

static bool is_worth_trying(const uint8_t *code, size_t *size, bool *whole)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct x86_instruction instruction;
    bool more;

    ZydisDecoderInit(&decoder, WIDE ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     WIDE ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    if (x86_decode(code, 15, WIDE, &instruction, &more) || !instruction.encoded ||
        instruction.operands != 1 ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &decoded, operands)))
        return false;
    /* Excludes instructions that would change the test itself: modes of the processor, segments,
     * the stack pointer. Also excludes instructions whose results depend on more than their
     * operands. */
    if (decoded.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED ||
        decoded.meta.category == ZYDIS_CATEGORY_SYSTEM ||
        decoded.meta.category == ZYDIS_CATEGORY_SEGOP ||
        decoded.meta.category == ZYDIS_CATEGORY_IO || decoded.meta.isa_ext == ZYDIS_ISA_EXT_X87 ||
        instruction.operand[0].base != NUMBER_DI)
        return false;
    for (unsigned i = 0; i < decoded.operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            (ZydisRegisterGetLargestEnclosing(decoded.machine_mode, operands[i].reg.value) ==
                 (WIDE ? ZYDIS_REGISTER_RSP : ZYDIS_REGISTER_ESP) ||
             ZydisRegisterGetClass(operands[i].reg.value) == ZYDIS_REGCLASS_SEGMENT ||
             operands[i].reg.value == ZYDIS_REGISTER_MXCSR))
            if (operands[i].reg.value != ZYDIS_REGISTER_MXCSR ||
                decoded.mnemonic == ZYDIS_MNEMONIC_LDMXCSR)
                return false;
    *size = decoded.length;
    *whole = instruction.operand[0].size % 4 == 0 && !instruction.operand[0].conditional;
    return instruction.bits == X86_NONE && instruction.operand[0].index == X86_NONE &&
           llabs(instruction.operand[0].displacement) <= 512;
}

/* Writes random prefixes, an opcode of any opcode map, a ModRM byte, and further random bytes.
 * ModRM selects DI plus an 8-bit displacement that is a multiple of 16. */
size_t forms_random(uint64_t (*random)(void), uint8_t code[16], bool *whole)
{
    static const char *const prefixes[] = {"",         "",     "\x66", "\xf2", "\xf3",
                                           "\x66\xf2", "\xf0", "\x67", "\x3e", "\x48\x67"};
    static const uint8_t maps[][3] = {{0}, {0x0f}, {0x0f, 0x38}, {0x0f, 0x3a}};
    const char *prefix = prefixes[random() % (WIDE ? 10 : 7)];
    const uint8_t *map = maps[random() % 4];
    uint8_t *at = code;
    size_t size = 0;

    for (int i = 0; i < 16; i++)
        code[i] = (uint8_t)random();
    switch (random() % 4) {
    case 0: /* VEX: W, v and L are random */
        *at++ = 0xc4;
        *at = (uint8_t)(0xe1 + random() % 3);
        at += 2;
        break;
    case 1: /* EVEX */
        *at++ = 0x62;
        *at = (uint8_t)(0xf1 + random() % 3);
        at[1] |= 4;
        at += 3;
        break;
    default:
        while (*prefix)
            *at++ = (uint8_t)*prefix++;
        if (WIDE && random() % 2)
            *at++ = (uint8_t)(0x40 + (random() & 0xc)); /* REX.W, REX.R */
        while (*map)
            *at++ = *map++;
    }
    at++; /* the opcode */
    *at = (uint8_t)(0x47 | (*at & 0x38));
    at[1] = (uint8_t)(random() % 3 * 16);
    return is_worth_trying(code, &size, whole) ? size : 0;
}

/* ------------------------------------------------------------------ sequences */

/* True if the sequence may contain the instruction. The base registers and the stack pointer keep
 * their values, and BP counts rounds. Registers of peripherals are written as a whole. */
static bool is_usable(const struct plain *plain)
{
    static const int kept[] = {NUMBER_SP, NUMBER_BP, NUMBER_SI, NUMBER_DI};
    const struct plain_operand *memory = plain_memory(plain);

    if (plain->kind == PLAIN_UNKNOWN || plain->kind == PLAIN_JUMP)
        return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (plain->to.place == PLAIN_REGISTER && plain->to.reg == kept[i])
            return false;
    if (!memory)
        return true;
    if (plain->index != PLAIN_NONE || plain->address_width != 8 * sizeof(void *) ||
        (plain->base != NUMBER_DI && plain->base != NUMBER_SI && plain->base != NUMBER_SP))
        return false;
    return plain->base != NUMBER_DI || !plain_writes(plain) ||
           (memory->size >= 4 && plain->displacement % 4 == 0);
}

/* Writes a random instruction with registers, or with an operand near DI, SI or SP. Returns its
 * size. */
static size_t plain_random(uint64_t (*random)(void), uint8_t *code)
{
    static const uint8_t bases[] = {0x47, 0x46, 0x44}; /* DI, SI and SIB, with displacements */
    struct plain plain = {.kind = PLAIN_UNKNOWN};

    while (!is_usable(&plain)) {
        uint8_t *at = code;

        for (int i = 0; i < PLAIN_LENGTH; i++)
            code[i] = (uint8_t)random();
        if (random() % 8 == 0)
            *at++ = 0x66;
        if (WIDE && random() % 3 == 0)
            *at++ = (uint8_t)(0x40 + (random() & 0xd)); /* REX.W, REX.R, REX.B */
        if (random() % 3 == 0)
            *at++ = 0x0f;
        at++; /* the opcode */
        *at = (uint8_t)(random() % 2 ? *at | 0xc0 : bases[random() % 3] | (*at & 0x38));
        if (*at >> 6 == 1 && (*at & 7) == 4)
            *++at = 0x24; /* SP without an index */
        at[1] = (uint8_t)(random() % 4 ? at[1] & 0x3c : at[1] & 0x3f);
        if (*at == 0x24 && random() % 2)
            at[1] = (uint8_t) - (int)(RED_ZONE ? at[1] + 8u : 0u);
        plain_decode(code, PLAIN_LENGTH, WIDE, &plain);
    }
    return plain.length;
}

/* The sequence runs three times. Branches skip some of its instructions. */
size_t forms_sequence(uint64_t (*random)(void), uint8_t code[FORMS_SEQUENCE])
{
    static const uint8_t start[] = {0xbd, 3, 0, 0, 0}; /* mov $3, %ebp */
    static const uint8_t end[] = {0x8d, 0x6d, 0xff, 0x85,
                                  0xed, 0x75}; /* lea -1(%rbp), %ebp;
                                                                        * test %ebp, %ebp; jnz */
    uint8_t *at = put(code, start, sizeof start);
    const uint8_t *const first = at;

    while (at - first < 90) {
        uint8_t *branch = at;

        if (random() % 4 == 0)
            at += 2;
        const size_t size = plain_random(random, at);
        if (at != branch) {
            branch[0] = (uint8_t)(0x70 + random() % 16);
            branch[1] = (uint8_t)size;
        }
        at += size;
    }
    at = put(at, end, sizeof end);
    *at = (uint8_t)(first - (at + 1));
    return (size_t)(at + 1 - code);
}
