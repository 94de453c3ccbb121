// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands of faultscale; each gets the words after its name. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "complaint.h"

/*
 * Returns the exit status of a command that did its work, or -1 with a complaint.  May also end the
 * process by the signal that interrupted it, after having cleaned up.
 */
typedef int command_main(int count, char *const words[], struct complaint *c);

command_main run_main;
command_main duel_main;
command_main list_main;
command_main compare_main;
command_main sweep_main;
command_main plot_main;
command_main export_main;
command_main doctor_main;

#endif
