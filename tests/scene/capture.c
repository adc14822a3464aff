/* SPDX-License-Identifier: MIT */
/* capture.c - tests captures, which record the accesses of a host to a device as a scene. After
 * a replay, memory must have the same contents. The recorded steps must be the accesses that the
 * tests in this file make. */
#include <unistd.h>

#include "../register.h"
#include "../vc4/rig.h"

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/output.h"

static char folder[] = "/tmp/tessera-capture-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[2][64];
    static unsigned next;
    char *path = paths[next++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* The latest diagnostic. */
static struct {
    char rule[32];
    unsigned count;
} last;

static void remember(void *user, const struct tess_finding *diag)
{
    (void)user;
    snprintf(last.rule, sizeof last.rule, "%s", diag->id);
    last.count++;
}

static const struct tess_sink sink = {remember, NULL};

/* --- a host --- */

/* Builds a job that draws a strip over the whole frame. Returns the end of its binning list. */
static uint32_t build(struct rig *rig, uint32_t colour, uint32_t lists_size)
{
    rig_flat_shader(rig, colour);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 0, 0);
    rig_vertex(rig, 128, 0);
    rig_vertex(rig, 0, 128);
    rig_vertex(rig, 128, 128);
    rig_begin_bin(rig, lists_size, 4);
    for (int i = 0; i < 64; i++)
        rig_array(rig, 5, 4, 0);
    rig_u8(rig, 4);
    return rig->at;
}

static struct tess_capture *start(struct rig *rig)
{
    struct tess_capture *capture;
    assert_int_equal(tess_capture_start(&capture, rig->vc4), TESS_OK);
    return capture;
}

static void save(struct tess_capture *capture, const char *name)
{
    assert_int_equal(tess_capture_save(capture, path_of(name), sink), TESS_OK);
    tess_capture_end(capture);
}

/* --- replaying --- */

static void compare_memory(void *user, const struct tess_vc4 *vc4)
{
    struct rig *rig = user;
    /* The scene owns the device, so the pointer is const. Reading the memory does not change the
     * device. */
    const uint8_t *memory = tess_vc4_memory((struct tess_vc4 *)(uintptr_t)vc4, 0, RIG_MEMORY);
    assert_non_null(memory);
    assert_memory_equal(memory, rig->memory, RIG_MEMORY);
}

static enum tess_status replay(struct rig *rig, const char *name, const char *again)
{
    const struct tess_scene_options options = {.capture = again ? path_of(again) : NULL,
                                               .finished = rig ? compare_memory : NULL,
                                               .quiet_files = true,
                                               .user = rig};
    struct tess_scene *scene;
    last.count = 0;
    assert_int_equal(tess_scene_load(&scene, path_of(name), sink), TESS_OK);
    enum tess_status status = tess_scene_run(scene, &options, sink, NULL);
    tess_scene_free(scene);
    return status;
}

static void assert_same_files(const char *one, const char *other)
{
    struct buffer a = {0}, b = {0};
    assert_int_equal(file_read(path_of(one), &a), TESS_OK);
    assert_int_equal(file_read(path_of(other), &b), TESS_OK);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    buffer_free(&a);
    buffer_free(&b);
}

static bool holds(const char *name, const char *text)
{
    struct buffer file = {0};
    bool found = false;
    assert_int_equal(file_read(path_of(name), &file), TESS_OK);
    size_t size = strlen(text);
    const uint8_t *at = file.data, *end = file.data + file.size;
    while (!found && (at = memchr(at, text[0], (size_t)(end - at))) != NULL) {
        found = (size_t)(end - at) >= size && memcmp(at, text, size) == 0;
        at++;
    }
    buffer_free(&file);
    return found;
}

/* Checks the replay of a capture: memory is the same, the replay reports expect-met, and a
 * capture of the replay is the same file. */
static void assert_replays(struct rig *rig, const char *name)
{
    assert_int_equal(replay(rig, name, "again.elf"), TESS_OK);
    assert_string_equal(last.rule, "expect-met");
    assert_int_equal(last.count, 1);
    assert_same_files(name, "again.elf");
}

