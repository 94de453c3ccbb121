# SPDX-License-Identifier: GPL-3.0-or-later
# What all figures share.  `faultscale plot` runs it as
#
#   gnuplot -d -c style.gp FIGURE.gp TERMINAL DATA CURVES STEPS TITLE MACHINE NOTE 'COLUMNS LINES'
#
# DATA is the figure's own table, CURVES the legend (one row for each curve), STEPS the names of
# steps: CSV, read by the names of their columns.  The picture goes to standard output.

figure = ARG1
terminal = ARG2
data = ARG3
legend = ARG4
step_names = ARG5
title = ARG6
machine = ARG7
note = ARG8

set encoding utf8
set datafile separator comma
set datafile missing ""

# Colours of Okabe and Ito, told apart by colour-blind readers, from dark to light so that they are
# told apart in grey as well; each has its own filled and open point, and its own pattern.
array colour[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", \
	"#F0E442"]
array filled[8] = [7, 5, 9, 13, 11, 15, 3, 2]
array open[8] = [6, 4, 8, 12, 10, 14, 1, 2]
wrap(i) = (int(i) - 1) % 8 + 1
rgb(i) = int("0x".colour[wrap(i)][2:7])

dumb = (terminal eq "dumb")
wide = dumb ? int(word(ARG9, 1)) : 1000
high = dumb ? int(word(ARG9, 2)) : 600
if (terminal eq "svg") {
	set terminal svg size wide, high noenhanced font "sans-serif,15" background rgb "white"
}
if (terminal eq "png") {
	if (strstrt(GPVAL_TERMINALS, " pngcairo ")) {
		set terminal pngcairo size wide, high noenhanced font "Sans,11" \
			background rgb "white"
	} else {
		set terminal png size wide, high noenhanced
	}
}
if (dumb) { set terminal dumb size wide, high mono noenhanced }

# A line of text in at most so many characters that it fits the picture.
characters = dumb ? wide - 4 : 118
cut(text) = strlen(text) > characters ? text[1:characters - 3]."..." : text
set title cut(title)."\n".cut(machine).(strlen(note) ? "\n".cut(note) : "") noenhanced

set border 3
set tics nomirror out
set grid ytics linecolor rgb "#c8c8c8" linewidth 1
set key noenhanced
set style fill solid 1.0 border rgb "#404040"
set format y "%.0s %c"

# The legend, by a curve's number; `last_curve` is the highest.
array label[16]; array style[16]; array directory[16]; array single[16]; array contention[16]
array coherency[16]; array middle[16]; array workers[16]; array per_page[16]
do for [i = 1:16] { label[i] = ""; style[i] = 1; directory[i] = 1; single[i] = 0 } # not drawn
curves = 0
keep(i, text) = (curves = curves + 1, label[i] = text, \
	style[i] = column("style"), directory[i] = column("directory"), \
	single[i] = column("single"), contention[i] = column("contention"), \
	coherency[i] = column("coherency"), middle[i] = column("middle"), \
	workers[i] = column("workers"), per_page[i] = column("per_page"), i)
stats legend using (keep(int(column("curve")), stringcolumn("label"))) nooutput
last_curve = int(STATS_max)
unit = (per_page[int(STATS_min)] > 0 ? "page" : "lap")
there(i) = (label[i] ne "")
of(i, value) = (column("curve") == i ? value : NaN)
colour_of(i) = rgb(style[i])
point_of(i) = (directory[i] == 1 ? filled[wrap(style[i])] : open[wrap(style[i])])
dash_of(i) = (directory[i] == 1 ? 1 : 2)

# The steps' names; a figure without steps has none.
array step_label[24]
last_step = 0
keep_step(i, text) = (step_label[i] = text, last_step = i, i)
array pattern[8] = [3, 4, 2, 5, 1, 0, 6, 7]
pattern_of(i) = pattern[wrap(i)]
stats step_names using (keep_step(int(column("step")), stringcolumn("label"))) nooutput

load figure
