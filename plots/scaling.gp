# SPDX-License-Identifier: GPL-3.0-or-later
# The rate against the number of workers.  Loaded by style.gp.

stats data using "workers" nooutput
most = STATS_max
stats data using "high" nooutput
highest = STATS_max
# Linear: what one worker does, as the fastest curve has it, times the workers.
one = 0
stats data using (column("workers") == 1 ? (one = column("rate") > one ? column("rate") : one) : 0) \
	nooutput
fitted = 0
do for [i = 1:last_curve] { if (single[i] > 0) { fitted = 1 } }

set xlabel "workers"
set ylabel unit."s per second, all workers"
set xrange [0:most * 1.04 + 0.1]
set yrange [0:highest * 1.25]
if (most <= 16) { set xtics 1 }
set key top left reverse Left
set samples 400

law(i, n) = single[i] * n / (1 + contention[i] * (n - 1) + coherency[i] * n * (n - 1))

# Where counts are few curves stand a little apart, for their bars to be told from each other.
apart = most < 5 ? 0.006 * most : 0.03
place(i) = of(i, column("workers") + (i - (last_curve + 1) / 2.0) * apart)

plot (one > 0 ? one * x : NaN) title one > 0 ? "linear" : "" with lines \
		linecolor rgb "#909090" dashtype 3 linewidth 1.5, \
	NaN title fitted ? "scaling law, fitted" : "" with lines linecolor rgb "#404040" \
		dashtype 4 linewidth 1, \
	for [i = 1:last_curve] (there(i) && single[i] > 0 && x >= 1 ? law(i, x) : NaN) \
		title "" with lines linecolor rgb colour_of(i) dashtype 4 linewidth 1, \
	for [i = 1:last_curve] data using (place(i)):(column("rate")):\
		(column("low")):(column("high")) \
		title "" with yerrorbars linecolor rgb colour_of(i) pointtype point_of(i) linewidth 1.5, \
	for [i = 1:last_curve] data using (place(i)):(column("rate")) \
		title label[i] with linespoints linecolor rgb colour_of(i) pointtype point_of(i) \
		pointsize 1.3 linewidth 2 dashtype dash_of(i)