/* --- tests --- */

TEST(one_frame)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    assert_int_equal(rig_frame(rig, build(rig, RIG_WHITE, RIG_LISTS_SIZE), 32), TESS_VC4_IDLE);
    assert_int_equal(rig_count_pixels(rig, RIG_WHITE), RIG_WIDTH * RIG_HEIGHT);
    assert_int_equal(tess_capture_symbol(capture, "framebuffer", RIG_FRAME, 0x10000), TESS_OK);
    save(capture, "one.elf");
    assert_replays(rig, "one.elf");
    assert_true(holds("one.elf", "bin 0x00001000 0x"));
    assert_true(holds("one.elf", "render 0x00002000 0x"));
    assert_true(holds("one.elf", "write V3D_CT0CS 0x00008000\n"));
    assert_true(holds("one.elf", "framebuffer"));
    rig_free(rig);
}

/* Runs a frame like rig_frame(), but does not reset the threads. */
static void go_on(struct rig *rig, uint32_t bin_end)
{
    const uint32_t render_end = rig_render_list(rig, 32);
    tess_vc4_write(rig->vc4, V3D_CT0CA, RIG_BIN);
    tess_vc4_write(rig->vc4, V3D_CT0EA, bin_end);
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_RENDER);
    tess_vc4_write(rig->vc4, V3D_CT1EA, render_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
}

/* One device is captured several times. Each capture starts after the previous job. */
TEST(one_after_the_other)
{
    struct rig *rig = rig_new();
    for (unsigned i = 0; i < 3; i++) {
        struct tess_capture *capture = start(rig);
        go_on(rig, build(rig, UINT32_C(0xff445566) + i, RIG_LISTS_SIZE));
        save(capture, "one.elf");
        assert_replays(rig, "one.elf");
    }
    rig_free(rig);
}

/* The device has more pieces of memory than a scene can have. The capture omits pieces that no
 * block accesses. */
TEST(very_many_pieces)
{
    enum { PIECES = 5000, PAGE = 4096, FIRST = 0x10000000 };
    struct rig *rig = rig_new();
    for (uint32_t i = 0; i < PIECES; i++)
        assert_int_equal(tess_vc4_map(rig->vc4, FIRST + 2 * PAGE * i, PAGE, NULL), TESS_OK);
    struct tess_capture *capture = start(rig);
    rig_frame(rig, build(rig, RIG_WHITE, RIG_LISTS_SIZE), 32);
    save(capture, "one.elf");
    assert_replays(rig, "one.elf");
    rig_free(rig);
}

/* The rig's list stores 128 x 128 pixels of 32 bits in raster order. Its viewport has a positive
 * height. */
TEST(the_picture_of_a_job)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    const uint32_t bin_end = build(rig, RIG_WHITE, RIG_LISTS_SIZE);
    assert_int_equal(rig_frame(rig, bin_end, 32), TESS_VC4_IDLE);
    const struct tess_job_lists lists = {RIG_BIN, bin_end, RIG_RENDER, rig->at},
                                none = {RIG_BIN, bin_end, RIG_RENDER, RIG_RENDER};
    assert_int_equal(tess_capture_picture(capture, &lists, "a \"b\""), TESS_INVALID);
    assert_int_equal(tess_capture_picture(capture, &none, "job.png"), TESS_INVALID);
    assert_int_equal(tess_capture_picture(NULL, &lists, "job.png"), TESS_INVALID);
    assert_int_equal(tess_capture_picture(capture, &lists, "job.png"), TESS_OK);
    save(capture, "one.elf");
    assert_true(holds("one.elf", "image 0x00100000 128 128 "));
    assert_true(holds("one.elf", "8888 raster \"job.png\"\n"));
    rig_free(rig);
}

