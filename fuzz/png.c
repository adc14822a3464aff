/* SPDX-License-Identifier: MIT */
/* png.c - fuzz target: the reader of PNG files, which are the files of textures, with any bytes. */
#include <stdlib.h>

#include <tessera/draw.h>
#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t width, height;
    uint8_t *rgba;
    volatile uint8_t sum = 0;
    enum tess_status status = tess_png_read(data, size, &width, &height, &rgba);
    if ((status == TESS_OK) != (rgba != NULL))
        abort();
    for (size_t i = 0; rgba && i < 4 * (size_t)width * height; i++)
        sum = sum ^ rgba[i]; /* Sanitizers check that all pixels can be read. */
    tess_free(rgba);
    return 0;
}
