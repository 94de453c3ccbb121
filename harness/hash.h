// SPDX-License-Identifier: GPL-3.0-or-later
/* A hash of texts, for names that must come out the same on every machine. */
#ifndef HASH_H
#define HASH_H

#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/*
 * 64-bit FNV-1a (Fowler, Noll, Vo; IETF draft-eastlake-fnv) of a text behind what gave `hash`,
 * which is HASH_START before the first.
 */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (const char *at = text; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
