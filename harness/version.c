// SPDX-License-Identifier: GPL-3.0-or-later
#include "version.h"

const char version_text[] = VERSION_TEXT;
const char build_id[] = BUILD_ID;
