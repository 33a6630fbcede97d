/** True for an error of the system or of PostgreSQL with one of these codes (`ENOENT`, `40P01`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}

/** True for an error of PostgreSQL whose code belongs to one of these classes (its first two characters). */
export function hasCodeClass(error: unknown, ...classes: string[]): boolean {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  return error.code.length === 5 && classes.includes(error.code.slice(0, 2));
}
