/* SPDX-License-Identifier: MIT */
/* cpu_x86.c - executes one instruction of x86-64 or i386. The host's processor executes a copy
 * of the instruction whose operand is in a buffer.
 *
 * In:  the context of a fault.
 * Out: accesses through access.h; the context after the instruction.
 *
 * The instruction is copied to a page that also contains the buffer for the operand. First the
 * bytes that the instruction reads are copied from their addresses to the buffer. Then the copy
 * runs with the registers of the context (run_x86.S). Then the bytes that the copy has written are
 * copied from the buffer to their addresses. So the processor itself computes registers and flags,
 * each access happens once, and no other code of the process runs with changed registers. For an
 * implicit operand (of a string instruction or of the stack), the base register points to the
 * buffer while the copy runs. A repeated string instruction is executed one element at a time.
 *
 * The x87 unit records the addresses and the opcode of its last instruction. Processors from Intel
 * always record them, processors from AMD only while an unmasked exception is pending. If the
 * recorded addresses are those of the copy, they are replaced by those of the program's
 * instruction.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 8.1.8 (x87
 *         pointers), 8.5 (which exceptions stop a store), 13 (XSAVE's areas); volume 2, CPUID leaf
 *         0DH; AMD64 Architecture Programmer's Manual, volume 2, 11.4.4 (x87 pointers); Linux,
 *         arch/x86/include/uapi/asm/sigcontext.h (contents of the context). */
#include "cpu.h"

#include <assert.h>
#include <cpuid.h>
#include <stdatomic.h>
#include <string.h>

#include "access.h"
#include "context_x86.h"
#include "decode_x86.h"
#include "run_x86.h"

static_assert((int)X86_IP == (int)CONTEXT_IP, "numbers of registers");
static_assert(offsetof(struct run, flags) == RUN_FLAGS, "run_x86.S");
static_assert(offsetof(struct run, legacy) == RUN_LEGACY, "run_x86.S");
static_assert(offsetof(struct run, entry) == RUN_ENTRY, "run_x86.S");
static_assert(offsetof(struct run, host_fp) == RUN_HOST_FP, "run_x86.S");

enum {
    WIDE = sizeof(void *) == 8,
    GPRS = CONTEXT_GPRS,
    AX = 0,
    CX = 1,
    DI = 7,

    /* EFLAGS: CF, PF, AF, ZF, SF, DF and OF belong to the program. Bit 1 is always set. */
    FLAGS_OWN = 0xcd5,
    FLAGS_SET = 0x2,
    FLAG_ZERO = 0x40,
    ERROR_WRITE = 0x2,

    /* Offset of struct _fpx_sw_bytes in the context. Linux stores it at the end of FXSAVE's area,
     * in bytes that the processor does not use. */
    FP_SOFTWARE = 464,
    FP_MAGIC = 0x46505853,
    FP_LEGACY = 112, /* in 32-bit mode, size of FSAVE's image, which is before FXSAVE's area */
    /* Components of the XSAVE area that instructions with memory operands use: x87, SSE, AVX and
     * three of AVX-512. */
    FP_COMPONENTS = 0xe7,
    FP_HEADER = 512,   /* offset of XSAVE's header, which has a bit for each component in use */
    FP_EXTENDED = 576, /* offset of the areas after FXSAVE's area and the header */
    FP_ROOM = 4096,    /* room for all areas; processors use up to 2688 bytes */
    CPUID_XSAVE = 0x0d,
};

/* Each operand has room for its misalignment within a cache line. */
struct code_page {
    struct run run;
    _Alignas(64) uint8_t scratch[X86_OPERANDS][2 * X86_OPERAND];
    uint8_t code[64];
};

static_assert(sizeof(struct code_page) <= 4096, "FAULT_STACK_CODE");

struct software {
    uint32_t magic, extended_size;
    uint64_t features;
    uint32_t size;
};

/* ------------------------------------------------------------------ the context */

static uintptr_t gpr_of(const ucontext_t *context, int number)
{
    return *context_gpr((ucontext_t *)context, number);
}

uintptr_t cpu_place(const ucontext_t *context)
{
    return gpr_of(context, X86_IP);
}

int cpu_fault_writes(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_ERR] & ERROR_WRITE ? 1 : 0;
}

bool cpu_needs_code(void)
{
    return true;
}

