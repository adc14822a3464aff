/* SPDX-License-Identifier: MIT */
/* mailbox.c - the Raspberry Pi's property mailbox (channel 8) and what its firmware owns: framebuffer, GPU
 * memory, clocks and power.
 *
 * In:  register accesses; property buffers in memory.
 * Out: replies in those buffers; memory mapped into the V3D device.
 *
 * Source: the firmware's public wiki page "Mailbox property interface" (github raspberrypi/firmware), the
 * JayStation articles, PeterLemon/RaspberryPi (tags in V3D and HelloWorld demos), asurati/x03 dev/mbox.c.
 * Modelled: the tags of the table below. Left out: running code on the VPU (tag 0x30010 fails), display
 * output, palette. Board facts (model, clocks, temperature) are those of an idle Pi Zero W. */
#include <tessera/pi.h>

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/diag.h"

enum {
    CHANNEL_PROPERTY = 8,
    CHANNEL_MASK = 15,
    STATUS_FULL = -0x7fffffff - 1,
    STATUS_EMPTY = 1 << 30,
    QUEUE = 8,
    MAX_BUFFER = 1 << 20, /* bytes; real requests are below 4 KiB */
    MAX_VALUES = 16,      /* words of one tag's value buffer that any tag here looks at */
    MAX_BLOCKS = 1024,
    PAGE = 4096,
    PITCH_ALIGN = 32,
    CLOCK_COUNT = 11,
    CLOCK_V3D = 5,
    DOMAIN_V3D_FIRMWARE = 11, /* asurati x03 passes 11; the Linux binding's 10 is one less */
    V3D_SIZE = 0x1000,
};

#define EXECUTE_TIMEOUT UINT32_C(0x80000000) /* reply of tag 0x30011 */
#define CODE_OK         UINT32_C(0x80000000)
#define CODE_ERROR      UINT32_C(0x80000001)
#define TAG_RESPONSE    UINT32_C(0x80000000)
#define V3D_OFF         UINT32_C(0xdeadbeef)

/* A block of VideoCore memory: an allocation of tag 0x3000c, or the framebuffer. */
struct block {
    uint32_t address, size; /* without alias; size 0: free entry */
    uint32_t flags;
};

struct tess_pi {
    struct tess_vc4 *vc4;
    struct tess_pi_options options;
    struct tess_pi_framebuffer framebuffer;
    uint32_t alpha_mode;
    uint32_t overscan[4];
    uint32_t clock_rate[CLOCK_COUNT];
    uint32_t power[CLOCK_COUNT];
    bool v3d_enabled;
    struct block blocks[MAX_BLOCKS]; /* entry n has handle n + 1 */
    uint32_t queue[QUEUE];
    uint32_t first, count;
};

/* Rates of an idle Pi Zero W in Hz, by clock id: reserved, EMMC, UART, ARM, CORE, V3D, H264, ISP, SDRAM,
 * PIXEL, PWM. */
static const uint32_t clock_rates[CLOCK_COUNT] = {
    0, 250000000, 48000000, 700000000, 400000000, 300000000, 300000000, 300000000, 450000000, 0, 0,
};

static void report(struct tess_pi *pi, enum tess_severity severity, const char *rule,
                   const char *hint, uint32_t address, const char *text)
{
    struct tess_diag diag = {
        .severity = severity,
        .rule = rule,
        .hint = hint,
        .place = {.known = TESS_PLACE_ADDRESS, .address = address},
    };
    diag_report(pi->options.sink, &diag, "%s", text);
}

/* --- VideoCore memory --- */

static uint32_t align_up(uint32_t value, uint32_t to)
{
    return (value + to - 1) & ~(to - 1);
}

static const struct block *block_at(const struct tess_pi *pi, uint32_t address, uint32_t size)
{
    for (unsigned i = 0; i < MAX_BLOCKS; i++) {
        const struct block *block = &pi->blocks[i];
        if (block->size && address < block->address + block->size &&
            block->address < address + size)
            return block;
    }
    return NULL;
}

