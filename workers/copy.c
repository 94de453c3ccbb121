// SPDX-License-Identifier: GPL-3.0-or-later
/* Three ways to copy bytes. */
#include "verbs.h"

#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <emmintrin.h>

#define LINE 64

/* The string instruction, which CPUs with ERMS (enhanced rep movsb) do in microcode. */
static void *movsb_copy(void *to, const void *from, size_t bytes)
{
	void *end = to;

	__asm__ volatile("rep movsb" : "+D"(end), "+S"(from), "+c"(bytes) : : "memory");
	return to;
}

/* One line of stores that leave the cache alone; `to` is aligned. */
static void line_stream(char *to, const char *from)
{
	for (int i = 0; i < LINE; i += 16) {
		__m128i part = _mm_loadu_si128((const __m128i *)(const void *)(from + i));

		_mm_stream_si128((__m128i *)(void *)(to + i), part);
	}
}

/* What does not fill a line is copied by the library. */
static void *nontemporal_copy(void *to, const void *from, size_t bytes)
{
	size_t head = -(uintptr_t)to % LINE, done;

	if (head > bytes)
		head = bytes;
	memcpy(to, from, head);
	for (done = head; bytes - done >= LINE; done += LINE)
		line_stream((char *)to + done, (const char *)from + done);
	memcpy((char *)to + done, (const char *)from + done, bytes - done);
	_mm_sfence();
	return to;
}

/* CPUID leaf 7, EBX bit 9 (Intel SDM vol. 2A, AMD APM vol. 3). */
static bool movsb_supported(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & 1u << 9;
}

bool copy_supported(enum copy_method method)
{
	return method != COPY_MOVSB || movsb_supported();
}
#else
#define movsb_copy memcpy
#define nontemporal_copy memcpy

bool copy_supported(enum copy_method method)
{
	return method == COPY_LIBC;
}
#endif

/*
 * The pointers are volatile: they are read anew for each copy, so that the call is always the C
 * library's memcpy (its IFUNC choice for this CPU) and never an inlined, merged or hoisted copy.
 */
copy_call *volatile const copy_calls[] = {
        [COPY_LIBC] = memcpy,
        [COPY_MOVSB] = movsb_copy,
        [COPY_NONTEMPORAL] = nontemporal_copy,
};