/* Returns the area of the x87 and vector registers in the context. fp_software() returns the
 * system's description of that area. */
static uint8_t *fp_area(const ucontext_t *context)
{
    return (uint8_t *)context->uc_mcontext.fpregs + (WIDE ? 0 : FP_LEGACY);
}

static struct software fp_software(const ucontext_t *context)
{
    struct software software;

    memcpy(&software, fp_area(context) + FP_SOFTWARE, sizeof software);
    return software;
}

/* Returns the end of the areas of FP_COMPONENTS. CPUID returns the offset and the size of each
 * area. */
static size_t fp_end(void)
{
    static _Atomic size_t known;
    size_t end = atomic_load_explicit(&known, memory_order_relaxed);
    unsigned size, offset, ecx, edx;

    if (end)
        return end;
    end = FP_EXTENDED;
    for (unsigned i = 2; FP_COMPONENTS >> i; i++)
        if (FP_COMPONENTS >> i & 1 &&
            __get_cpuid_count(CPUID_XSAVE, i, &size, &offset, &ecx, &edx) && size &&
            offset + size > end)
            end = offset + size;
    atomic_store_explicit(&known, end, memory_order_relaxed);
    return end;
}

static size_t fp_size(const ucontext_t *context)
{
    struct software software = fp_software(context);

    if (software.magic != FP_MAGIC)
        return 512;
    return software.size < fp_end() ? software.size : fp_end();
}

/* ------------------------------------------------------------------ decoding */

/* Decodes the instruction. Memory after the end of the instruction may not be readable, so the
 * second page is read only if the instruction continues there. */
static const char *decode_at(const ucontext_t *context, struct x86_instruction *instruction)
{
    const uint8_t *code = (const uint8_t *)cpu_place(context);
    size_t in_page = 4096 - (cpu_place(context) & 4095);
    size_t size = in_page < X86_LENGTH ? in_page : X86_LENGTH;
    const char *refused;
    bool more;

    refused = x86_decode(code, size, WIDE, instruction, &more);
    if (more && size < X86_LENGTH)
        refused = x86_decode(code, X86_LENGTH, WIDE, instruction, &more);
    return refused;
}

size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH])
{
    struct x86_instruction instruction;

    decode_at(context, &instruction);
    memcpy(bytes, (const void *)cpu_place(context), instruction.length);
    return instruction.length;
}

void cpu_describe(const ucontext_t *context, char *text, size_t size)
{
    uint8_t bytes[CPU_LENGTH];
    size_t length = cpu_code(context, bytes);

    x86_text(bytes, length, WIDE, cpu_place(context), text, size);
}

/* ------------------------------------------------------------------ operands */

/* An operand of the instruction and its address in this context. */
struct place_of {
    uintptr_t address;
    uintptr_t shift;  /* BT and the like: number of bytes that the bit number adds to the address */
    uint8_t *scratch; /* buffer for the operand's bytes */
    uintptr_t base;   /* implicit operand: value of the base register when the copy starts */
    uint64_t bytes;   /* bytes of the operand that the instruction accesses, one bit per byte */
};

struct work {
    ucontext_t *context;
    struct code_page *page;
    struct x86_instruction instruction;
    struct place_of place[X86_OPERANDS];
    uintptr_t copy; /* address of the instruction's copy */
    size_t copy_size;
};

static uintptr_t mask_of(unsigned width)
{
    return width >= 8 * sizeof(uintptr_t) ? UINTPTR_MAX : ((uintptr_t)1 << width) - 1;
}

/* Returns the distance in bytes from the operand to the bit that a bit number selects. */
static uintptr_t bit_shift(const struct work *work, const struct x86_operand *operand)
{
    unsigned width = 8u * operand->size;
    uint64_t value;
    int64_t bits;

    if (work->instruction.bits == X86_NONE)
        return 0;
    value = gpr_of(work->context, work->instruction.bits);
    bits = (int64_t)(value << (64 - width)) >> (64 - width);
    return (uintptr_t)((bits - (int64_t)((uint64_t)bits & (width - 1))) / 8);
}

