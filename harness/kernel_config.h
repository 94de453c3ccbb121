// SPDX-License-Identifier: GPL-3.0-or-later
/* The configuration that the running kernel was built with. */
#ifndef KERNEL_CONFIG_H
#define KERNEL_CONFIG_H

/*
 * The lines of /boot/config-RELEASE, else of /proc/config.gz (CONFIG_IKCONFIG_PROC) through gzip,
 * as one text to be freed; NULL where neither can be read.
 */
char *kernel_config_read(void);

#endif
