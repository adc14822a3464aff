/* SPDX-License-Identifier: MIT */
/* cpu_a64.c - executes one load or store of AArch64.
 *
 * In:  the context of a fault.
 * Out: accesses through access.h; the context after the instruction.
 *
 * Source: Arm Architecture Reference Manual for A-profile (DDI 0487); Linux,
 *         arch/arm64/include/uapi/asm/sigcontext.h.
 * Modelled: loads and stores of all sizes, pairs, structures, atomic operations, DC ZVA, and the
 * SVE instructions with which the C library copies memory.
 * Left out: see decode_a64.c. */
#include "cpu.h"

#include <string.h>

#include "access.h"
#include "decode_a64.h"

enum {
    REGISTERS = 31,
    VECTORS_MAGIC = 0x46508001,
    /* offset of the vector registers in the record, after its head, FPSR and FPCR */
    VECTORS_AT = 16,
    SVE_MAGIC = 0x53564501,
    SVE_AT = 16,
    SVE_MOST = 256,
    VECTOR = 16,
    MOST = 4 * VECTOR,
    EXTEND_UXTW = 2,
    EXTEND_SXTW = 6,
};

struct record {
    uint32_t magic, size;
};

struct sve_record {
    struct record head;
    uint16_t bytes; /* size of an SVE register, in bytes */
};

/* Calls function(argument) with the stack pointer set to `end`. `end` must be aligned. See
 * run_a64.S. */
void run_on_stack(void *end, void (*function)(void *), void *argument);

/* ------------------------------------------------------------------ the context */

uintptr_t cpu_place(const ucontext_t *context)
{
    return context->uc_mcontext.pc;
}

/* Returns the value of a general register. Register 31 is the zero register. */
static uint64_t gpr(const ucontext_t *context, int number)
{
    return number < REGISTERS ? context->uc_mcontext.regs[number] : 0;
}

static void set_gpr(ucontext_t *context, int number, uint64_t value)
{
    if (number < REGISTERS)
        context->uc_mcontext.regs[number] = value;
}

/* Returns the address of the base register's value. Register 31 is SP. */
static uint64_t *base_of(ucontext_t *context, int number)
{
    return (uint64_t *)(number == A64_SP ? &context->uc_mcontext.sp
                                         : &context->uc_mcontext.regs[number]);
}

/* Returns the record with a magic number in the list that the system appends to the context, or
 * NULL if none exists. */
static uint8_t *record_of(ucontext_t *context, uint32_t magic)
{
    uint8_t *at = (uint8_t *)context->uc_mcontext.__reserved;
    const uint8_t *end = at + sizeof context->uc_mcontext.__reserved;
    struct record record;

    while (at + sizeof record <= end) {
        memcpy(&record, at, sizeof record);
        if (record.magic == magic)
            return at;
        if (!record.magic || record.size < sizeof record)
            return NULL;
        at += record.size;
    }
    return NULL;
}

/* Returns the saved registers V0 to V31, of 16 bytes each, or NULL if the context does not have
 * them. */
static uint8_t *vectors_of(ucontext_t *context)
{
    uint8_t *record = record_of(context, VECTORS_MAGIC);

    return record ? record + VECTORS_AT : NULL;
}

/* Returns the SVE registers in the context, or NULL if there are none: Z0 to Z31, then P0 to P15.
 * P0 to P15 have one bit for each byte of a Z register. Sets *bytes to the size of a Z register. */
static uint8_t *sve_of(ucontext_t *context, unsigned *bytes)
{
    uint8_t *record = record_of(context, SVE_MAGIC);
    struct sve_record sve;

    if (!record)
        return NULL;
    memcpy(&sve, record, sizeof sve);
    *bytes = sve.bytes;
    return sve.head.size < SVE_AT + 34u * sve.bytes ? NULL : record;
}

/* Updates the Z register that contains a vector register after a load. The load clears all bytes of
 * the Z register above the vector. Linux reads only those upper bytes from the record. QEMU reads
 * the whole Z register. */
static void widen(ucontext_t *context, int number, const uint8_t *vector)
{
    unsigned bytes;
    uint8_t *record = sve_of(context, &bytes);

    if (!record)
        return;
    memcpy(record + SVE_AT + (unsigned)number * bytes, vector, VECTOR);
    memset(record + SVE_AT + (unsigned)number * bytes + VECTOR, 0, bytes - VECTOR);
}