/* First place that fits, 0 if there is none. size is a multiple of a page. */
static uint32_t find_space(const struct tess_pi *pi, uint32_t size, uint32_t alignment)
{
    uint32_t start = pi->options.arm_size, end = start + pi->options.vc_size;
    uint32_t at = align_up(start, alignment);
    while (at >= start && at < end && size <= end - at) {
        const struct block *taken = block_at(pi, at, size);
        if (!taken)
            return at;
        at = align_up(taken->address + taken->size, alignment);
    }
    return 0;
}

/* Returns a handle, or 0. */
static uint32_t allocate(struct tess_pi *pi, uint32_t size, uint32_t alignment, uint32_t flags)
{
    if (size == 0 || size > pi->options.vc_size || (alignment & (alignment - 1)))
        return 0;
    size = align_up(size, PAGE);
    uint32_t address = find_space(pi, size, alignment < PAGE ? PAGE : alignment);
    if (!address || tess_vc4_map(pi->vc4, address, size, NULL) != TESS_OK)
        return 0;
    for (unsigned i = 0; i < MAX_BLOCKS; i++) {
        if (pi->blocks[i].size)
            continue;
        pi->blocks[i] = (struct block){.address = address, .size = size, .flags = flags};
        return i + 1;
    }
    tess_vc4_unmap(pi->vc4, address);
    return 0;
}

static struct block *block_of(struct tess_pi *pi, uint32_t handle)
{
    if (handle == 0 || handle > MAX_BLOCKS || !pi->blocks[handle - 1].size)
        return NULL;
    return &pi->blocks[handle - 1];
}

static void release(struct tess_pi *pi, struct block *block)
{
    tess_vc4_unmap(pi->vc4, block->address);
    *block = (struct block){0};
}

/* Cache alias by allocation flags, bits 3:2: normal, direct, coherent, L1 non-allocating. */
static const uint32_t aliases[4] = {0x00000000, 0xc0000000, 0x80000000, 0x40000000};

static uint32_t bus_address(const struct block *block)
{
    return block->address | aliases[block->flags >> 2 & 3];
}

/* --- framebuffer --- */

static void framebuffer_release(struct tess_pi *pi)
{
    uint32_t address = pi->framebuffer.address & UINT32_C(0x3fffffff);
    for (unsigned i = 0; address && i < MAX_BLOCKS; i++)
        if (pi->blocks[i].size && pi->blocks[i].address == address)
            release(pi, &pi->blocks[i]);
    pi->framebuffer.address = pi->framebuffer.size = 0;
}

static uint32_t pitch_of(const struct tess_pi_framebuffer *fb)
{
    uint64_t bytes = ((uint64_t)fb->virtual_width * fb->depth + 7) / 8;
    return bytes > MAX_BUFFER ? 0 : align_up((uint32_t)bytes, PITCH_ALIGN);
}

static void framebuffer_allocate(struct tess_pi *pi, uint32_t alignment)
{
    struct tess_pi_framebuffer *fb = &pi->framebuffer;
    framebuffer_release(pi);
    fb->pitch = pitch_of(fb);
    uint64_t size = (uint64_t)fb->pitch * fb->virtual_height;
    if (size == 0 || size > pi->options.vc_size)
        return;
    uint32_t handle = allocate(pi, (uint32_t)size, alignment, 0);
    if (!handle)
        return;
    fb->address = block_of(pi, handle)->address | pi->options.alias;
    fb->size = (uint32_t)size;
}

/* A changed size or depth takes effect with the next allocation. */
static void set_size(uint32_t *width, uint32_t *height, const uint32_t *v)
{
    if (v[0] && v[1] && v[0] <= 4096 && v[1] <= 4096) {
        *width = v[0];
        *height = v[1];
    }
}

static bool valid_depth(uint32_t depth)
{
    return depth == 8 || depth == 16 || depth == 24 || depth == 32;
}

/* --- user programs --- */

/* Writes of 1 that clear every cache (manual tables 71 and 72). */
enum { L2CACTL = 0x20, SLCACTL = 0x24, L2C_CLEAR = 4, SLICES_CLEAR = 0x0f0f0f0f };

