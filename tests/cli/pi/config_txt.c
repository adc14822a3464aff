/* SPDX-License-Identifier: MIT */
/* config_txt.c - tests config.txt: filters, keys, memory and clocks of boards, the framebuffer.
 * Expected values are those of raspberrypi/documentation: config_txt/conditional (which filter is
 * for which model), memory, overclocking, boot, video (modes, overscan). */
#include <stdio.h>
#include <string.h>

#include "../../register.h"
#include "cli/pi/config_txt.h"

static struct config_txt config;

static void read_for(const char *board, const char *text)
{
    memset(&config, 0, sizeof config);
    config_txt_apply(text, tess_pi_board_find(board), &config);
}

TEST(filters_of_models)
{
    static const struct {
        const char *filter, *boards; /* boards that see it */
    } expected[] = {
        {"pi0", "zero zero2 "},
        {"pi0w", "zero zero2 "},
        {"pi02", "zero2 "},
        {"pi1", "pi1 "},
        {"pi2", "pi2 "},
        {"pi3", "pi3 "},
        {"pi3+", ""},
        {"pi4", ""},
        {"pi400", ""},
        {"cm4", ""},
        {"pi5", ""},
        {"none", ""},
        {"all", "zero pi1 pi2 pi3 zero2 "},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char text[64], seen[64] = "";
        snprintf(text, sizeof text, "[%s]\ngpu_mem=32\n", expected[i].filter);
        for (size_t k = 0; tess_pi_board_get(k); k++) {
            read_for(tess_pi_board_get(k)->name, text);
            if (config.number[CONFIG_GPU_MEM] == 32)
                strcat(strcat(seen, tess_pi_board_get(k)->name), " ");
        }
        assert_string_equal(seen, expected[i].boards);
    }
}

/* Filters of one kind replace each other; those of different kinds are combined. */
TEST(combined_filters)
{
    read_for("pi3", "[pi2]\ngpu_mem=1\n[pi3]\ngpu_mem=2\n");
    assert_int_equal(config.number[CONFIG_GPU_MEM], 2);
    read_for("pi3", "[EDID=VSC-TD2220]\n[pi3]\ngpu_mem=1\n[all]\n[none]\ngpu_mem=3\n");
    assert_false(config.is_set[CONFIG_GPU_MEM]);
    read_for("pi3", "[board-type=0x8]\ngpu_mem=1\n[board-type=0x11]\ngpu_mem=2\n");
    assert_int_equal(config.number[CONFIG_GPU_MEM], 1);
    read_for("zero2", "[board-type=0x12]\ngpu_mem=1\n[0x12345678]\ngpu_mem=2\n");
    assert_int_equal(config.number[CONFIG_GPU_MEM], 1);
    read_for("pi1", "[gpio4=1]\ngpu_mem=1\n[gpio17=1]\ngpu_mem=2\n[HDMI:1]\ngpu_mem=3\n");
    assert_int_equal(config.number[CONFIG_GPU_MEM], 1);
    read_for("pi1", "[HDMI:0]\nhdmi_mode=4\n[all]\nhdmi_mode:1=5\nhdmi_group:0=2\n");
    assert_int_equal(config.number[CONFIG_HDMI_MODE], 4);
    assert_int_equal(config.number[CONFIG_HDMI_GROUP], 2);
}

TEST(lines)
{
    read_for("zero", "  kernel = own.img \r\n#gpu_mem=1\nunknown=1\narm_freq=0x10 # text\n"
                     "initramfs initrd.gz 0x00800000\ncmdline=line.txt");
    assert_string_equal(config.text[CONFIG_KERNEL], "own.img");
    assert_false(config.is_set[CONFIG_GPU_MEM]);
    assert_int_equal(config.number[CONFIG_ARM_FREQ], 16);
    assert_string_equal(config.text[CONFIG_RAMFS], "initrd.gz");
    assert_int_equal(config.number[CONFIG_RAMFS_ADDRESS], 0x800000);
    assert_string_equal(config.text[CONFIG_COMMAND_LINE], "line.txt");
    read_for("zero", "initramfs initrd.gz followkernel\n");
    assert_string_equal(config.text[CONFIG_RAMFS], "initrd.gz");
    assert_int_equal(config.number[CONFIG_RAMFS_ADDRESS], 0);
    read_for("zero", "[\n[]\n[all]\n=\nkernel\ngpu_mem=999999999999999999999\n");
    assert_int_equal(config.number[CONFIG_GPU_MEM], INT32_MAX);
}

static uint32_t gpu_memory(const char *board, const char *text)
{
    read_for(board, text);
    return config_txt_gpu_memory(&config, tess_pi_board_find(board));
}

