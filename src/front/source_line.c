/* SPDX-License-Identifier: MIT */
/* source_line.c - see source_line.h. */
#include "front/source_line.h"

#include <stdio.h>
#include <string.h>

bool source_line_read(const char *path, uint32_t wanted, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    uint32_t number = 1;
    text[0] = 0;
    while (file && number <= wanted && fgets(text, (int)size, file))
        number += strchr(text, '\n') != NULL || feof(file);
    bool found = file && number > wanted;
    if (file)
        fclose(file);
    text[strcspn(text, "\r\n")] = 0;
    return found;
}
