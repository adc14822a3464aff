/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/jobs/capture.c and job_file.c: the jobs that are written to files, the
 * names of the files, and the result of running a file, which must repeat the job. */
#include "../../../register.h"
#include "../job_rig.h"

#include <sys/stat.h>

#include <tessera/scene.h>

#include "shim/drm/vc4/capture.h"
#include "shim/drm/vc4/job.h"

enum { RED = 0xff0000ff /* bytes ff 00 00 ff in memory: red in RGBA8888 */ };

static char folder[] = "/tmp/tessera-capture-XXXXXX";

TEST(names)
{
    static const struct {
        const char *pattern, *name;
        bool single;
    } cases[] = {
        {"out.elf", "out.elf", false},
        {"job-%d.elf", "job-12.elf", true},
        {"%d/%d%%", "12/12%", true},
        {"100%%d.elf", "100%d.elf", false},
        {"%", "%", false},
        {"a%xb%", "a%xb%", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *name = job_file_name(cases[i].pattern, 12);
        assert_string_equal(name, cases[i].name);
        assert_int_equal(job_file_is_single(cases[i].pattern), cases[i].single);
        free(name);
    }
}

static char *job_path(unsigned job, char *path, size_t size)
{
    snprintf(path, size, "%s/%u.elf", folder, job);
    return path;
}

static bool is_there(unsigned job)
{
    char path[64];
    struct stat status;
    return stat(job_path(job, path, sizeof path), &status) == 0;
}

/* Checks the messages of a run. All "expect" steps of the capture must pass. */
static void look(void *user, const struct tess_finding *diag)
{
    bool *met = user;
    *met |= strcmp(diag->id, "expect-met") == 0;
    assert_int_equal(diag->level, TESS_NOTE);
}

TEST_WITH(the_chosen_jobs_have_scenes, begin, end)
{
    char path[64];
    uint32_t handle = create_bo(PICTURE_BYTES), at;
    const struct bo *bo = file_bo(node, handle);
    struct drm_vc4_label_bo label = {.handle = handle, .name = (uintptr_t) "the picture 64x64@32"};
    label.len = (uint32_t)strlen("the picture 64x64@32") + 1;
    assert_int_equal(request(DRM_IOCTL_VC4_LABEL_BO, &label), 0);
    for (unsigned i = 1; i <= 4; i++)
        assert_int_equal(clear(handle, i == 2 ? RED : i, 0), 0);
    assert_false(is_there(1));
    assert_true(is_there(2));
    assert_true(is_there(3));
    assert_false(is_there(4));

    bool met = false;
    struct tess_scene *scene;
    const struct tess_scene_options options = {.quiet_files = true};
    const struct tess_sink sink = {look, &met};
    assert_int_equal(tess_scene_load(&scene, job_path(2, path, sizeof path), sink), TESS_OK);
    assert_string_equal(tess_scene_symbol(scene, bo->memory.address, &at), "the_picture_64x64@32");
    assert_int_equal(tess_scene_run(scene, &options, sink, NULL), TESS_OK);
    assert_true(met);
    tess_scene_free(scene);
}

/* In PNG files, the width is at byte 16 and the height at byte 20, of four bytes each. */
TEST(their_pictures_are_what_was_stored)
{
    char path[64], picture[64];
    uint8_t bytes[24];
    struct tess_scene *scene;
    snprintf(picture, sizeof picture, "%s/picture.png", folder);
    const struct tess_scene_options options = {.output = picture};
    assert_int_equal(tess_scene_load(&scene, job_path(2, path, sizeof path), (struct tess_sink){0}),
                     TESS_OK);
    assert_int_equal(tess_scene_run(scene, &options, (struct tess_sink){0}, NULL), TESS_OK);
    tess_scene_free(scene);
    FILE *file = fopen(picture, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
    assert_int_equal(bytes[19], SIDE);
    assert_int_equal(bytes[23], SIDE);
    unlink(picture);
}

static int remove_all(void **state)
{
    char path[64];
    (void)state;
    for (unsigned i = 1; i <= 4; i++)
        unlink(job_path(i, path, sizeof path));
    return rmdir(folder);
}

TEST_GROUP(NULL, remove_all)

int main(void)
{
    char pattern[64];
    if (!mkdtemp(folder))
        return 1;
    snprintf(pattern, sizeof pattern, "%s/%%d.elf", folder);
    setenv("TESSERA_CAPTURE", pattern, 1);
    setenv("TESSERA_JOBS", "2-3", 1);
    return tests_run();
}