TEST(gpu_memory_by_size)
{
    static const char text[] = "gpu_mem_512=128\ngpu_mem_1024=256\ngpu_mem=32\n";
    assert_int_equal(gpu_memory("zero", text), 128);
    assert_int_equal(gpu_memory("zero2", text), 128);
    assert_int_equal(gpu_memory("pi2", text), 256);
    assert_int_equal(gpu_memory("pi2", "gpu_mem=32\ngpu_mem_512=128\n"), 32);
    assert_int_equal(gpu_memory("pi2", ""), 0);
}

static struct tess_pi_board board_with(const char *name, const char *text)
{
    struct tess_pi_board board = *tess_pi_board_find(name);
    read_for(name, text);
    config_txt_board(&config, &board);
    return board;
}

TEST(total_memory)
{
    assert_int_equal(board_with("pi3", "total_mem=512").memory_size, 512 << 20);
    assert_int_equal(board_with("pi3", "total_mem=4096").memory_size, 1024 << 20);
    assert_int_equal(board_with("pi3", "total_mem=1").memory_size, 128 << 20);
    assert_int_equal(board_with("pi3", "").memory_size, 1024 << 20);
}

TEST(clock_rates)
{
    struct tess_pi_board board = board_with("pi3", "v3d_freq=500\ngpu_freq=300\narm_freq=900\n"
                                                   "init_uart_clock=3000000\nsdram_freq=500\n");
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_ARM], 900000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_V3D], 500000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_CORE], 300000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_H264], 300000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_SDRAM], 500000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_UART], 3000000);
    board = board_with("pi3", "arm_freq=-5\nv3d_freq=5000000\n");
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_ARM], 1200000000);
    assert_int_equal(board.clock_rates[TESS_PI_CLOCK_V3D], 400000000);
}

/* Sizes of modes, minus the overscan that the firmware chooses: 48 pixels at each edge in HD modes
 * of CEA, 32 in SD modes, none in modes of DMT. */
TEST(framebuffer_sizes)
{
    static const struct {
        const char *text;
        uint32_t width, height;
    } expected[] = {
        {"", 640, 480},
        {"framebuffer_width=320\nframebuffer_height=200\n", 320, 200},
        {"hdmi_group=1\nhdmi_mode=16\n", 1920 - 96, 1080 - 96},
        {"hdmi_group=1\nhdmi_mode=16\ndisable_overscan=1\n", 1920, 1080},
        {"hdmi_group=1\nhdmi_mode=4\ndisable_overscan=1\n", 1280, 720},
        {"hdmi_group=1\nhdmi_mode=1\n", 640 - 64, 480 - 64},
        {"hdmi_group=1\nhdmi_mode=18\ndisable_overscan=1\n", 720, 576},
        {"hdmi_group=1\nhdmi_mode=64\ndisable_overscan=1\n", 1920, 1080},
        {"hdmi_group=2\nhdmi_mode=4\n", 640, 480},
        {"hdmi_group=2\nhdmi_mode=9\n", 800, 600},
        {"hdmi_group=2\nhdmi_mode=16\n", 1024, 768},
        {"hdmi_group=2\nhdmi_mode=35\n", 1280, 1024},
        {"hdmi_group=2\nhdmi_mode=82\n", 1920, 1080},
        {"hdmi_group=2\nhdmi_mode=85\noverscan_left=8\noverscan_top=4\n", 1272, 716},
        {"hdmi_group=2\nhdmi_mode=87\nhdmi_cvt=800 480 60 6\n", 800, 480},
        {"hdmi_group=2\nhdmi_mode=87\nhdmi_timings=480 0 16 16 24 800 0 4 2 2 0 0 0 60 0 32 6\n",
         480, 800},
        {"hdmi_group=2\nhdmi_mode=87\n", 640, 480},
        {"hdmi_mode=82\n", 640, 480},
        {"hdmi_group=2\nhdmi_mode=999\n", 640, 480},
        {"hdmi_group=2\nhdmi_mode=82\nmax_framebuffer_width=1280\nmax_framebuffer_height=720\n",
         1280, 720},
        {"framebuffer_width=99999\noverscan_top=99999\n", 4096, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        read_for("pi3", expected[i].text);
        struct tess_pi_display display = config_txt_display(&config);
        assert_int_equal(display.width, expected[i].width);
        assert_int_equal(display.height, expected[i].height);
    }
}

TEST(framebuffer_formats)
{
    read_for("pi3", "framebuffer_depth=16\nframebuffer_swap=0\nframebuffer_ignore_alpha=0\n");
    struct tess_pi_display display = config_txt_display(&config);
    assert_int_equal(display.depth, 16);
    assert_true(display.rgb && display.alpha);
    read_for("pi3", "framebuffer_depth=15\nframebuffer_swap=1\nframebuffer_ignore_alpha=1\n");
    display = config_txt_display(&config);
    assert_int_equal(display.depth, 0);
    assert_true(!display.rgb && !display.alpha);
    read_for("pi3", "");
    display = config_txt_display(&config);
    assert_true(!display.rgb && !display.alpha);
}
