/* SPDX-License-Identifier: MIT */
/* code.c - fuzz target: the reader of machine code, with any file in every format. */
#include <stdlib.h>

#include "code/code.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (enum code_format format = CODE_AUTO; format <= CODE_XENOS; format++) {
        const struct code_options options = {.format = format, .name = "file", .base = 0x100};
        struct code_image image;
        code_read(data, size, &options, (struct tess_sink){0}, &image);
        for (size_t i = 0; i < image.range_count; i++)
            if (image.ranges[i].size == 0)
                abort();
        code_free(&image);
    }
    return 0;
}