static void locate(struct work *work, unsigned number)
{
    const struct x86_operand *operand = &work->instruction.operand[number];
    struct place_of *place = &work->place[number];
    uintptr_t address = (uintptr_t)operand->displacement - operand->below;

    if (operand->base != X86_NONE)
        address += gpr_of(work->context, operand->base);
    if (operand->base == X86_IP)
        address += work->instruction.length;
    if (operand->index != X86_NONE) {
        uintptr_t index = gpr_of(work->context, operand->index);

        /* XLAT uses AL only */
        address += operand->implicit ? index & 0xff : index * operand->scale;
    }
    address &= mask_of(operand->base == X86_SP && operand->implicit
                           ? work->instruction.stack_width
                           : work->instruction.address_width);
    place->shift = bit_shift(work, operand);
    place->address = address + place->shift;
    place->scratch = work->page->scratch[number] + (place->address & (X86_OPERAND - 1));
}

/* ------------------------------------------------------------------ running */

static void emit(uint8_t **to, const void *bytes, size_t size)
{
    memcpy(*to, bytes, size);
    *to += size;
}

/* Writes an instruction that ends with the address of a cell in the code page. */
static void emit_with_cell(uint8_t **to, const uint8_t *opcode, size_t size, const void *cell)
{
    uint32_t displacement;

    emit(to, opcode, size);
    displacement = (uint32_t)(WIDE ? (uintptr_t)cell - (uintptr_t)*to - 4 : (uintptr_t)cell);
    emit(to, &displacement, sizeof displacement);
}

/* Returns the address that the copy uses for its explicit operand. */
static uintptr_t explicit_address(const struct work *work)
{
    for (unsigned i = 0; i < work->instruction.operands; i++)
        if (!work->instruction.operand[i].implicit)
            return (uintptr_t)work->place[i].scratch - work->place[i].shift;
    return 0;
}

static void write_code(struct work *work)
{
    /* mov 56(%rdi), %rdi or mov 56(%edi), %edi */
    static const uint8_t load_wide[] = {0x48, 0x8b, 0x7f, 8 * DI}, load[] = {0x8b, 0x7f, 8 * DI};
    /* mov %rdi, cell; lea run, %rdi; jmp *cell */
    static const uint8_t store_wide[] = {0x48, 0x89, 0x3d}, lea_wide[] = {0x48, 0x8d, 0x3d};
    static const uint8_t store[] = {0x89, 0x3d}, lea[] = {0x8d, 0x3d}, jump[] = {0xff, 0x25};
    struct run *run = &work->page->run;
    uint8_t *to = work->page->code;

    run->entry = (uintptr_t)to;
    run->back = (uintptr_t)run_back;
    emit(&to, WIDE ? load_wide : load, WIDE ? sizeof load_wide : sizeof load);
    work->copy = (uintptr_t)to;
    work->copy_size = x86_copy(&work->instruction, WIDE, to, work->copy, explicit_address(work));
    to += work->copy_size;
    emit_with_cell(&to, WIDE ? store_wide : store, WIDE ? sizeof store_wide : sizeof store,
                   &run->gpr[DI]);
    emit_with_cell(&to, WIDE ? lea_wide : lea, WIDE ? sizeof lea_wide : sizeof lea, run);
    emit_with_cell(&to, jump, sizeof jump, &run->back);
    assert(to <= work->page->code + sizeof work->page->code);
}

/* Sets the registers for the copy. They are those of the context, except that the base registers of
 * implicit operands point to the buffer. */
static void load_registers(struct work *work)
{
    struct run *run = &work->page->run;
    struct software software = fp_software(work->context);

    for (int i = 0; i < GPRS; i++)
        run->gpr[i] = gpr_of(work->context, i);
    run->flags = ((uintptr_t)work->context->uc_mcontext.gregs[REG_EFL] & FLAGS_OWN) | FLAGS_SET;
    run->fp = (uintptr_t)fp_area(work->context);
    run->legacy = WIDE ? 0 : (uintptr_t)work->context->uc_mcontext.fpregs;
    run->extended = software.magic == FP_MAGIC;
    run->features = run->extended ? software.features & FP_COMPONENTS : 0;
    if (work->instruction.repeat != X86_ONCE)
        run->gpr[CX] = 1;
    for (unsigned i = 0; i < work->instruction.operands; i++) {
        const struct x86_operand *operand = &work->instruction.operand[i];
        struct place_of *place = &work->place[i];

        if (!operand->implicit)
            continue;
        place->base = gpr_of(work->context, operand->base) +
                      ((uintptr_t)place->scratch - place->address);
        run->gpr[operand->base] = place->base;
    }
}