TEST(a_capture_in_memory)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    struct buffer file = {0};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(rig_frame(rig, build(rig, RIG_WHITE, RIG_LISTS_SIZE), 32), TESS_VC4_IDLE);
    assert_int_equal(tess_capture_save_memory(NULL, &bytes, &size, sink), TESS_INVALID);
    assert_int_equal(tess_capture_save_memory(capture, NULL, &size, sink), TESS_INVALID);
    assert_int_equal(tess_capture_save_memory(capture, &bytes, &size, sink), TESS_OK);
    save(capture, "one.elf");
    assert_int_equal(file_read(path_of("one.elf"), &file), TESS_OK);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.data, bytes, size);
    buffer_free(&file);
    tess_free(bytes);
    rig_free(rig);
}

/* The host changes the shader's colour between jobs. The capture omits changes of pages that no
 * block reads. */
TEST(what_the_host_changes_between_jobs)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    for (uint32_t i = 0; i < 3; i++) {
        rig_frame(rig, build(rig, UINT32_C(0xff112233) + i, RIG_LISTS_SIZE), 32);
        assert_int_equal(
            tess_capture_step(capture, RIG_FRAME, RIG_WIDTH * RIG_HEIGHT * 4,
                              "image 0x00100000 128 128 rgba8888 raster \"frame.png\""),
            TESS_OK);
    }
    save(capture, "three.elf");
    assert_replays(rig, "three.elf");
    assert_true(holds("three.elf", "data 0x00004810 0 1\n")); /* the lowest byte of the colour,
                                                                 at RIG_SHADER + 16 */
    assert_true(holds("three.elf", "data 0x00004810 1 1\n"));
    assert_false(holds("three.elf", "data 0x00004810 2 "));
    rig_free(rig);
}

/* The interrupt handler supplies memory to the binner during the run. */
TEST(what_the_interrupt_handler_does)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_OUTOMEM);
    rig->give_memory = 0x4000;
    struct tess_capture *capture = start(rig);
    assert_int_equal(rig_frame(rig, build(rig, RIG_WHITE, 256), 32), TESS_VC4_IDLE);
    assert_int_equal(rig->give_memory, 0);
    save(capture, "memory.elf");
    assert_replays(rig, "memory.elf");
    assert_true(holds("memory.elf", "write V3D_INTENA 0x00000004\n"));
    assert_true(holds("memory.elf", "interrupt 1 V3D_BPOA 0x00080000\n"));
    assert_true(holds("memory.elf", "interrupt 1 V3D_BPOS 0x00004000\n"));
    rig_free(rig);
}

/* Without an interrupt handler the run becomes stuck. The host then supplies memory and runs the
 * device again. */
TEST(a_host_that_helps)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    assert_int_equal(rig_frame(rig, build(rig, RIG_WHITE, 256), 32), TESS_VC4_STUCK);
    tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_BPOS, 0x4000);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    save(capture, "helped.elf");
    assert_replays(rig, "helped.elf");
    rig_free(rig);
}

/* A run becomes stuck and stays stuck. The replay must report the same errors. */
TEST(a_run_that_stays_stuck)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    assert_int_equal(rig_frame(rig, build(rig, RIG_WHITE, 256), 32), TESS_VC4_STUCK);
    save(capture, "stuck.elf");
    assert_int_equal(replay(rig, "stuck.elf", "again.elf"), TESS_WRONG);
    assert_same_files("stuck.elf", "again.elf");
    rig_free(rig);
}

TEST(other_bytes_are_found)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    rig_frame(rig, build(rig, RIG_WHITE, RIG_LISTS_SIZE), 32);
    save(capture, "good.elf");

    /* Changes a byte of the shader in the capture's file. A change of the clear colour would not
     * be visible, because the strip covers the frame. */
    struct buffer file = {0};
    assert_int_equal(file_read(path_of("good.elf"), &file), TESS_OK);
    static const uint8_t shader[] = {0xff, 0xff, 0xff, 0xff, 0xa7, 0x0b, 0x02, 0xe0};
    bool found = false;
    for (size_t i = 0; i + sizeof shader <= file.size && !found; i++) {
        found = memcmp(file.data + i, shader, sizeof shader) == 0;
        if (found)
            file.data[i] = 0xfe;
    }
    assert_true(found);
    assert_int_equal(tess_output_write(path_of("bad.elf"), file.data, file.size), TESS_OK);
    assert_int_equal(replay(NULL, "bad.elf", NULL), TESS_WRONG);
    assert_string_equal(last.rule, "expect-differs");
    buffer_free(&file);
    rig_free(rig);
}