static const char *decode_at(const ucontext_t *context, struct a64_instruction *instruction)
{
    uint32_t word;

    memcpy(&word, (const void *)cpu_place(context), sizeof word);
    return a64_decode(word, instruction);
}

size_t cpu_code(const ucontext_t *context, uint8_t bytes[CPU_LENGTH])
{
    memcpy(bytes, (const void *)cpu_place(context), 4);
    return 4;
}

void cpu_describe(const ucontext_t *context, char *text, size_t size)
{
    (void)context, (void)size;
    text[0] = '\0';
}

int cpu_fault_writes(const ucontext_t *context)
{
    struct a64_instruction instruction;

    if (decode_at(context, &instruction))
        return -1;
    return instruction.kind != A64_LOAD && instruction.kind != A64_MASKED_LOAD;
}

bool cpu_needs_code(void)
{
    return false;
}

size_t cpu_frame_size(const ucontext_t *context)
{
    (void)context;
    return 0;
}

/* AArch64 has no instructions that push. */
void cpu_push(ucontext_t *context, const struct cpu_push *push, void *spare)
{
    (void)context, (void)push, (void)spare;
}

/* ------------------------------------------------------------------ registers and bytes */

struct work {
    ucontext_t *context;
    struct cpu_step *step;
    struct a64_instruction instruction;
    uint8_t *vectors;
    uintptr_t address;
    size_t size; /* number of bytes in memory */
    uint8_t bytes[MOST];
};

static uint64_t sign_extended(uint64_t value, unsigned size)
{
    unsigned unused = 64 - 8 * size;

    return (uint64_t)((int64_t)(value << unused) >> unused);
}

static void load_gpr(struct work *work, int number, const uint8_t *bytes)
{
    const struct a64_instruction *instruction = &work->instruction;
    uint64_t value = 0;

    memcpy(&value, bytes, instruction->size);
    if (instruction->is_signed)
        value = sign_extended(value, instruction->size);
    set_gpr(work->context, number, instruction->width == 4 ? (uint32_t)value : value);
}

/* Returns the address of an element in the vector registers. `place` is the element's index in
 * memory. */
static uint8_t *element_of(const struct work *work, unsigned place)
{
    const struct a64_instruction *instruction = &work->instruction;
    unsigned together = instruction->groups > 1 ? 1 : instruction->registers;
    unsigned element = place / together % instruction->elements;
    unsigned number = instruction->groups > 1 ? place / instruction->elements : place % together;

    if (instruction->lane != A64_NONE)
        element = (unsigned)instruction->lane;
    return work->vectors + VECTOR * instruction->reg[number] + element * instruction->size;
}

static void clear_vectors(struct work *work)
{
    for (unsigned i = 0; i < work->instruction.registers; i++)
        memset(work->vectors + VECTOR * work->instruction.reg[i], 0, VECTOR);
}

static void load_vectors(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;
    unsigned copies = instruction->replicate ? instruction->width / instruction->size : 1;

    if (instruction->lane == A64_NONE)
        clear_vectors(work);
    for (unsigned place = 0; place < work->size / instruction->size; place++)
        for (unsigned copy = 0; copy < copies; copy++)
            memcpy(element_of(work, place) + copy * instruction->size,
                   work->bytes + place * instruction->size, instruction->size);
    for (unsigned i = 0; i < instruction->registers; i++)
        widen(work->context, instruction->reg[i], work->vectors + VECTOR * instruction->reg[i]);
}

static void load_all(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;

    if (instruction->vector) {
        load_vectors(work);
        return;
    }
    for (unsigned i = 0; i < instruction->registers; i++)
        load_gpr(work, instruction->reg[i], work->bytes + i * instruction->size);
}

/* Copies registers to work->bytes, in the order in which the instruction stores them. */
static void gather(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;

    for (unsigned place = 0; place < work->size / instruction->size; place++) {
        uint8_t *to = work->bytes + place * instruction->size;

        if (instruction->vector) {
            memcpy(to, element_of(work, place), instruction->size);
        } else {
            uint64_t value = gpr(work->context, instruction->reg[place]);
            memcpy(to, &value, instruction->size);
        }
    }
}

