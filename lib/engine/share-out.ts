/** Shares are counted in ten-thousandths of a percent, the smallest that a rule can say. */
const UNITS_OF_ALL = 1_000_000;

/** @param percentage 0 to 100, at most four decimals */
export function unitsOf(percentage: number): number {
  return Math.round(percentage * 10_000);
}

/**
 * Shares out cents by largest remainder: together the shares are the whole of what the percentages come to, rounded down
 * to a cent, so nothing is created, and shares of 100 % leave nothing. Between equal remainders the earlier share gets
 * the cent.
 * @param baseInCents 0 or more
 * @param percentages at most 100 together
 * @returns cents, in the order of the percentages
 */
export function shareOut(baseInCents: number, percentages: readonly number[]): number[] {
  const units = percentages.map(unitsOf);
  const exact = units.map((unit) => partOf(baseInCents, unit));
  const whole = partOf(
    baseInCents,
    units.reduce((sum, unit) => sum + unit, 0),
  ).cents;
  const shares = exact.map((part) => part.cents);
  let left = whole - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part.remainder }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder) {
    if (left === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

/** A percentage of an amount, rounded down to a cent. */
export function percentageOf(baseInCents: number, percentage: number): number {
  return partOf(baseInCents, unitsOf(percentage)).cents;
}

/** `remainder`: what the division left, in millionths of a cent. */
function partOf(baseInCents: number, units: number): { cents: number; remainder: number } {
  const product = baseInCents * units;
  if (Number.isSafeInteger(product)) {
    return { cents: Math.floor(product / UNITS_OF_ALL), remainder: product % UNITS_OF_ALL };
  }
  // Amounts above nine billion cents times the units leave the range in which numbers are exact.
  const exact = BigInt(baseInCents) * BigInt(units);
  return { cents: Number(exact / BigInt(UNITS_OF_ALL)), remainder: Number(exact % BigInt(UNITS_OF_ALL)) };
}