/* Pieces of memory share pages, are mapped during the capture, or are unmapped before its end. */
TEST(memory_in_pieces)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig);
    uint8_t early[100] = {1}, late[3000];
    memset(late, 7, sizeof late);
    assert_int_equal(tess_vc4_map(rig->vc4, 0x800010, sizeof early, early), TESS_OK);
    assert_int_equal(tess_capture_step(capture, 0x800010, 100, "dump 0x00800010 100 u8 \"a.csv\""),
                     TESS_OK);
    assert_int_equal(tess_vc4_map(rig->vc4, 0x800100, sizeof late, late), TESS_OK);
    assert_int_equal(
        tess_capture_step(capture, 0x800100, 3000, "dump 0x00800100 3000 u8 \"b.csv\""), TESS_OK);
    assert_int_equal(tess_capture_step(capture, 0x800100, 3001, "dump"), TESS_INVALID);
    assert_int_equal(tess_vc4_unmap(rig->vc4, 0x800010), TESS_OK);
    rig_frame(rig, build(rig, RIG_WHITE, RIG_LISTS_SIZE), 32);
    save(capture, "pieces.elf");
    assert_replays(rig, "pieces.elf");
    rig_free(rig);
}

/* --- user programs --- */

static void put_program(struct rig *rig, const char *text)
{
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(text, strlen(text), "test", &options, sink, &bytes, &size),
                     TESS_OK);
    memcpy(rig->memory + RIG_SHADER, bytes, size);
    tess_free(bytes);
}

static void request(struct rig *rig, uint32_t uniforms, uint32_t count)
{
    tess_vc4_write(rig->vc4, V3D_SRQUA, uniforms);
    tess_vc4_write(rig->vc4, V3D_SRQUL, count);
    tess_vc4_write(rig->vc4, V3D_SRQPC, RIG_SHADER);
}

#define PROGRAM_END "nop; nop; thrend\nnop\nnop\n"

/* Each program stores its uniform in a row of the VPM, transfers the row to memory, and
 * interrupts the host. The host's handler acknowledges the interrupt. The host changes the
 * uniforms between the runs. Setup words follow manual tables 32, 34 and 36. */
TEST(programs_with_dma_and_interrupts)
{
    struct rig *rig = rig_new();
    rig->acknowledge = true;
    tess_vc4_write(rig->vc4, V3D_DBCFG, 1);
    tess_vc4_write(rig->vc4, V3D_DBQITE, 0xffff);
    put_program(rig, "mov vw_setup, unif\nmov vpm, unif\nmov vw_setup, unif\nmov vw_addr, unif\n"
                     "mov -, vw_wait\nmov irq, 1\n" PROGRAM_END);
    struct tess_capture *capture = start(rig);
    for (uint32_t run = 0; run < 3; run++) {
        for (uint32_t i = 0; i < 4; i++) {
            rig->at = RIG_UNIFORMS + 16 * i;
            rig_u32(rig, 0x1a00 | i);
            rig_u32(rig, 0x11111111 * (4 * run + i + 1));
            rig_u32(rig, 2u << 30 | 1 << 23 | 16 << 16 | 1 << 14 | i << 7);
            rig_u32(rig, RIG_FRAME + 0x100 * run + 0x40 * i);
            request(rig, RIG_UNIFORMS + 16 * i, 4);
        }
        assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    }
    assert_int_equal(load_le32(rig->memory + RIG_FRAME + 0x2fc), 0xcccccccc);
    assert_true(rig->interrupts >= 3);
    assert_int_equal(rig->errors, 0);
    save(capture, "programs.elf");
    assert_replays(rig, "programs.elf");
    assert_true(holds("programs.elf", "qpu 0x00004800 0x00004100 4\n"));
    assert_true(holds("programs.elf", "interrupt 1 V3D_DBQITC 0x0000"));
    rig_free(rig);
}

