const MINUTE_MS = 60_000;

/**
 * Time left: `21 h 14 min`, `40 min`, `less than a minute`. Rounded down, so the page never promises too much time.
 * Number and unit stay on one line.
 */
export function formatTimeLeft(leftMs: number): string {
  const minutes = Math.floor(Math.max(0, leftMs) / MINUTE_MS);
  if (minutes === 0) return leftMs > 0 ? "less than a minute" : join("0", "min");
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return join(String(rest), "min");
  return join(String(hours), "h", String(rest).padStart(2, "0"), "min");
}

/** How full the gauge of a deadline is, from 0 to 100. */
export function percentLeft(leftMs: number, wholeMs: number): number {
  if (wholeMs <= 0) return 0;
  return Math.round(Math.min(1, Math.max(0, leftMs / wholeMs)) * 1000) / 10;
}

function join(...words: string[]): string {
  return words.join("\u00a0");
}
