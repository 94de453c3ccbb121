// SPDX-License-Identifier: GPL-3.0-or-later
#include "complaint.h"

#include <stdarg.h>
#include <stdio.h>

int complain(struct complaint *c, enum exit_status status, const char *format, ...)
{
	va_list arguments;

	c->status = status;
	va_start(arguments, format);
	vsnprintf(c->text, sizeof(c->text), format, arguments);
	va_end(arguments);
	return -1;
}