/* In each run, a program looks up an address far outside of memory, which is an error. The
 * replayed memory must still match. */
TEST(a_run_with_findings)
{
    struct rig *rig = rig_new();
    put_program(rig, "mov vw_setup, unif\nmov t0s, unif\nnop; nop; ldtmu0\nmov vpm, r4\n"
                     "mov vw_setup, unif\nmov vw_addr, unif\nmov -, vw_wait\n" PROGRAM_END);
    memset(rig->memory + RIG_FRAME, 0x5a, 64);
    rig->at = RIG_UNIFORMS;
    rig_u32(rig, 0x1a00);
    rig_u32(rig, 0x30000000);
    rig_u32(rig, 2u << 30 | 1 << 23 | 16 << 16 | 1 << 14);
    rig_u32(rig, RIG_FRAME);
    struct tess_capture *capture = start(rig);
    request(rig, RIG_UNIFORMS, 4);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_string_equal(rig->rules[0], "bus-unmapped");
    assert_int_equal(load_le32(rig->memory + RIG_FRAME), 0);
    save(capture, "findings.elf");
    assert_int_equal(replay(rig, "findings.elf", "again.elf"), TESS_WRONG);
    assert_string_equal(last.rule, "expect-met");
    assert_same_files("findings.elf", "again.elf");
    rig_free(rig);
}

/* The capture must include registers that were written before it began: QPUs 0 to 3 are reserved
 * and run no user programs. */
TEST(what_registers_held_before)
{
    struct rig *rig = rig_new();
    tess_vc4_write(rig->vc4, 0x410, 0x00001111); /* the register V3D_SQRSV0 */
    tess_vc4_write(rig->vc4, V3D_VPMBASE, 8);
    put_program(rig, "mov vw_setup, unif\nmov vpm, qpu_num\nmov vw_setup, unif\nmov vw_addr, unif\n"
                     "mov -, vw_wait\n" PROGRAM_END);
    rig->at = RIG_UNIFORMS;
    rig_u32(rig, 0x1a00);
    rig_u32(rig, 2u << 30 | 1 << 23 | 16 << 16 | 1 << 14);
    rig_u32(rig, RIG_FRAME);
    struct tess_capture *capture = start(rig);
    request(rig, RIG_UNIFORMS, 3);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(load_le32(rig->memory + RIG_FRAME), 4);
    save(capture, "registers.elf");
    assert_replays(rig, "registers.elf");
    assert_true(holds("registers.elf", "write V3D_SQRSV0 0x00001111\n"));
    assert_true(holds("registers.elf", "write V3D_VPMBASE 0x00000008\n"));
    rig_free(rig);
}

TEST(misuse)
{
    struct rig *rig = rig_new();
    struct tess_capture *capture = start(rig), *second;
    assert_int_equal(tess_capture_start(&second, rig->vc4), TESS_INVALID);
    assert_null(second);
    assert_int_equal(tess_capture_start(NULL, rig->vc4), TESS_INVALID);
    assert_int_equal(tess_capture_start(&second, NULL), TESS_INVALID);
    assert_int_equal(tess_capture_symbol(capture, "", 0, 0), TESS_INVALID);
    assert_int_equal(tess_capture_step(capture, 0x3fffffff, 1, "dump"), TESS_INVALID);
    assert_int_equal(tess_capture_step(capture, 0, 4, "one\ntwo"), TESS_INVALID);
    assert_int_equal(tess_capture_save(capture, "/nowhere/at/all", sink), TESS_IO);
    assert_string_equal(last.rule, "io");
    tess_capture_end(capture);
    tess_capture_end(NULL);
    capture = start(rig); /* a second capture can start after the first has ended */
    tess_capture_end(capture);
    rig_free(rig);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {
        "one.elf", "three.elf",  "memory.elf", "helped.elf",   "stuck.elf",    "good.elf",
        "bad.elf", "pieces.elf", "again.elf",  "programs.elf", "findings.elf", "registers.elf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

TEST_GROUP(make_folder, remove_folder)
