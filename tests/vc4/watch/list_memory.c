/* SPDX-License-Identifier: MIT */
/* Tests of saved states of list memory: a list with many ranges and nothing after them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../register.h"
#include "base/state.h"
#include "vc4/watch/list_memory.h"

enum { USES = 200 };

static void fields(struct state_stream *stream, void *memory)
{
    list_memory_fields(stream, memory);
}

TEST(many_uses_can_be_restored)
{
    const struct state_identity identity = {.machine = STATE_TAG('T', 'E', 'S', 'T')};
    struct list_memory memory = {0}, restored = {0};
    for (uint32_t i = 0; i < USES; i++)
        cl_uses_add(&memory.rendering,
                    &(struct cl_use){.kind = CL_USE_FRAME, .address = 64 * i, .size = 64});
    const size_t size = state_measure(fields, &memory);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(state_save(&identity, fields, &memory, bytes, size), TESS_OK);
    assert_int_equal(state_restore(&identity, fields, &restored, bytes, size), TESS_OK);
    assert_int_equal(restored.rendering.count, USES);
    assert_int_equal(restored.rendering.item[USES - 1].address, 64 * (USES - 1));
    free(bytes);
    list_memory_free(&memory);
    list_memory_free(&restored);
    (void)fixture;
}
