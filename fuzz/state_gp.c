/* SPDX-License-Identifier: MIT */
/* state_gp.c - fuzz target: saved states of the GP with wrong bytes. A handle refuses them and
 * stays unchanged, or restores them. Restored bytes must be saved again as the same bytes. The
 * handle must survive everything that follows.
 *
 * Input: see state_damage.h. The first byte is the number of a random program; an offset has two
 * bytes. */
#include "../tests/mali/gp/programs.h"
#include "state_damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the function that receives steps needs. */
struct watcher {
    struct tess_gp *gp;
    unsigned left; /* number of steps before it stops the vertex, or 0 */
};

static bool watch(void *user, const struct tess_gp_step *step)
{
    struct watcher *watcher = user;
    check(step->row_number < TESS_GP_ROWS);
    return watcher->left == 0 || --watcher->left > 0;
}

static struct state_image save(const struct tess_gp *gp)
{
    struct state_image image = image_of_size(tess_gp_state_size(gp));
    check(tess_gp_save_state(gp, image.bytes, image.size) == TESS_OK);
    return image;
}

static void restore(struct tess_gp *gp, const uint8_t *data, size_t size)
{
    struct state_image before = save(gp), damaged = save(gp);
    image_damage(&damaged, data, size, 2);
    enum tess_status status = tess_gp_restore_state(gp, damaged.bytes, damaged.size);
    image_check_restored(status, before, damaged, save(gp));
}

static struct tess_gp *make_gp(struct world *world, const struct tess_gp_program *program,
                               unsigned *findings)
{
    struct tess_gp *gp;
    world->options.machine.sink = (struct tess_sink){count_finding, findings};
    check(tess_gp_create(&gp, &world->options) == TESS_OK);
    check(tess_gp_load(gp, program) == TESS_OK);
    check(tess_gp_set_rows(gp, 0, world->rows[0], 100) == TESS_OK);
    return gp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    struct tess_gp_program *program;
    unsigned findings = 0;
    if (size < STATE_INPUT)
        return 0;
    world.seed = 1 + data[0];
    make_program(&world, data[0] % 8 == 0);
    make_data(&world);
    check(tess_gp_program_words(world.words, world.instructions, &program) == TESS_OK);
    struct tess_gp *gp = make_gp(&world, program, &findings);
    struct tess_gp_batch batch = {world.attribute, world.varying, 0, 40, 0, true};
    struct watcher watcher = {gp, data[1]};
    tess_gp_run(gp, &batch);
    tess_gp_trace(gp, &batch, 5, watch, &watcher);
    restore(gp, data, size);
    watcher.left = 0;
    tess_gp_resume(gp, &batch, watch, &watcher);
    batch.more = false;
    tess_gp_run(gp, &batch);
    tess_gp_trace(gp, &batch, 5, watch, &watcher);
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
    return 0;
}
