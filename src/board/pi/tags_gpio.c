/* SPDX-License-Identifier: MIT */
/* tags_gpio.c - tags for the state and the configuration of the pins that the firmware controls.
 *
 * In:  requests with a pin number and, to set them, the pin's new state or configuration.
 * Out: replies with 0 in place of the pin number, and the pin's state or configuration.
 *
 * Source: Linux' drivers/gpio/gpio-raspberrypi-exp.c, which treats an unchanged pin number in the
 *         reply as a failure.
 * Left out: signals on the pins. An input reads the last written state.
 * Choices: no monitor is connected to the Pi 3's HDMI, as far as a program can see. */
#include "board/pi/pi.h"
#include "board/pi/tags.h"

static struct pi_gpio *pin_of(struct tess_pi *pi, struct tag_value *v)
{
    struct pi_gpio *pin = v->word[0] < PI_GPIOS ? &pi->gpio[v->word[0]] : NULL;
    if (pin)
        v->word[0] = 0;
    return pin;
}

bool tag_get_gpio(struct tess_pi *pi, struct tag_value *v)
{
    const struct pi_gpio *pin = pin_of(pi, v);
    v->word[1] = pin ? pin->state : 0;
    return true;
}

bool tag_set_gpio(struct tess_pi *pi, struct tag_value *v)
{
    struct pi_gpio *pin = pin_of(pi, v);
    if (pin)
        pin->state = v->word[1] & 1;
    return true;
}

bool tag_get_gpio_config(struct tess_pi *pi, struct tag_value *v)
{
    const struct pi_gpio *pin = pin_of(pi, v);
    if (!pin)
        return true;
    v->word[1] = pin->direction;
    v->word[2] = pin->polarity;
    v->word[3] = pin->terminate;
    v->word[4] = pin->pull_up;
    return true;
}

bool tag_set_gpio_config(struct tess_pi *pi, struct tag_value *v)
{
    struct pi_gpio *pin = pin_of(pi, v);
    if (pin)
        *pin = (struct pi_gpio){.direction = v->word[1],
                                .polarity = v->word[2],
                                .terminate = v->word[3],
                                .pull_up = v->word[4],
                                .state = v->word[5] & 1};
    return true;
}
