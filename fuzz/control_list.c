/* SPDX-License-Identifier: MIT */
/* control_list.c - fuzz target: any bytes as a binning list and a rendering list that may wait for
 * each other, in 64 KiB of memory. The first byte says where the second list begins; addresses in
 * the lists reach the bytes themselves when they are small, so tile lists and shaders come from the
 * input too. */
#include <string.h>

#include <tessera/vc4.h>

enum { MEMORY = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.max_instructions = 2000, .max_records = 2000};
    struct tess_vc4 *vc4;
    if (size < 2 || size > MEMORY || tess_vc4_create(&vc4, &options) != TESS_OK)
        return 0;
    if (tess_vc4_map(vc4, 0, MEMORY, NULL) == TESS_OK) {
        uint32_t end = (uint32_t)size, middle = 1 + (uint32_t)((size - 1) * data[0] / 256);
        memcpy(tess_vc4_memory(vc4, 0, MEMORY), data, size);
        tess_vc4_write(vc4, V3D_CT0CA, 1);
        tess_vc4_write(vc4, V3D_CT0EA, middle);
        tess_vc4_write(vc4, V3D_CT1CA, middle);
        tess_vc4_write(vc4, V3D_CT1EA, end);
        tess_vc4_run(vc4);
    }
    tess_vc4_destroy(vc4);
    return 0;
}
