/* SPDX-License-Identifier: MIT */
/* buffer.c - see buffer.h. */
#include "base/buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

static bool reserve(struct buffer *buffer, size_t more)
{
    if (more <= buffer->capacity - buffer->size)
        return true;
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    while (capacity - buffer->size < more) {
        if (capacity > SIZE_MAX / 2) {
            buffer->failed = true;
            return false;
        }
        capacity *= 2;
    }
    uint8_t *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0 || !reserve(buffer, size))
        return;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

void buffer_byte(struct buffer *buffer, uint8_t byte)
{
    buffer_append(buffer, &byte, 1);
}

void buffer_le16(struct buffer *buffer, uint32_t value)
{
    uint8_t bytes[2];
    store_le16(bytes, (uint16_t)value);
    buffer_append(buffer, bytes, sizeof bytes);
}

void buffer_le32(struct buffer *buffer, uint32_t value)
{
    uint8_t bytes[4];
    store_le32(bytes, value);
    buffer_append(buffer, bytes, sizeof bytes);
}

void buffer_vprintf(struct buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    /* vsnprintf() also writes a NUL, which .size does not count. */
    if (length >= 0 && reserve(buffer, (size_t)length + 1)) {
        vsnprintf((char *)buffer->data + buffer->size, (size_t)length + 1, format, again);
        buffer->size += (size_t)length;
    }
    va_end(again);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}
