// SPDX-License-Identifier: GPL-3.0-or-later
#include "trend.h"

#include <math.h>

enum { SAMPLES_NEEDED = 10 };

void trend_add(struct trend *trend, uint64_t start_ns, uint64_t end_ns, double work)
{
	double w, t, y;

	if (end_ns <= start_ns)
		return;
	if (!trend->samples)
		*trend = (struct trend){
		        .origin_ns = start_ns, .first_ns = start_ns, .last_ns = end_ns};
	trend->samples++;
	trend->first_ns = start_ns < trend->first_ns ? start_ns : trend->first_ns;
	trend->last_ns = end_ns > trend->last_ns ? end_ns : trend->last_ns;
	w = (double)(end_ns - start_ns) / 1e9;
	t = ((double)(int64_t)(start_ns - trend->origin_ns) / 1e9) + w / 2;
	y = work / w;
	trend->w += w;
	trend->wt += w * t;
	trend->wtt += w * t * t;
	trend->wy += work;
	trend->wty += work * t;
	trend->wyy += work * y;
}

double trend_drift(const struct trend *trend, double *error)
{
	double mean_t = trend->wt / trend->w, mean_y = trend->wy / trend->w;
	double tt = trend->wtt - trend->wt * mean_t;
	double ty = trend->wty - trend->wy * mean_t;
	double yy = trend->wyy - trend->wy * mean_y;
	double scale = (double)(trend->last_ns - trend->first_ns) / 1e9 / mean_y;
	double slope = ty / tt, residual = fmax(yy - slope * ty, 0);

	*error = NAN;
	if (trend->samples < SAMPLES_NEEDED || !(tt > 0) || !(mean_y > 0))
		return NAN;
	*error = sqrt(residual / (double)(trend->samples - 2) / tt) * scale;
	return slope * scale;
}
