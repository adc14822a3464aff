/* SPDX-License-Identifier: MIT */
/* sound.c - see sound.h.
 *
 * In:  a machine that runs.
 * Out: a WAV file.
 *
 * The recording goes to a temporary file first, because it needs a file with positions. */
#include "cli/pi/sound.h"

#include <errno.h>
#include <string.h>

#include "cli/output.h"

static bool write_sound(void *user, uint64_t position, const void *bytes, size_t size)
{
    FILE *stream = user;
    return fseek(stream, (long)position, SEEK_SET) == 0 && fwrite(bytes, 1, size, stream) == size;
}

FILE *sound_begin(const char *title, struct tess_pi_machine *machine)
{
    FILE *file = tmpfile();
    if (file && tess_pi_machine_record_sound(machine, write_sound, file) == TESS_OK)
        return file;
    fprintf(stderr, "%s: cannot record sound: %s\n", title, strerror(errno));
    if (file)
        fclose(file);
    return NULL;
}

static bool copy(const char *title, FILE *from, const char *path)
{
    char bytes[4096];
    struct output output;
    size_t size;
    if (!output_open(&output, title, path))
        return false;
    rewind(from);
    while ((size = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, size, output.stream);
    return output_close(&output) && !ferror(from);
}

bool sound_end(const char *title, struct tess_pi_machine *machine, FILE *file, const char *path)
{
    bool good = tess_pi_machine_end_sound(machine) && copy(title, file, path);
    fclose(file);
    return good;
}
