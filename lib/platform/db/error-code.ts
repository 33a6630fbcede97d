/** True for an error of the system or of PostgreSQL that carries one of these codes (`ENOENT`, `40P01`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}
