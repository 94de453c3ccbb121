# SPDX-License-Identifier: GPL-3.0-or-later
# Who did which step when, one panel for each curve.  Loaded by style.gp.

stats data using "end_s" nooutput
end = STATS_max
panels = 0
rows = 0
do for [i = 1:last_curve] { if (there(i)) { panels = panels + 1; rows = rows + workers[i] } }

# One title over all panels, one key below it.
head = dumb ? 0.25 : 0.2
foot = dumb ? 0.2 : 0.12
set xrange [0:end]
set yrange [*:*] reverse
set ytics 1 scale 0
set format y "%.0f"
unset grid
set grid xtics linecolor rgb "#c8c8c8"
set border 1
heading = cut(title)."\n".cut(machine).(strlen(note) ? "\n".cut(note) : "")
set multiplot
at = 1 - head
gap = dumb ? 0.02 : 0.07
each = (1 - head - foot - gap * (panels - 1)) / panels
first_panel = 1
last_panel = 0
do for [i = 1:last_curve] { if (there(i)) { last_panel = i } }
do for [i = 1:last_curve] {
	if (there(i)) {
		set tmargin at screen at
		set bmargin at screen at - each
		at = at - each - gap
		set yrange [workers[i] - 0.4:-0.6]
		between_tics = workers[i] <= 24 ? 1 : int(workers[i] / 12)
		set ytics between_tics
		set ylabel label[i].": worker" noenhanced
		if (first_panel) {
			set title heading offset 0, (dumb ? 1 : 1.6) noenhanced
			set key at graph 0, screen 1 - head + 0.012 left bottom horizontal Left reverse
		} else {
			unset title
			unset key
		}
		first_panel = 0
		if (i == last_panel) {
			set xlabel "seconds from the start"
			set format x "%g"
		} else {
			set format x ""
		}
		row_of(s) = (column("step") == s && column("curve") == i ? column("worker") : NaN)
		plot for [s = 1:last_step] data using (column("start_s")):(row_of(s)):\
			(column("start_s")):(column("end_s")):\
			(column("worker") - 0.4):(column("worker") + 0.4) \
			title step_label[s] with boxxyerror linecolor rgb rgb(s) linewidth 1 \
			fillstyle pattern pattern_of(s) border
	}
}
unset multiplot