static void run_copy(struct work *work)
{
    load_registers(work);
    run_x86(&work->page->run);
}

/* ------------------------------------------------------------------ x87 pointers */

/* Offsets in an image of the x87 unit: the opcode of the last instruction (16 bits), the address of
 * that instruction, and the address of its operand. */
struct x87_image {
    uint8_t opcode, instruction, operand;
};

static void replace(uint8_t *field, size_t size, uintptr_t from, uintptr_t to)
{
    uintptr_t value = 0;

    memcpy(&value, field, size);
    if (value == from)
        memcpy(field, &to, size);
}

/* Returns the opcode that the x87 unit records: the low three bits of the opcode's first byte, and
 * the ModRM byte. */
static uintptr_t x87_opcode(const struct x86_instruction *instruction, uint8_t modrm)
{
    return (instruction->head[instruction->head_size - 1] & 7u) << 8 | modrm;
}

/* If an image refers to the copy, replaces the opcode, the address of the instruction and the
 * address of the operand by those of the program's instruction. */
static void correct_image(const struct work *work, uint8_t *image, const struct x87_image *at)
{
    const struct x86_instruction *instruction = &work->instruction;
    uintptr_t recorded;

    memcpy(&recorded, image + at->instruction, sizeof recorded);
    if (recorded - work->copy >= work->copy_size)
        return;
    replace(image + at->instruction, sizeof recorded, recorded, cpu_place(work->context));
    replace(image + at->operand, sizeof recorded, (uintptr_t)work->place[0].scratch,
            work->place[0].address);
    replace(image + at->opcode, sizeof(uint16_t),
            x87_opcode(instruction, x86_copy_modrm(instruction)),
            x87_opcode(instruction, instruction->modrm));
}

static void correct_x87(const struct work *work)
{
    static const struct x87_image fxsave = {6, 8, 16}, fsave = {18, 12, 20};

    correct_image(work, fp_area(work->context), &fxsave);
    if (!WIDE)
        correct_image(work, (uint8_t *)work->context->uc_mcontext.fpregs, &fsave);
}

/* ------------------------------------------------------------------ effects */

/* Returns a register after an addition to its low `width` bits, as the instruction computes it. */
static uintptr_t stepped(uintptr_t before, uintptr_t added, unsigned width)
{
    uintptr_t mask = mask_of(width), after = (before + added) & mask;

    return width == 16 ? (before & ~mask) | after : after;
}

static void store_implicit(const struct work *work, unsigned number)
{
    const struct x86_operand *operand = &work->instruction.operand[number];
    struct run *run = &work->page->run;
    uintptr_t added = (uintptr_t)run->gpr[operand->base] - work->place[number].base;
    uintptr_t before = gpr_of(work->context, operand->base);
    unsigned width = operand->base == X86_SP ? work->instruction.stack_width
                                             : work->instruction.address_width;

    run->gpr[operand->base] = added ? stepped(before, added, width) : before;
}

/* Counts one element of a repeated string instruction. Returns true if elements remain. */
static bool count_down(const struct work *work)
{
    struct run *run = &work->page->run;
    unsigned width = work->instruction.address_width;
    uintptr_t count = stepped(gpr_of(work->context, CX), (uintptr_t)-1, width);
    bool equal = run->flags & FLAG_ZERO;

    run->gpr[CX] = count;
    return (count & mask_of(width)) && !(work->instruction.repeat == X86_REPE && !equal) &&
           !(work->instruction.repeat == X86_REPNE && equal);
}

static void store_registers(struct work *work)
{
    struct run *run = &work->page->run;
    greg_t *flags = &work->context->uc_mcontext.gregs[REG_EFL];
    bool again = false;

    for (unsigned i = 0; i < work->instruction.operands; i++)
        if (work->instruction.operand[i].implicit)
            store_implicit(work, i);
    if (work->instruction.repeat != X86_ONCE)
        again = count_down(work);
    for (int i = 0; i < GPRS; i++)
        *context_gpr(work->context, i) = (uintptr_t)run->gpr[i];
    *flags = (greg_t)(((uintptr_t)*flags & ~(uintptr_t)FLAGS_OWN) |
                      ((uintptr_t)run->flags & FLAGS_OWN));
    if (!again)
        *context_gpr(work->context, X86_IP) += work->instruction.length;
}

/* ------------------------------------------------------------------ masks */