static void clear_caches(struct tess_pi *pi)
{
    tess_vc4_write(pi->vc4, L2CACTL, L2C_CLEAR);
    tess_vc4_write(pi->vc4, SLCACTL, SLICES_CLEAR);
}

/* Pairs {uniforms, code} at a bus address, and how many have been queued. */
struct programs {
    uint32_t control, count, queued;
};

static bool report_programs(struct tess_pi *pi, uint32_t address, const char *text)
{
    report(pi, TESS_ERROR, "pi-execute-qpu", "pass the bus address of {uniforms, code} pairs",
           address, text);
    return false;
}

/* Queues as many programs as there is room for. False if one of them is not mapped. */
static bool queue_programs(struct tess_pi *pi, struct programs *programs)
{
    enum { LENGTH = 0x3f, DEEPEST = 16 }; /* V3D_SRQCS */
    while (programs->queued < programs->count &&
           (tess_vc4_read(pi->vc4, V3D_SRQCS) & LENGTH) < DEEPEST) {
        uint32_t address = programs->control + 8 * programs->queued++;
        const uint8_t *pair = tess_vc4_memory(pi->vc4, address, 8);
        if (!pair)
            return report_programs(pi, address, "the control block of tag 0x30011 is not mapped");
        tess_vc4_write(pi->vc4, V3D_SRQUA, load_le32(pair));
        tess_vc4_write(pi->vc4, V3D_SRQPC, load_le32(pair + 4));
    }
    return true;
}

/* Runs programs until all have ended, and queues the next ones as the queue gets empty. */
static bool run_programs(struct tess_pi *pi, struct programs *programs)
{
    enum tess_vc4_stop stop = TESS_VC4_IDLE;
    uint32_t before;
    do {
        before = programs->queued;
        if (!queue_programs(pi, programs))
            return false;
        if (before == programs->queued && before)
            break; /* there is no room */
        stop = tess_vc4_run(pi->vc4);
    } while (stop != TESS_VC4_BUDGET && programs->queued < programs->count);
    if (stop != TESS_VC4_IDLE)
        tess_vc4_report_stuck(pi->vc4);
    return stop == TESS_VC4_IDLE;
}

/* The firmware learns from the host interrupt that programs are done, so one of them must raise it. */
static bool run_to_interrupt(struct tess_pi *pi, struct programs *programs)
{
    if (!run_programs(pi, programs))
        return false;
    bool raised = tess_vc4_read(pi->vc4, V3D_DBQITC) != 0;
    if (!raised)
        report(pi, TESS_WARNING, "pi-execute-no-interrupt",
               "let one program write a value other than 0 to the host interrupt register (38) "
               "when all are done",
               0,
               "all programs have ended and none has raised the host interrupt: tag 0x30011 times "
               "out");
    return raised;
}

/* Runs count pairs {uniforms, code} at control, as many at once as there are QPUs. 0, or 0x80000000 when they
 * do not end. */
static uint32_t execute_qpu(struct tess_pi *pi, uint32_t count, uint32_t control, bool keep_caches)
{
    enum { MOST = 4096 }; /* more can only be a mistake; py-videocore takes 1024 */
    struct programs programs = {.control = control, .count = count};
    if (count > MOST) {
        report_programs(pi, control, "tag 0x30011 asks for more than 4096 programs");
        return EXECUTE_TIMEOUT;
    }
    uint32_t configuration = tess_vc4_read(pi->vc4, V3D_DBCFG);
    uint32_t enabled = tess_vc4_read(pi->vc4, V3D_DBQITE);
    if (!keep_caches)
        clear_caches(pi);
    tess_vc4_write(pi->vc4, V3D_DBCFG, 1);
    tess_vc4_write(pi->vc4, V3D_DBQITE, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    bool done = run_to_interrupt(pi, &programs);
    tess_vc4_write(pi->vc4, V3D_DBQITC, UINT32_MAX);
    tess_vc4_write(pi->vc4, V3D_DBQITE, enabled);
    tess_vc4_write(pi->vc4, V3D_DBCFG, configuration);
    return done ? 0 : EXECUTE_TIMEOUT;
}

/* Rows of the VPM for user programs, in units of V3D_VPMBASE. GPU_FFT and py-videocore use 64 rows after nothing but
 * tag 0x30012. */
enum { FIRMWARE_VPM = 16 };

static void switch_v3d(struct tess_pi *pi, bool on)
{
    if (on && !pi->v3d_enabled)
        tess_vc4_write(pi->vc4, V3D_VPMBASE, FIRMWARE_VPM);
    pi->v3d_enabled = on;
}

/* --- tags --- */

/* Works on the value buffer's words in place. False: the firmware refuses the tag. */
typedef bool tag_handler(struct tess_pi *pi, uint32_t *v);

static bool get_firmware(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] = 0x5f6a1f34; /* a build of September 2020, seconds since 1970 */
    return true;
}

