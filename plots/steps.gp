# SPDX-License-Identifier: GPL-3.0-or-later
# What a page costs, by step, one stacked bar for each number of workers.  Loaded by style.gp.

stats data using "to_ns" nooutput
highest = STATS_max * 1e-9
stats data using "bar" nooutput
bars = STATS_max

set ylabel "time per ".unit.", one worker"
set format y "%.0s %cs"
set xlabel "workers" offset 0, (dumb ? 0 : -1)
set bmargin (dumb ? 4 : 5)
set xrange [0.3:bars + 0.7]
set yrange [0:highest * 1.25]
set key top left reverse Left invert
set xtics () scale 0 rotate by (bars > 40 ? 90 : 0)
do for [i = 1:last_curve] {
	if (there(i)) {
		set label i label[i] at first middle[i], graph 0 center offset 0, -2 noenhanced
	}
}

bar_of(s) = (column("step") == s ? column("bar") : NaN)
plot data using (column("bar")):(0):xticlabels(stringcolumn("workers")) title "" with dots \
		linecolor rgb "white", \
	for [s = 1:last_step] data using (bar_of(s)):(column("from_ns") * 1e-9):(column("bar") - 0.4):\
		(column("bar") + 0.4):(column("from_ns") * 1e-9):(column("to_ns") * 1e-9) \
		title step_label[s] with boxxyerror linecolor rgb rgb(s) linewidth 1.5 \
		fillstyle pattern pattern_of(s) border
