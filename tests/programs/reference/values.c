/* SPDX-License-Identifier: MIT */
/* values.c - computes the values of scenes that have no picture. */
#include <stdio.h>

#include "reference.h"

/* The article "VPM, VCD, and VCM For Vertex Shaders" quotes rows 0 to 4. The article does not
 * quote rows 5 and 6. They are Zs and 1/Wc, which are 1.0. */
size_t list_coordinate_shader_test(char *text, size_t size)
{
    static const uint32_t rows[] = {0xBF665C24, 0x3F5EDD42, 0,         0x3F800000,
                                    0x1C000200, 0x3F800000, 0x3F800000};
    size_t length = 0;
    for (size_t i = 0; i < 16 * sizeof rows / sizeof rows[0]; i++)
        length += (size_t)snprintf(text + length, size - length, "0x%08x\n",
                                   (unsigned)rows[i / 16]);
    return length;
}

size_t list_compute_dot_product(char *text, size_t size)
{
    long sum = 0;
    for (long i = 0; i < 4096; i++)
        sum += i % 23 * (i % 19);
    return (size_t)snprintf(text, size, "%ld\n", sum);
}
