import fc from "fast-check";

/** Once in so many requests something; else null. */
export function sometimes<T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}
