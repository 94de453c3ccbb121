// SPDX-License-Identifier: GPL-3.0-or-later
/* Which faultscale this is.  The Makefile compiles both texts into version.c and nothing else. */
#ifndef VERSION_H
#define VERSION_H

/* `git describe` of the tree it was built from, or "unreleased" outside a repository. */
extern const char version_text[];

/*
 * 12 hex digits of the SHA-256 of every source file, the compiler's version and its flags: two
 * binaries with the same build id do the same work.
 */
extern const char build_id[];

#endif