static bool get_zero(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] = 0;
    return true;
}

static bool get_revision(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->options.revision;
    return true;
}

static bool get_two_zeros(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] = v[1] = 0;
    return true;
}

static bool get_arm_memory(struct tess_pi *pi, uint32_t *v)
{
    v[0] = 0;
    v[1] = pi->options.arm_size;
    return true;
}

static bool get_vc_memory(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->options.arm_size;
    v[1] = pi->options.vc_size;
    return true;
}

/* Power state: bit 0 on, bit 1 in the reply "no such device". */
static bool get_power(struct tess_pi *pi, uint32_t *v)
{
    v[1] = v[0] < CLOCK_COUNT ? pi->power[v[0]] : 2;
    return true;
}

static bool set_power(struct tess_pi *pi, uint32_t *v)
{
    if (v[0] < CLOCK_COUNT)
        pi->power[v[0]] = v[1] & 1;
    return get_power(pi, v);
}

static bool get_timing(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[1] = 0;
    return true;
}

static bool get_clock_state(struct tess_pi *pi, uint32_t *v)
{
    v[1] = v[0] < CLOCK_COUNT ? pi->clock_rate[v[0]] != 0 : 2;
    return true;
}

static bool get_clock_rate(struct tess_pi *pi, uint32_t *v)
{
    v[1] = v[0] < CLOCK_COUNT ? pi->clock_rate[v[0]] : 0;
    return true;
}

static bool set_clock_rate(struct tess_pi *pi, uint32_t *v)
{
    if (v[0] > 0 && v[0] < CLOCK_COUNT)
        pi->clock_rate[v[0]] = v[1];
    return get_clock_rate(pi, v);
}

static bool get_rated_clock(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[1] = v[0] < CLOCK_COUNT ? clock_rates[v[0]] : 0;
    return true;
}

static bool get_voltage(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[1] = v[0] >= 1 && v[0] <= 4 ? 1200000 : UINT32_C(0x80000000); /* microvolts; no such id */
    return true;
}

static bool get_temperature(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[1] = 40000; /* thousandths of a degree Celsius */
    return true;
}

static bool get_max_temperature(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[1] = 85000;
    return true;
}

static bool allocate_memory(struct tess_pi *pi, uint32_t *v)
{
    v[0] = allocate(pi, v[0], v[1] ? v[1] : PAGE, v[2]);
    return true;
}

static bool lock_memory(struct tess_pi *pi, uint32_t *v)
{
    struct block *block = block_of(pi, v[0]);
    v[0] = block ? bus_address(block) : 0;
    return true;
}

static bool unlock_memory(struct tess_pi *pi, uint32_t *v)
{
    struct block *block = block_of(pi, v[0]);
    v[0] = block ? 0 : UINT32_MAX;
    return true;
}

static bool release_memory(struct tess_pi *pi, uint32_t *v)
{
    struct block *block = block_of(pi, v[0]);
    if (block)
        release(pi, block);
    v[0] = block ? 0 : UINT32_MAX;
    return true;
}

static bool execute_code(struct tess_pi *pi, uint32_t *v)
{
    report(pi, TESS_ERROR, "not-modelled", "run the code on the ARM instead", v[0],
           "running code on the VPU (tag 0x30010) is not modelled");
    return false;
}

