// Models Go's math.Log as PodTopologySpread uses it (topologyNormalizingWeight)

const LN2 = 0.6931471805599453;
const SQRT2 = 1.4142135623730951;

/**
 * Natural logarithm of x > 0 with + - * / only, so that every engine computes the same bits. Error below 1e-15
 * relative; upstream rounds the score afterwards to an integer.
 */
export function ln(x: number): number {
  let mantissa = x;
  let exponent = 0;
  while (mantissa >= SQRT2) {
    mantissa /= 2;
    exponent += 1;
  }
  while (mantissa < SQRT2 / 2) {
    mantissa *= 2;
    exponent -= 1;
  }
  // ln(m) = 2 artanh(z), z = (m - 1) / (m + 1), |z| <= 0.1716: the 13th term is below 1e-20.
  const z = (mantissa - 1) / (mantissa + 1);
  const zz = z * z;
  let sum = 0;
  for (let n = 25; n >= 1; n -= 2) sum = sum * zz + 1 / n;
  return exponent * LN2 + 2 * z * sum;
}
