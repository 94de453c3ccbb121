// SPDX-License-Identifier: GPL-3.0-or-later
#include "usl.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>

/* One fit: the data and which parameters are free; the others are 0. */
struct fit {
	const double *workers, *rates;
	size_t count;
	double scale; /* the rate that lambda is a multiple of */
	size_t free[USL_PARAMETERS], free_count;
};

/* On its way the fit may try parameters that give no rate at all. */
#define RATIO_LEAST 1e-9

static double law(const double parameter[USL_PARAMETERS], double n)
{
	return parameter[USL_LAMBDA] * n /
	       (1 + parameter[USL_SIGMA] * (n - 1) + parameter[USL_KAPPA] * n * (n - 1));
}

double usl_rate(const struct usl *usl, double workers)
{
	const double parameter[] = {usl->parameter[USL_LAMBDA].value,
	                            usl->parameter[USL_SIGMA].value,
	                            usl->parameter[USL_KAPPA].value};

	return law(parameter, workers);
}

/*
 * Logarithms: the noise of a rate grows with it.  (Errors relative to the rates measured would give
 * the lowest of noisy repeats the most weight, and a law below most of them.)
 */
static int residuals(const gsl_vector *x, void *data, gsl_vector *f)
{
	const struct fit *fit = data;
	double parameter[USL_PARAMETERS] = {0};

	for (size_t i = 0; i < fit->free_count; i++)
		parameter[fit->free[i]] = gsl_vector_get(x, i);
	for (size_t i = 0; i < fit->count; i++) {
		double ratio = law(parameter, fit->workers[i]) * fit->scale / fit->rates[i];

		gsl_vector_set(f, i, log(fmax(ratio, RATIO_LEAST)));
	}
	return GSL_SUCCESS;
}

/*
 * The peak, its interval propagated through its logarithm, which is a difference of two (delta
 * method); `covariance` is that of sigma and kappa.
 */
static void peak_take(struct usl *usl, double t, double covariance)
{
	const struct usl_estimate *sigma = &usl->parameter[USL_SIGMA];
	const struct usl_estimate *kappa = &usl->parameter[USL_KAPPA];
	double rest = 1 - sigma->value;
	double a = (sigma->high - sigma->value) / rest;
	double b = (kappa->high - kappa->value) / kappa->value;
	double spread =
	        sqrt(fmax(0, a * a + b * b + 2 * t * t * covariance / rest / kappa->value)) / 2;

	if (!(kappa->value > 0) || !(rest > 0))
		return;
	usl->peak.value = sqrt(rest / kappa->value);
	usl->peak.low = usl->peak.value * exp(-spread);
	usl->peak.high = kappa->low > 0 ? usl->peak.value * exp(spread) : INFINITY;
}

/* Takes the result over; `chi2` is the sum of squares.  True if no parameter is below 0. */
static bool fit_take(const struct fit *fit, gsl_multifit_nlinear_workspace *work,
                     gsl_matrix *covariance, struct usl *usl, double *chi2)
{
	gsl_vector *x = gsl_multifit_nlinear_position(work);
	gsl_vector *f = gsl_multifit_nlinear_residual(work);
	double freedom = (double)(fit->count - fit->free_count);
	double t = gsl_cdf_tdist_Pinv(0.975, freedom);
	bool fits = true;

	gsl_blas_ddot(f, f, chi2);
	*usl = (struct usl){.peak = {INFINITY, INFINITY, INFINITY}};
	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, covariance);
	gsl_matrix_scale(covariance, *chi2 / freedom);
	for (size_t i = 0; i < fit->free_count; i++) {
		double unit = fit->free[i] == USL_LAMBDA ? fit->scale : 1;
		double value = gsl_vector_get(x, i) * unit;
		double half = t * sqrt(gsl_matrix_get(covariance, i, i)) * unit;

		usl->parameter[fit->free[i]] =
		        (struct usl_estimate){value, value - half, value + half};
		fits &= isfinite(half) && value >= 0;
	}
	if (fits)
		peak_take(usl, t,
		          fit->free_count == USL_PARAMETERS ? gsl_matrix_get(covariance, 1, 2) : 0);
	return fits;
}

static bool fit_run(struct fit *fit, struct usl *usl, double *chi2)
{
	static const double start[USL_PARAMETERS] = {1, 0.05, 0.001};
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf function = {
	        .f = residuals, .n = fit->count, .p = fit->free_count, .params = fit};
	gsl_multifit_nlinear_workspace *work = gsl_multifit_nlinear_alloc(
	        gsl_multifit_nlinear_trust, &how, fit->count, fit->free_count);
	gsl_matrix *covariance = gsl_matrix_alloc(fit->free_count, fit->free_count);
	gsl_vector *x = gsl_vector_alloc(fit->free_count);
	bool fits = false;
	int info;

	if (work && covariance && x) {
		for (size_t i = 0; i < fit->free_count; i++)
			gsl_vector_set(x, i, start[fit->free[i]]);
		gsl_multifit_nlinear_init(x, &function, work);
		if (gsl_multifit_nlinear_driver(200, 1e-10, 1e-10, 0, NULL, NULL, &info, work) ==
		    GSL_SUCCESS)
			fits = fit_take(fit, work, covariance, usl, chi2);
	}
	gsl_vector_free(x);
	gsl_matrix_free(covariance);
	gsl_multifit_nlinear_free(work);
	return fits;
}

static size_t different(const double values[], size_t count)
{
	size_t found = 0;

	for (size_t i = 0, j; i < count; i++) {
		for (j = 0; j < i && (values[j] < values[i] || values[j] > values[i]);)
			j++;
		found += j == i;
	}
	return found;
}

static bool can_be_fitted(const double workers[], const double rates[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(rates[i]) || !(rates[i] > 0))
			return false;
	return different(workers, count) >= USL_COUNTS;
}

int usl_fit(const double workers[], const double rates[], size_t count, struct usl *usl)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	double best = INFINITY;

	for (unsigned mask = 0; mask < 4 && can_be_fitted(workers, rates, count); mask++) {
		struct fit fit = {.workers = workers, .rates = rates, .count = count};
		struct usl candidate;
		double chi2;

		fit.scale = rates[0] / workers[0];
		fit.free[fit.free_count++] = USL_LAMBDA;
		if (mask & 1)
			fit.free[fit.free_count++] = USL_SIGMA;
		if (mask & 2)
			fit.free[fit.free_count++] = USL_KAPPA;
		if (fit.free_count < count && fit_run(&fit, &candidate, &chi2) && chi2 < best) {
			best = chi2;
			*usl = candidate;
		}
	}
	gsl_set_error_handler(handler);
	return isfinite(best) ? 0 : -1;
}