static bool execute_programs(struct tess_pi *pi, uint32_t *v)
{
    v[0] = execute_qpu(pi, v[0], v[1], v[2] != 0);
    return true;
}

static bool enable_qpu(struct tess_pi *pi, uint32_t *v)
{
    switch_v3d(pi, v[0] & 1);
    v[0] = 0;
    return true;
}

static bool get_domain(struct tess_pi *pi, uint32_t *v)
{
    v[1] = v[0] == DOMAIN_V3D_FIRMWARE || v[0] == DOMAIN_V3D_FIRMWARE - 1 ? pi->v3d_enabled : 0;
    return true;
}

static bool set_domain(struct tess_pi *pi, uint32_t *v)
{
    if (v[0] == DOMAIN_V3D_FIRMWARE || v[0] == DOMAIN_V3D_FIRMWARE - 1)
        pi->v3d_enabled = v[1] & 1;
    return get_domain(pi, v);
}

static bool framebuffer_new(struct tess_pi *pi, uint32_t *v)
{
    framebuffer_allocate(pi, v[0] ? v[0] : PAGE);
    v[0] = pi->framebuffer.address;
    v[1] = pi->framebuffer.size;
    return true;
}

static bool framebuffer_free(struct tess_pi *pi, uint32_t *v)
{
    (void)v;
    framebuffer_release(pi);
    return true;
}

static bool blank(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] &= 1;
    return true;
}

static bool get_physical(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.width;
    v[1] = pi->framebuffer.height;
    return true;
}

static bool set_physical(struct tess_pi *pi, uint32_t *v)
{
    set_size(&pi->framebuffer.width, &pi->framebuffer.height, v);
    return get_physical(pi, v);
}

static bool get_virtual(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.virtual_width;
    v[1] = pi->framebuffer.virtual_height;
    return true;
}

static bool set_virtual(struct tess_pi *pi, uint32_t *v)
{
    set_size(&pi->framebuffer.virtual_width, &pi->framebuffer.virtual_height, v);
    return get_virtual(pi, v);
}

static bool get_depth(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.depth;
    return true;
}

static bool set_depth(struct tess_pi *pi, uint32_t *v)
{
    if (valid_depth(v[0]))
        pi->framebuffer.depth = v[0];
    return get_depth(pi, v);
}

static bool get_order(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.pixel_order;
    return true;
}

static bool set_order(struct tess_pi *pi, uint32_t *v)
{
    pi->framebuffer.pixel_order = v[0] & 1;
    return get_order(pi, v);
}

static bool get_alpha(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->alpha_mode;
    return true;
}

static bool set_alpha(struct tess_pi *pi, uint32_t *v)
{
    if (v[0] <= 2)
        pi->alpha_mode = v[0];
    return get_alpha(pi, v);
}

static bool get_pitch(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.address ? pi->framebuffer.pitch : pitch_of(&pi->framebuffer);
    return true;
}

static bool get_offset(struct tess_pi *pi, uint32_t *v)
{
    v[0] = pi->framebuffer.offset_x;
    v[1] = pi->framebuffer.offset_y;
    return true;
}

static bool set_offset(struct tess_pi *pi, uint32_t *v)
{
    const struct tess_pi_framebuffer *fb = &pi->framebuffer;
    if (v[0] < fb->virtual_width && v[1] < fb->virtual_height) {
        pi->framebuffer.offset_x = v[0];
        pi->framebuffer.offset_y = v[1];
    }
    return get_offset(pi, v);
}

static bool get_overscan(struct tess_pi *pi, uint32_t *v)
{
    memcpy(v, pi->overscan, sizeof pi->overscan);
    return true;
}

static bool set_overscan(struct tess_pi *pi, uint32_t *v)
{
    memcpy(pi->overscan, v, sizeof pi->overscan);
    return true;
}

static bool set_palette(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] = 0;
    return true;
}

