/* SPDX-License-Identifier: MIT */
/* state_gp.c - fuzz target: saved states of the GP with wrong bytes. A handle refuses them and stays
 * unchanged, or restores them. Restored bytes must be saved again as the same bytes. The handle must
 * survive everything that follows.
 *
 * Input: number of a random program, number of steps before the state is saved, kind. Kind 0: the
 * following groups of three bytes are an offset in the state's body and a new byte. Kind 1: the
 * following bytes are the body. The checksum is corrected in both kinds. */
#include <stdlib.h>
#include <string.h>

#include "../tests/mali/gp/programs.h"
#include "base/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FIRST = 3, SIZE_OFFSET = 24 };

struct image {
    uint8_t *bytes;
    size_t size;
};

/* What the function that receives steps needs. */
struct watcher {
    struct tess_gp *gp;
    unsigned left; /* number of steps before it stops the vertex, or 0 */
};

static void check(bool good)
{
    if (!good)
        abort();
}

static void count(void *user, const struct tess_diag *diag)
{
    unsigned *findings = user;
    check(diag->text && *diag->text && diag->rule);
    ++*findings;
}

static void watch(void *user, const struct tess_gp_step *step)
{
    struct watcher *watcher = user;
    check(step->row_number < TESS_GP_ROWS);
    if (watcher->left && --watcher->left == 0)
        tess_gp_stop(watcher->gp);
}

static struct image save(const struct tess_gp *gp)
{
    struct image image = {.size = tess_gp_state_size(gp)};
    image.bytes = malloc(image.size);
    check(image.bytes && tess_gp_save_state(gp, image.bytes, image.size) == TESS_OK);
    return image;
}

static bool is_same(const struct image *a, const struct image *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Replaces the body. */
static void replace(struct image *image, const uint8_t *data, size_t size)
{
    image->bytes = realloc(image->bytes, STATE_HEADER + size);
    check(image->bytes != NULL);
    image->size = STATE_HEADER + size;
    if (size)
        memcpy(image->bytes + STATE_HEADER, data, size);
    store_le64(image->bytes + SIZE_OFFSET, image->size);
}

static void patch(struct image *image, const uint8_t *data, size_t size)
{
    for (; size >= 3; data += 3, size -= 3)
        image->bytes[STATE_HEADER + load_le16(data) % (image->size - STATE_HEADER)] = data[2];
}

static void damage(struct image *image, const uint8_t *data, size_t size)
{
    if (data[2] & 1)
        replace(image, data + FIRST, size - FIRST);
    else
        patch(image, data + FIRST, size - FIRST);
    state_fix_checksum(image->bytes, image->size);
}

static void restore(struct tess_gp *gp, const uint8_t *data, size_t size)
{
    struct image before = save(gp), wrong = save(gp), after;
    damage(&wrong, data, size);
    enum tess_status status = tess_gp_restore_state(gp, wrong.bytes, wrong.size);
    check(status == TESS_OK || status == TESS_BAD_INPUT);
    after = save(gp);
    check(is_same(&after, status ? &before : &wrong));
    free(before.bytes);
    free(wrong.bytes);
    free(after.bytes);
}

static struct tess_gp *make_gp(const struct world *world, const struct tess_gp_program *program,
                               unsigned *findings)
{
    struct tess_gp *gp;
    check(tess_gp_create(&world->options, (struct tess_sink){count, findings}, &gp) == TESS_OK);
    check(tess_gp_load(gp, program) == TESS_OK);
    check(tess_gp_set_rows(gp, 0, world->rows[0], 100) == TESS_OK);
    return gp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct world world;
    struct tess_gp_program *program;
    unsigned findings = 0;
    if (size < FIRST)
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
    tess_gp_free(gp);
    tess_gp_program_free(program);
    return 0;
}
