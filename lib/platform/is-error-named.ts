/**
 * Whether something is an error of this name, also where another copy of its class made it: the launcher's bundle and
 * Next's hold one each of every class, so an adapter that the launcher opened throws what a page would not recognise by
 * `instanceof` alone.
 */
export function isErrorNamed(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}
