# SPDX-License-Identifier: GPL-3.0-or-later
# The rate over time, at the most workers of each curve.  Loaded by style.gp.

stats data using "rate" nooutput
highest = STATS_max
stats data using "repeat" nooutput
repeats = int(STATS_max)

set xlabel "seconds from the start"
set ylabel unit."s per second, all workers"
set xrange [0:*]
set yrange [0:highest * 1.25]
set key top left reverse Left
name(i) = sprintf("%s, %d worker%s", label[i], workers[i], workers[i] > 1 ? "s" : "")
run(i, r) = (column("curve") == i && column("repeat") == r ? column("t_s") : NaN)

plot for [i = 1:last_curve] for [r = 1:repeats] data using (run(i, r)):(column("rate")) \
		title "" with lines linecolor rgb colour_of(i) linewidth 1.5 dashtype dash_of(i), \
	for [i = 1:last_curve] data using (of(i, column("t_s"))):(column("rate")) \
		title there(i) ? name(i) : "" with points linecolor rgb colour_of(i) \
		pointtype point_of(i) pointsize 0.7