static bool get_dma_channels(struct tess_pi *pi, uint32_t *v)
{
    (void)pi;
    v[0] = 0x7f35; /* channels that the ARM may use */
    return true;
}

/* Every tag: bytes that the handler reads at most, bytes of the reply. */
static const struct tag {
    uint32_t id;
    uint8_t request_bytes, reply_bytes;
    tag_handler *handler;
} tags[] = {
    {0x00000001, 0,  4,  get_firmware       },
    {0x00010001, 0,  4,  get_zero           }, /* board model */
    {0x00010002, 0,  4,  get_revision       },
    {0x00010003, 0,  6,  get_two_zeros      }, /* MAC address */
    {0x00010004, 0,  8,  get_two_zeros      }, /* serial number */
    {0x00010005, 0,  8,  get_arm_memory     },
    {0x00010006, 0,  8,  get_vc_memory      },
    {0x00020001, 4,  8,  get_power          },
    {0x00020002, 4,  8,  get_timing         },
    {0x00028001, 8,  8,  set_power          },
    {0x00030001, 4,  8,  get_clock_state    },
    {0x00038001, 8,  8,  get_clock_state    }, /* setting: clocks stay as they are */
    {0x00030002, 4,  8,  get_clock_rate     },
    {0x00038002, 12, 8,  set_clock_rate     },
    {0x00030003, 4,  8,  get_voltage        },
    {0x00030004, 4,  8,  get_rated_clock    }, /* maximum */
    {0x00030005, 4,  8,  get_voltage        }, /* maximum */
    {0x00030006, 4,  8,  get_temperature    },
    {0x00030007, 4,  8,  get_rated_clock    }, /* minimum */
    {0x00030008, 4,  8,  get_voltage        }, /* minimum */
    {0x00030009, 4,  8,  get_timing         }, /* turbo level 0 */
    {0x0003000a, 4,  8,  get_max_temperature},
    {0x0003000c, 12, 4,  allocate_memory    },
    {0x0003000d, 4,  4,  lock_memory        },
    {0x0003000e, 4,  4,  unlock_memory      },
    {0x0003000f, 4,  4,  release_memory     },
    {0x00030010, 28, 4,  execute_code       },
    {0x00030011, 16, 4,  execute_programs   },
    {0x00030012, 4,  4,  enable_qpu         },
    {0x00030030, 4,  8,  get_domain         },
    {0x00038030, 8,  8,  set_domain         },
    {0x00040001, 4,  8,  framebuffer_new    },
    {0x00048001, 0,  0,  framebuffer_free   },
    {0x00040002, 4,  4,  blank              },
    {0x00040003, 0,  8,  get_physical       },
    {0x00044003, 8,  8,  get_physical       },
    {0x00048003, 8,  8,  set_physical       },
    {0x00040004, 0,  8,  get_virtual        },
    {0x00044004, 8,  8,  get_virtual        },
    {0x00048004, 8,  8,  set_virtual        },
    {0x00040005, 0,  4,  get_depth          },
    {0x00044005, 4,  4,  get_depth          },
    {0x00048005, 4,  4,  set_depth          },
    {0x00040006, 0,  4,  get_order          },
    {0x00044006, 4,  4,  get_order          },
    {0x00048006, 4,  4,  set_order          },
    {0x00040007, 0,  4,  get_alpha          },
    {0x00044007, 4,  4,  get_alpha          },
    {0x00048007, 4,  4,  set_alpha          },
    {0x00040008, 0,  4,  get_pitch          },
    {0x00040009, 0,  8,  get_offset         },
    {0x00044009, 8,  8,  get_offset         },
    {0x00048009, 8,  8,  set_offset         },
    {0x0004000a, 0,  16, get_overscan       },
    {0x0004400a, 16, 16, get_overscan       },
    {0x0004800a, 16, 16, set_overscan       },
    {0x0004800b, 8,  4,  set_palette        },
    {0x00060001, 0,  4,  get_dma_channels   },
};

static const struct tag *find_tag(uint32_t id)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i].id == id)
            return &tags[i];
    return NULL;
}