/* Registers before or after a run of the copy. */
struct snapshot {
    uint64_t gpr[16], flags;
    uint8_t fp[FP_ROOM];
};

static void look(const struct work *work, struct snapshot *snapshot)
{
    memcpy(snapshot->gpr, work->page->run.gpr, sizeof snapshot->gpr);
    snapshot->flags = work->page->run.flags;
    memcpy(snapshot->fp, fp_area(work->context), fp_size(work->context));
    /* If a component is zero, the processor may or may not mark it as used, and this may change at
     * any time. */
    if (work->page->run.extended)
        memset(snapshot->fp + FP_HEADER, 0, sizeof(uint64_t));
}

/* Runs the copy with `content` in an operand, and stores the registers after the run in *after.
 * Restores the context. */
static void try(struct work *work, unsigned number, const uint8_t *content, struct snapshot *after)
{
    uint8_t fp[FP_ROOM];
    size_t size = fp_size(work->context);

    memcpy(fp, fp_area(work->context), size);
    memcpy(work->place[number].scratch, content, work->instruction.operand[number].size);
    run_copy(work);
    look(work, after);
    memcpy(fp_area(work->context), fp, size);
}

/* Returns the bytes that the copy writes, one bit per byte. A byte is written if it is the same
 * after two runs with different content before. */
static uint64_t find_written(struct work *work, unsigned number)
{
    const uint8_t *scratch = work->place[number].scratch;
    size_t size = work->instruction.operand[number].size;
    uint8_t content[X86_OPERAND] = {0}, written[X86_OPERAND];
    struct snapshot after;
    uint64_t bytes = 0;

    try(work, number, content, &after);
    memcpy(written, scratch, size);
    memset(content, 0xff, sizeof content);
    try(work, number, content, &after);
    for (size_t i = 0; i < size; i++)
        if (written[i] == scratch[i])
            bytes |= UINT64_C(1) << i;
    return bytes;
}

/* Returns the bytes that the copy reads, one bit per byte. A byte is read if its content changes
 * the registers after the run. */
static uint64_t find_read(struct work *work, unsigned number)
{
    size_t size = work->instruction.operand[number].size;
    uint8_t content[X86_OPERAND] = {0};
    struct snapshot without, with;
    uint64_t bytes = 0;

    try(work, number, content, &without);
    for (size_t i = 0; i < size; i++) {
        content[i] = 0xff;
        try(work, number, content, &with);
        content[i] = 0;
        if (memcmp(with.gpr, without.gpr, sizeof with.gpr) || with.flags != without.flags ||
            memcmp(with.fp, without.fp, fp_size(work->context)))
            bytes |= UINT64_C(1) << i;
    }
    return bytes;
}

static void select_bytes(struct work *work)
{
    for (unsigned i = 0; i < work->instruction.operands; i++) {
        const struct x86_operand *operand = &work->instruction.operand[i];

        if (operand->conditional)
            work->place[i].bytes = operand->writes ? find_written(work, i) : find_read(work, i);
        else
            work->place[i].bytes = UINT64_MAX >> (64 - operand->size);
    }
}

/* ------------------------------------------------------------------ accesses */

typedef bool run_function(uintptr_t address, uint8_t *bytes, size_t size, uintptr_t *bad);

/* Calls `function` for each run of consecutive accessed bytes of an operand. Returns false if a
 * call returns false. */
static bool each_run(const struct work *work, unsigned number, run_function *function,
                     uintptr_t *bad)
{
    const struct place_of *place = &work->place[number];
    uint64_t bytes = place->bytes;
    unsigned at, size;

    while (bytes) {
        at = (unsigned)__builtin_ctzll(bytes);
        size = ~(bytes >> at) ? (unsigned)__builtin_ctzll(~(bytes >> at)) : 64;
        if (!function(place->address + at, place->scratch + at, size, bad))
            return false;
        bytes &= at + size < 64 ? UINT64_MAX << (at + size) : 0;
    }
    return true;
}

static bool may_read(uintptr_t address, uint8_t *bytes, size_t size, uintptr_t *bad)
{
    (void)bytes;
    return access_allowed(address, size, false, bad);
}

static bool may_write(uintptr_t address, uint8_t *bytes, size_t size, uintptr_t *bad)
{
    (void)bytes;
    return access_allowed(address, size, true, bad);
}

