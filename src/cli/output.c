/* SPDX-License-Identifier: MIT */
/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <string.h>

#include "cli.h"

static bool is_standard(const struct output *output)
{
    return !output->path || strcmp(output->path, "-") == 0;
}

static bool fail(const struct output *output)
{
    fprintf(stderr, "%s: cannot write to %s: %s\n", output->title,
            is_standard(output) ? "standard output" : output->path,
            errno ? strerror(errno) : "a write failed");
    return false;
}

bool output_open(struct output *output, const char *title, const char *path)
{
    *output = (struct output){.title = title, .path = path};
    output->stream = is_standard(output) ? stdout : fopen(path, "wb");
    if (!output->stream)
        return fail(output);
    errno = 0;
    return true;
}

/* If a write failed earlier, errno still says why, unless another call has set it since. */
bool output_close(struct output *output)
{
    bool good = fflush(output->stream) == 0 && !ferror(output->stream);
    int error = errno;
    if (!is_standard(output) && fclose(output->stream) != 0 && good) {
        good = false;
        error = errno;
    }
    errno = error;
    return good || fail(output);
}

int output_text(const char *title, const char *text)
{
    struct output output;
    if (!output_open(&output, title, NULL))
        return CLI_USAGE;
    fputs(text, output.stream);
    return output_close(&output) ? CLI_DONE : CLI_USAGE;
}
