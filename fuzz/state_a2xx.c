/* SPDX-License-Identifier: MIT */
/* state_a2xx.c - fuzz target: saved states of the A2xx with wrong bytes. A handle refuses them and
 * stays unchanged, or restores them. Restored bytes must be saved again as the same bytes. The
 * handle must survive everything that follows.
 *
 * Input: see state_damage.h. The first byte is the number of a random program; an offset has two
 * bytes. */
#include <stdlib.h>
#include <string.h>

#include "../tests/a2xx/shader/programs.h"
#include "state_damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COUNT = 5, MEMORY = 0x10000, BYTES = 0x1000 };

/* What the function that receives steps needs. */
struct watcher {
    struct tess_a2xx *a2xx;
    unsigned left; /* number of steps before it stops the batch, or 0 */
};

static bool watch(void *user, const struct tess_a2xx_step *step)
{
    struct watcher *watcher = user;
    check(step->slot < SLOTS);
    return watcher->left == 0 || --watcher->left > 0;
}

static struct state_image save(const struct tess_a2xx *a2xx)
{
    struct state_image image = image_of_size(tess_a2xx_state_size(a2xx));
    check(tess_a2xx_save_state(a2xx, image.bytes, image.size) == TESS_OK);
    return image;
}

static void restore(struct tess_a2xx *a2xx, const uint8_t *data, size_t size)
{
    struct state_image before = save(a2xx), damaged = save(a2xx);
    image_damage(&damaged, data, size, 2);
    enum tess_status status = tess_a2xx_restore_state(a2xx, damaged.bytes, damaged.size);
    image_check_restored(status, before, damaged, save(a2xx));
}

static struct tess_a2xx *make(struct world *world, const struct tess_a2xx_program *program,
                              void *memory, unsigned *findings)
{
    struct tess_a2xx *a2xx;
    world->options.machine.sink = (struct tess_sink){count_finding, findings};
    check(tess_a2xx_create(&a2xx, &world->options) == TESS_OK);
    check(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program) == TESS_OK);
    check(tess_a2xx_map(a2xx, MEMORY, memory, BYTES, true) == TESS_OK);
    tess_a2xx_set_constants(a2xx, TESS_A2XX_PIXEL, 0, world->constants[0], 200);
    for (unsigned i = 0; i < 30; i++)
        tess_a2xx_set_loop(a2xx, i, world->loops[i][0], world->loops[i][1],
                           (int8_t)world->loops[i][2]);
    return a2xx;
}

/* Returns a batch whose arrays are allocations of exactly its size, so that sanitizers detect
 * writes outside of them. */
static struct tess_a2xx_batch make_batch(struct world *world)
{
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = COUNT, .more = true};
    batch.killed = calloc(COUNT, 1);
    check(batch.killed != NULL);
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++) {
        batch.registers[i] = (const float(*)[4])world->registers[i];
        batch.exports[i] = calloc(COUNT, sizeof *batch.exports[i]);
        check(batch.exports[i] != NULL);
    }
    return batch;
}

static void free_batch(struct tess_a2xx_batch *batch)
{
    free(batch->killed);
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++)
        free(batch->exports[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    static uint8_t memory[BYTES];
    struct tess_a2xx_program *program;
    unsigned findings = 0;
    if (size < STATE_INPUT)
        return 0;
    world.seed = 1 + data[0];
    world.options = (struct tess_a2xx_options){.machine.max_instructions = LIMIT,
                                               .machine.threads = 1};
    random_program(&world);
    random_data(&world, COUNT);
    check(tess_a2xx_program_words(world.words, SLOTS, TESS_A2XX_ADRENO, &program) == TESS_OK);
    struct tess_a2xx *a2xx = make(&world, program, memory, &findings);
    struct tess_a2xx_batch batch = make_batch(&world);
    struct watcher watcher = {a2xx, data[1]};
    tess_a2xx_run(a2xx, &batch);
    tess_a2xx_trace(a2xx, &batch, TESS_A2XX_EVERY_LANE, watch, &watcher);
    restore(a2xx, data, size);
    watcher.left = 0;
    tess_a2xx_resume(a2xx, &batch, TESS_A2XX_EVERY_LANE, watch, &watcher);
    batch.more = false;
    tess_a2xx_run(a2xx, &batch);
    tess_a2xx_trace(a2xx, &batch, 2, watch, &watcher);
    free_batch(&batch);
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
    return 0;
}
