/* SPDX-License-Identifier: MIT */
/* names.c - tests the names of peripherals: each modelled peripheral has a name for its registers.
 * */
#include "../../register.h"
#include "all.h"

#include "board/bcm2835/names.h"

TEST(names_by_address)
{
    assert_string_equal(peripheral_name(0x400000), "hardware video scaler (HVS)");
    assert_string_equal(peripheral_name(0x980fff), "USB controller");
    assert_string_equal(peripheral_name(0x207004), "pixel valve 1");
    assert_null(peripheral_name(0x500000));
    assert_null(peripheral_name(0xffffffff));
}

TEST(modelled_peripherals_have_names)
{
    for (unsigned i = 0; i < ALL_DEVICES; i++) {
        const struct device *device = all_devices[i];
        if (device != &local) { /* is not among the peripherals */
            assert_non_null(peripheral_name(device->base));
            assert_ptr_equal(peripheral_name(device->base),
                             peripheral_name(device->base + device->size - 1));
        }
    }
}