/* value points to the tag's value buffer of size bytes, code to its request/response word. */
static bool run_tag(struct tess_pi *pi, const struct tag *tag, uint8_t *code, uint8_t *value,
                    uint32_t size)
{
    uint32_t words[MAX_VALUES] = {0};
    uint8_t bytes[sizeof words] = {0};
    /* The request length is not trusted: programs leave it zero (JayStation's physical display tag). */
    uint32_t given = size < tag->request_bytes ? size : tag->request_bytes;
    memcpy(bytes, value, given);
    for (unsigned i = 0; i < MAX_VALUES; i++)
        words[i] = load_le32(bytes + 4 * i);
    if (!tag->handler(pi, words))
        return false;
    for (unsigned i = 0; i < MAX_VALUES; i++)
        store_le32(bytes + 4 * i, words[i]);
    memcpy(value, bytes, size < tag->reply_bytes ? size : tag->reply_bytes);
    store_le32(code, TAG_RESPONSE | tag->reply_bytes);
    return true;
}

/* Carries out all tags of a buffer. Returns the response code. */
static uint32_t run_tags(struct tess_pi *pi, uint8_t *buffer, uint32_t size)
{
    uint32_t result = CODE_OK;
    for (uint32_t at = 8; size - at >= 4;) {
        uint32_t id = load_le32(buffer + at);
        if (id == 0)
            return result;
        if (size - at < 12)
            break;
        uint32_t value_size = load_le32(buffer + at + 4);
        if (value_size > size - at - 12)
            break;
        const struct tag *tag = find_tag(id);
        if (!tag || !run_tag(pi, tag, buffer + at + 8, buffer + at + 12, value_size))
            result = CODE_ERROR;
        at += 12 + (value_size + 3) / 4 * 4;
        if (at > size)
            break;
    }
    report(pi, TESS_ERROR, "pi-mailbox-buffer",
           "end the tags with a zero word inside the buffer's size", 0,
           "the property buffer's tags do not end inside it");
    return CODE_ERROR;
}

static void property_request(struct tess_pi *pi, uint32_t address)
{
    uint8_t *head = tess_vc4_memory(pi->vc4, address, 8);
    uint32_t size = head ? load_le32(head) : 0;
    uint8_t *buffer = size >= 12 && size <= MAX_BUFFER ? tess_vc4_memory(pi->vc4, address, size)
                                                       : NULL;
    if (!buffer) {
        report(pi, TESS_ERROR, "pi-mailbox-buffer",
               "write the 16-byte-aligned bus address of a buffer whose first word is its size",
               address, "the property buffer is not mapped, or its size is impossible");
        if (head)
            store_le32(head + 4, CODE_ERROR);
        return;
    }
    if (load_le32(buffer + 4) != 0)
        report(pi, TESS_WARNING, "pi-mailbox-buffer",
               "set the second word to 0 before each request", address,
               "the property buffer is not marked as a request");
    store_le32(buffer + 4, run_tags(pi, buffer, size));
}

/* --- registers --- */

static uint32_t mail_read(struct tess_pi *pi)
{
    if (pi->count == 0) {
        report(pi, TESS_WARNING, "pi-mailbox-empty", "poll the status register's bit 30 first",
               TESS_PI_MAIL_READ, "read of an empty mailbox");
        return 0;
    }
    uint32_t value = pi->queue[pi->first];
    pi->first = (pi->first + 1) % QUEUE;
    pi->count--;
    return value;
}

static void mail_write(struct tess_pi *pi, uint32_t value)
{
    if ((value & CHANNEL_MASK) != CHANNEL_PROPERTY) {
        report(pi, TESS_ERROR, "not-modelled", "use the property interface, channel 8",
               TESS_PI_MAIL_WRITE,
               "only mailbox channel 8 (property tags, ARM to VideoCore) is modelled");
        return;
    }
    property_request(pi, value & ~(uint32_t)CHANNEL_MASK);
    if (pi->count == QUEUE) {
        report(pi, TESS_WARNING, "pi-mailbox-full", "read the replies", TESS_PI_MAIL_WRITE,
               "nobody reads the mailbox's replies; the oldest is lost");
        pi->first = (pi->first + 1) % QUEUE;
        pi->count--;
    }
    pi->queue[(pi->first + pi->count++) % QUEUE] = value;
}

