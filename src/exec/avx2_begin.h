/* SPDX-License-Identifier: MIT */
/* avx2_begin.h - compiles the functions up to avx2_end.h for x86-64 processors with AVX2. A source
 * file includes its other headers before this one, so that functions in those headers are compiled
 * for baseline processors. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