/* ------------------------------------------------------------------ kinds */

static bool do_load(struct work *work)
{
    access_read(work->address, work->bytes, work->size);
    load_all(work);
    return true;
}

static bool do_store(struct work *work)
{
    gather(work);
    return access_write(work->address, work->bytes, work->size, &work->step->address);
}

static uint64_t operate(enum a64_operation operation, uint64_t old, uint64_t source, unsigned size)
{
    int64_t a = (int64_t)sign_extended(old, size), b = (int64_t)sign_extended(source, size);

    switch (operation) {
    case A64_ADD: return old + source;
    case A64_CLR: return old & ~source;
    case A64_EOR: return old ^ source;
    case A64_SET: return old | source;
    case A64_SMAX: return a > b ? old : source;
    case A64_SMIN: return a < b ? old : source;
    case A64_UMAX: return old > source ? old : source;
    case A64_UMIN: return old < source ? old : source;
    default: return source;
    }
}

static bool do_atomic(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;
    uint64_t old = 0, source = 0, whole = gpr(work->context, instruction->source);

    access_read(work->address, &old, work->size);
    memcpy(&source, &whole, work->size);
    source = operate(instruction->operation, old, source, instruction->size);
    if (!access_write(work->address, &source, work->size, &work->step->address))
        return false;
    set_gpr(work->context, instruction->reg[0], old);
    return true;
}

static bool do_compare(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;
    uint8_t old[MOST];
    bool equal = true;

    access_read(work->address, old, work->size);
    gather(work);
    for (int i = 0; i < instruction->registers; i++) {
        uint64_t expected = gpr(work->context, instruction->source + i);

        equal = equal && !memcmp(&expected, old + i * instruction->size, instruction->size);
    }
    if (equal && !access_write(work->address, work->bytes, work->size, &work->step->address))
        return false;
    for (int i = 0; i < instruction->registers; i++)
        load_gpr(work, instruction->source + i, old + i * instruction->size);
    return true;
}

static bool do_zero(struct work *work)
{
    for (size_t done = 0; done < work->size; done += MOST)
        if (!access_write(work->address + done, work->bytes, work->size < MOST ? work->size : MOST,
                          &work->step->address))
            return false;
    return true;
}

/* ------------------------------------------------------------------ predicates */

/* Finds the next run of bytes that the predicate selects, starting at *at. Sets *at to the start of
 * the run. Returns the length of the run, or 0 if there are no more. */
static size_t next_run(const struct work *work, const uint8_t *predicate, size_t *at)
{
    unsigned element = work->instruction.size;
    size_t size = 0;

#define SELECTED(byte) (predicate[(byte) / 8] >> ((byte) % 8) & 1)
    while (*at < work->size && !SELECTED(*at))
        *at += element;
    while (*at + size < work->size && SELECTED(*at + size))
        size += element;
#undef SELECTED
    return size;
}

static bool do_masked(struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;
    bool store = instruction->kind == A64_MASKED_STORE;
    unsigned bytes = 0;
    uint8_t *record = sve_of(work->context, &bytes);
    uint8_t *vector = record + SVE_AT + (unsigned)instruction->reg[0] * bytes;
    const uint8_t *predicate = record + SVE_AT + 32u * bytes +
                               (unsigned)instruction->predicate * bytes / 8;
    uint8_t loaded[SVE_MOST] = {0};
    size_t run;

    for (size_t at = 0; (run = next_run(work, predicate, &at)); at += run)
        if (!access_allowed(work->address + at, run, store, &work->step->address))
            return false;
    for (size_t at = 0; (run = next_run(work, predicate, &at)); at += run) {
        if (!store)
            access_read(work->address + at, loaded + at, run);
        else if (!access_write(work->address + at, vector + at, run, &work->step->address))
            return false;
    }
    if (!store) {
        memcpy(vector, loaded, bytes);
        memcpy(work->vectors + VECTOR * instruction->reg[0], loaded, VECTOR);
    }
    return true;
}

static bool do_nothing(struct work *work)
{
    (void)work;
    return true;
}

