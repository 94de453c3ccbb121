# SPDX-License-Identifier: GPL-3.0-or-later
# The distribution of lap times for each number of workers.  Loaded by style.gp.

stats data using "max_s" nooutput
longest = STATS_max
stats data using "p10_s" nooutput
shortest = STATS_min
stats data using "bar" nooutput
bars = STATS_max

set ylabel "time of a lap (logarithmic)"
set logscale y
set yrange [shortest / 2:longest * 2]
set format y "%.0s %cs"
set xrange [0.3:bars + 0.7]
set xlabel "workers" offset 0, (dumb ? 0 : -1)
set bmargin (dumb ? 4 : 5)
set xtics () scale 0 rotate by (bars > 40 ? 90 : 0)
unset key
do for [i = 1:last_curve] {
	if (there(i)) {
		set label i label[i] at first middle[i], graph 0 center offset 0, -2 noenhanced
	}
}

bar_of(i) = of(i, column("bar"))
plot data using (column("bar")):(shortest):xticlabels(stringcolumn("workers")) with dots \
		linecolor rgb "white", \
	for [i = 1:last_curve] data using (bar_of(i)):(column("p10_s")):(column("p10_s")):\
		(column("p99_s")):(column("p90_s")):(0.6) with candlesticks whiskerbars 0.5 \
		linecolor rgb colour_of(i) linewidth 1.5 fillstyle solid 0.3 border, \
	for [i = 1:last_curve] data using (bar_of(i)):(column("p50_s")):(column("p50_s")):\
		(column("p50_s")):(column("p50_s")):(0.6) with candlesticks \
		linecolor rgb "black" linewidth 2, \
	for [i = 1:last_curve] data using (bar_of(i)):(column("max_s")) with points \
		linecolor rgb colour_of(i) pointtype point_of(i)
