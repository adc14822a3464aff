/* SPDX-License-Identifier: MIT */
/* scene.c - fuzz target: loads any bytes as a scene file, and runs, records and decodes the scene
 * with small limits. */
#include <tessera/scene.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drop(void *user, const char *text, size_t size)
{
    (void)user;
    (void)text;
    (void)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct tess_scene_options options = {.max_instructions = 2000,
                                               .max_records = 2000,
                                               .capture = size & 2 ? "/dev/null" : NULL,
                                               .quiet_files = true};
    struct tess_scene *scene;
    if (tess_scene_load_memory(&scene, data, size, "fuzz", (struct tess_sink){0}) != TESS_OK)
        return 0;
    tess_scene_decode(scene, &options, size & 1 ? TESS_DECODE_JSON : TESS_DECODE_TEXT,
                      (struct tess_text_out){drop, NULL}, (struct tess_sink){0});
    tess_scene_free(scene);
    return 0;
}