static const struct {
    bool reads, writes;
    bool (*carry_out)(struct work *work);
} kinds[] = {
    /* clang-format off */
    [A64_LOAD]         = {true,  false, do_load},
    [A64_STORE]        = {false, true,  do_store},
    [A64_ATOMIC]       = {true,  true,  do_atomic},
    [A64_COMPARE]      = {true,  true,  do_compare},
    [A64_ZERO]         = {false, true,  do_zero},
    [A64_MASKED_LOAD]  = {false, false, do_masked},
    [A64_MASKED_STORE] = {false, false, do_masked},
    [A64_NOTHING]      = {false, false, do_nothing},
    /* clang-format on */
};

/* ------------------------------------------------------------------ execution */

static uint64_t index_of(const struct work *work)
{
    const struct a64_instruction *instruction = &work->instruction;
    uint64_t value = gpr(work->context, instruction->index);

    if (instruction->extend == EXTEND_UXTW)
        value = (uint32_t)value;
    if (instruction->extend == EXTEND_SXTW)
        value = sign_extended(value, 4);
    return value << instruction->shift;
}

/* Returns the size of the block that DC ZVA clears, in bytes. Such a block is aligned to its size.
 * DCZID_EL0 contains the logarithm of the size in words. */
static size_t zero_block(void)
{
    uint64_t value;

    __asm__("mrs %0, dczid_el0" : "=r"(value));
    return (size_t)4 << (value & 15);
}

static bool is_masked(const struct a64_instruction *instruction)
{
    return instruction->kind == A64_MASKED_LOAD || instruction->kind == A64_MASKED_STORE;
}

/* Computes the address of the access, and the value of the base register after the instruction. */
static void locate(struct work *work, uint64_t *base_after)
{
    const struct a64_instruction *instruction = &work->instruction;
    uint64_t offset = instruction->index == A64_NONE ? (uint64_t)instruction->offset
                                                     : index_of(work);
    uint64_t base = instruction->base == A64_NONE ? 0 : *base_of(work->context, instruction->base);

    work->size = (size_t)instruction->registers * instruction->elements * instruction->size;
    work->address = instruction->address == A64_POST ? base : base + offset;
    *base_after = base + offset;
    if (instruction->address == A64_LITERAL)
        work->address = cpu_place(work->context) + offset;
    if (is_masked(instruction)) {
        unsigned bytes = 0;

        sve_of(work->context, &bytes);
        work->size = bytes;
        if (instruction->index == A64_NONE)
            work->address = base + offset * bytes;
    }
    if (instruction->kind != A64_ZERO)
        return;
    work->size = zero_block();
    work->address &= ~(uintptr_t)(work->size - 1);
}

static enum cpu_result refuse(struct cpu_step *step, const char *reason)
{
    step->reason = reason;
    return CPU_REFUSED;
}

enum cpu_result cpu_step(ucontext_t *context, void *code, struct cpu_step *step)
{
    struct work work = {.context = context, .step = step, .vectors = vectors_of(context)};
    const char *refused = decode_at(context, &work.instruction);
    enum a64_kind kind = work.instruction.kind;
    uint64_t base_after;

    (void)code;
    if (refused)
        return refuse(step, refused);
    if (work.instruction.vector && !work.vectors)
        return refuse(step, "the system does not provide the vector registers");
    if (is_masked(&work.instruction) && !sve_of(context, &(unsigned){0}))
        return refuse(step, "the system does not provide the SVE registers");
    locate(&work, &base_after);
    if (kind != A64_NOTHING && !access_watched(work.address, work.size))
        return refuse(step, "its operand is not at that address");
    if ((kinds[kind].reads && !access_allowed(work.address, work.size, false, &step->address)) ||
        (kinds[kind].writes && !access_allowed(work.address, work.size, true, &step->address)) ||
        !kinds[kind].carry_out(&work))
        return CPU_FAULT;
    if (work.instruction.address == A64_PRE || work.instruction.address == A64_POST)
        *base_of(context, work.instruction.base) = base_after;
    context->uc_mcontext.pc += 4;
    return CPU_DONE;
}

void cpu_call_on(void *stack_end, void (*function)(void *argument), void *argument)
{
    run_on_stack((void *)((uintptr_t)stack_end & ~(uintptr_t)15), function, argument);
}
