// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.h"

/* Odd multipliers of the 64-bit finalizer of MurmurHash3 (A. Appleby, public domain). */
#define MIX_1 UINT64_C(0xff51afd7ed558ccd)
#define MIX_2 UINT64_C(0xc4ceb9fe1a85ec53)

/* One-to-one on the numbers of `bits` bits: each line of it can be undone. */
static uint64_t bits_shuffle(uint64_t x, unsigned bits, uint64_t mask, uint64_t seed)
{
	unsigned shift = bits / 2 + 1;

	x = (x + seed) & mask;
	x = (x * MIX_1) & mask;
	x ^= x >> shift;
	x = (x * MIX_2) & mask;
	x ^= x >> shift;
	return (x * MIX_1) & mask;
}

size_t visit_random(size_t index, size_t count, uint64_t seed)
{
	unsigned bits = count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 1;
	uint64_t mask = ~UINT64_C(0) >> (64 - bits), x = index;

	do
		x = bits_shuffle(x, bits, mask, seed);
	while (x >= count);
	return x;
}

size_t visit_place(enum visit visit, size_t index, size_t count, uint64_t seed)
{
	switch (visit) {
	case VISIT_FORWARD:
		break;
	case VISIT_REVERSE:
		return count - 1 - index;
	case VISIT_RANDOM:
		return visit_random(index, count, seed);
	}
	return index;
}
