/* SPDX-License-Identifier: MIT */
/* line.c - see line.h.
 *
 * In:  bytes of the board; keys, a file, or bytes of a client.
 * Out: bytes for the board; the terminal, a file, or bytes to a client.
 *
 * Choices: a client that has left may be followed by another. Bytes of the board are lost in
 *          between, and if a client does not read for a second. Ctrl-A is an escape: Ctrl-A x ends
 *          the run, Ctrl-A c sends Ctrl-C, and Ctrl-A Ctrl-A sends Ctrl-A. */
#include "cli/pi/line.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/pi/interrupt.h"
#include "cli/pi/loopback.h"
#include "cli/pi/terminal.h"

enum { CTRL_A = 1, CTRL_C = 3, CHUNK = 256, PATIENCE = 1000 /* milliseconds */ };

static const char TCP[] = "tcp:";

/* --- start and end --- */

/* Waits for the first client, so that no byte of the kernel is lost. */
static bool open_port(struct line *line, const char *text)
{
    uint64_t port;
    if (!cli_number(text, &port) || port > UINT16_MAX) {
        cli_usage_error(line->title, "invalid port '%s' for --uart tcp:PORT; expected 0 to 65535",
                        text);
        return false;
    }
    line->listener = loopback_listen(line->title, (unsigned)port, "the UARTs");
    if (line->listener < 0)
        return false;
    line->client = loopback_accept(line->listener);
    if (line->client >= 0)
        return true;
    fprintf(stderr, "%s: --uart: %s\n", line->title, strerror(errno));
    return false;
}

static bool open_ends(struct line *line, const char *uart, const char *input)
{
    bool port = uart && strncmp(uart, TCP, strlen(TCP)) == 0;
    if (port ? !open_port(line, uart + strlen(TCP))
             : !output_open(&line->output, line->title, uart))
        return false;
    if (!input || (line->input = input_open(input)))
        return true;
    perror(input);
    return false;
}

bool line_open(struct line *line, const char *title, const char *uart, const char *input,
               bool keyboard)
{
    *line = (struct line){.title = title, .listener = -1, .client = -1};
    if (!open_ends(line, uart, input)) {
        line_close(line);
        return false;
    }
    if (!keyboard || line->listener >= 0 || line->input || !terminal_has_keys())
        return true;
    interrupt_begin();
    line->keyboard = terminal_take_keys();
    return true;
}

bool line_close(struct line *line)
{
    if (line->keyboard)
        terminal_give_back();
    if (line->client >= 0)
        close(line->client);
    if (line->listener >= 0)
        close(line->listener);
    if (line->input)
        fclose(line->input);
    return !line->output.stream || output_close(&line->output);
}

bool line_is_live(const struct line *line)
{
    return line->keyboard || line->listener >= 0;
}

/* --- from the board --- */

static void drop_client(struct line *line)
{
    close(line->client);
    line->client = -1;
}

static void send_byte(struct line *line, uint8_t byte)
{
    struct pollfd poller = {.fd = line->client, .events = POLLOUT};
    if (line->client < 0 || poll(&poller, 1, PATIENCE) <= 0)
        return;
    ssize_t sent = send(line->client, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent != 1 && errno != EINTR && errno != EAGAIN)
        drop_client(line);
}

void line_put(struct line *line, uint8_t byte)
{
    line->is_open = byte != '\n';
    if (!line->output.stream) {
        send_byte(line, byte);
        return;
    }
    fputc(byte, line->output.stream);
    if (byte == '\n' || line->keyboard)
        line->ended |= fflush(line->output.stream) != 0;
}

/* --- to the board --- */

static unsigned room(const struct line *line)
{
    return LINE_QUEUE - line->count;
}

void line_add(struct line *line, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && room(line); i++)
        line->queue[(line->first + line->count++) % LINE_QUEUE] = bytes[i];
}

/* Takes a key of the terminal. */
static void take_key(struct line *line, uint8_t key)
{
    bool escape = line->escape;
    line->typed = true;
    line->escape = !escape && key == CTRL_A;
    if (line->escape)
        return;
    if (escape && key == 'c')
        key = CTRL_C;
    else if (escape && key == 'x')
        line->ended = true;
    if (!line->ended)
        line_add(line, &key, 1);
}

static void look_at_keys(struct line *line)
{
    uint8_t keys[CHUNK];
    int size = room(line) >= CHUNK ? terminal_read(keys, sizeof keys) : 0;
    line->ended |= size < 0;
    for (int i = 0; i < size; i++)
        take_key(line, keys[i]);
}

static bool is_ready(int socket)
{
    struct pollfd poller = {.fd = socket, .events = POLLIN};
    return poll(&poller, 1, 0) > 0;
}

static void look_at_client(struct line *line)
{
    uint8_t bytes[CHUNK];
    if (line->client < 0 && is_ready(line->listener))
        line->client = loopback_accept(line->listener);
    if (line->client < 0 || room(line) < CHUNK || !is_ready(line->client))
        return;
    ssize_t size = recv(line->client, bytes, sizeof bytes, 0);
    if (size > 0)
        line_add(line, bytes, (size_t)size);
    else if (size == 0 || errno != EINTR)
        drop_client(line);
}

void line_look(struct line *line)
{
    if (line->keyboard)
        look_at_keys(line);
    if (line->listener >= 0)
        look_at_client(line);
    int byte = line->input && room(line) ? fgetc(line->input) : EOF;
    if (byte != EOF)
        line_add(line, &(uint8_t){(uint8_t)byte}, 1);
}

int line_next(struct line *line)
{
    if (!line->count)
        return -1;
    uint8_t byte = line->queue[line->first];
    line->first = (line->first + 1) % LINE_QUEUE;
    line->count--;
    return byte;
}
