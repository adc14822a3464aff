/* SPDX-License-Identifier: MIT */
/* tags_gpio.c - tags for the state and the configuration of the pins that the firmware controls.
 *
 * In:  requests with a pin number and, to set them, the pin's new state or configuration.
 * Out: replies with 0 in place of the pin number, and the pin's state or configuration; changed
 *      pins of the I/O expander.
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

/* Sets the state of a pin, and reports a changed pin of the I/O expander. */
static void set_state(struct tess_pi *pi, struct pi_gpio *pin, uint32_t state)
{
    enum { EXPANDER = PI_GPIOS - 8 };
    const struct tess_pi_options *options = &pi->options;
    unsigned number = (unsigned)(pin - pi->gpio);
    bool changes = pin->state != state;
    pin->state = state;
    if (changes && number >= EXPANDER && options->pin)
        options->pin(options->pin_user, number, state);
}

bool tag_set_gpio(struct tess_pi *pi, struct tag_value *v)
{
    struct pi_gpio *pin = pin_of(pi, v);
    if (pin)
        set_state(pi, pin, v->word[1] & 1);
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
    if (!pin)
        return true;
    pin->direction = v->word[1];
    pin->polarity = v->word[2];
    pin->terminate = v->word[3];
    pin->pull_up = v->word[4];
    set_state(pi, pin, v->word[5] & 1);
    return true;
}