static void unknown_peripheral(struct tess_pi *pi, uint32_t offset)
{
    report(pi, TESS_ERROR, "not-modelled", "only mailbox 0 and V3D are modelled", offset,
           "access to a peripheral that is not modelled");
}

static bool is_v3d(uint32_t offset)
{
    return offset - TESS_PI_V3D < V3D_SIZE;
}

/* V3D answers only when it has power. */
static bool v3d_on(struct tess_pi *pi, uint32_t offset)
{
    if (!pi->v3d_enabled)
        report(pi, TESS_ERROR, "pi-v3d-off", "send mailbox tag 0x30012 (enable QPU) first", offset,
               "V3D is switched off; its registers do not answer");
    return pi->v3d_enabled;
}

uint32_t tess_pi_read(struct tess_pi *pi, uint32_t offset)
{
    if (is_v3d(offset))
        return v3d_on(pi, offset) ? tess_vc4_read(pi->vc4, offset - TESS_PI_V3D) : V3D_OFF;
    switch (offset) {
    case TESS_PI_MAIL_READ: return mail_read(pi);
    case TESS_PI_MAIL_STATUS:
        return (pi->count == 0 ? (uint32_t)STATUS_EMPTY : 0) |
               (pi->count == QUEUE ? (uint32_t)STATUS_FULL : 0);
    default: unknown_peripheral(pi, offset); return 0;
    }
}

void tess_pi_write(struct tess_pi *pi, uint32_t offset, uint32_t value)
{
    if (is_v3d(offset)) {
        if (v3d_on(pi, offset))
            tess_vc4_write(pi->vc4, offset - TESS_PI_V3D, value);
    } else if (offset == TESS_PI_MAIL_WRITE) {
        mail_write(pi, value);
    } else {
        unknown_peripheral(pi, offset);
    }
}

/* --- life --- */

enum tess_status tess_pi_create(struct tess_pi **out, struct tess_vc4 *vc4,
                                const struct tess_pi_options *options)
{
    if (!out || !vc4)
        return TESS_INVALID;
    *out = NULL;
    struct tess_pi *pi = calloc(1, sizeof *pi);
    if (!pi)
        return TESS_NO_MEMORY;
    pi->vc4 = vc4;
    if (options)
        pi->options = *options;
    struct tess_pi_options *set = &pi->options;
    set->arm_size = set->arm_size ? set->arm_size : UINT32_C(448) << 20;
    set->vc_size = set->vc_size ? set->vc_size : UINT32_C(64) << 20;
    set->revision = set->revision ? set->revision : 0x9000c1;
    set->alias = (set->alias ? set->alias : 0xc0000000) & 0xc0000000;
    if (set->arm_size > UINT32_C(1) << 30 || set->vc_size > (UINT32_C(1) << 30) - set->arm_size) {
        free(pi);
        return TESS_INVALID;
    }
    /* What the firmware's own console leaves behind on a board without a display. */
    pi->framebuffer = (struct tess_pi_framebuffer){.width = 640,
                                                   .height = 480,
                                                   .virtual_width = 640,
                                                   .virtual_height = 480,
                                                   .depth = 32,
                                                   .pixel_order = 1};
    memcpy(pi->clock_rate, clock_rates, sizeof pi->clock_rate);
    *out = pi;
    return TESS_OK;
}

void tess_pi_destroy(struct tess_pi *pi)
{
    if (!pi)
        return;
    for (unsigned i = 0; i < MAX_BLOCKS; i++)
        if (pi->blocks[i].size)
            release(pi, &pi->blocks[i]);
    free(pi);
}

void tess_pi_get_framebuffer(const struct tess_pi *pi, struct tess_pi_framebuffer *framebuffer)
{
    *framebuffer = pi->framebuffer;
}

bool tess_pi_v3d_enabled(const struct tess_pi *pi)
{
    return pi->v3d_enabled;
}