static bool do_read(uintptr_t address, uint8_t *bytes, size_t size, uintptr_t *bad)
{
    (void)bad;
    access_read(address, bytes, size);
    return true;
}

static bool do_write(uintptr_t address, uint8_t *bytes, size_t size, uintptr_t *bad)
{
    return access_write(address, bytes, size, bad);
}

static enum cpu_result check(const struct work *work, struct cpu_step *step)
{
    for (unsigned i = 0; i < work->instruction.operands; i++) {
        const struct x86_operand *operand = &work->instruction.operand[i];

        if ((operand->reads && !each_run(work, i, may_read, &step->address)) ||
            (operand->writes && !each_run(work, i, may_write, &step->address)))
            return CPU_FAULT;
    }
    return CPU_DONE;
}

static void read_operands(const struct work *work)
{
    for (unsigned i = 0; i < work->instruction.operands; i++) {
        memset(work->place[i].scratch, 0, work->instruction.operand[i].size);
        if (work->instruction.operand[i].reads)
            each_run(work, i, do_read, NULL);
    }
}

/* Writes an operand to memory. Bytes that are pushed go to step->push, because on 32-bit machines
 * the system's signal frame begins directly below the stack pointer. */
static enum cpu_result write_operand(const struct work *work, unsigned number,
                                     struct cpu_step *step)
{
    const struct x86_operand *operand = &work->instruction.operand[number];
    const struct place_of *place = &work->place[number];

    if (!operand->writes)
        return CPU_DONE;
    if (operand->below && !WIDE) {
        step->push.address = place->address;
        step->push.size = operand->size;
        memcpy(step->push.bytes, place->scratch, operand->size);
        return CPU_DONE;
    }
    return each_run(work, number, do_write, &step->address) ? CPU_DONE : CPU_FAULT;
}

/* ------------------------------------------------------------------ execution */

static enum cpu_result refuse(struct cpu_step *step, const char *reason)
{
    step->reason = reason;
    return CPU_REFUSED;
}

/* Executes an instruction whose operands have been located and are in registers of peripherals. */
static enum cpu_result carry_out(struct work *work, struct cpu_step *step)
{
    enum cpu_result result;

    write_code(work);
    select_bytes(work);
    result = check(work, step);
    if (result != CPU_DONE)
        return result;
    read_operands(work);
    run_copy(work);
    if (work->instruction.encoded)
        correct_x87(work);
    for (unsigned i = 0; i < work->instruction.operands && result == CPU_DONE; i++)
        result = write_operand(work, i, step);
    if (result == CPU_DONE)
        store_registers(work);
    return result;
}

enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step)
{
    struct work work = {.context = context, .page = code};
    const char *refused = decode_at(context, &work.instruction);
    bool watched = false;

    if (refused)
        return refuse(step, refused);
    if (fp_end() > FP_ROOM)
        return refuse(step, "this processor's registers need more room than the shim supports");
    if (work.instruction.nothing) {
        *context_gpr(context, X86_IP) += work.instruction.length;
        return CPU_DONE;
    }
    for (unsigned i = 0; i < work.instruction.operands; i++) {
        locate(&work, i);
        watched = watched ||
                  access_watched(work.place[i].address, work.instruction.operand[i].size);
        if (WIDE && (int64_t)work.place[i].shift != (int32_t)work.place[i].shift)
            return refuse(step, "its bit number is too large");
    }
    if (!watched)
        return refuse(step, "its operands are not at that address");
    return carry_out(&work, step);
}

static size_t fp_whole(const ucontext_t *context)
{
    struct software software = fp_software(context);

    return FP_LEGACY + (software.magic == FP_MAGIC ? software.extended_size : 512);
}

size_t cpu_frame_size(const ucontext_t *context)
{
    return fp_whole(context) + 64;
}

/* The signal frame ends with the area of the x87 and vector registers. The context points to that
 * area. */
void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare)
{
    uintptr_t area = (((uintptr_t)spare + FP_LEGACY + 63) & ~(uintptr_t)63) - FP_LEGACY;

    memcpy((void *)area, context->uc_mcontext.fpregs, fp_whole(context));
    context->uc_mcontext.fpregs = (fpregset_t)area;
    memcpy((void *)push->address, push->bytes, push->size);
}

void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument)
{
    run_on_stack((void *)((uintptr_t)stack_end & ~(uintptr_t)63), function, argument);
}
