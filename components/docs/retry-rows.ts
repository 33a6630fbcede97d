import { RETRY_DELAYS_MS } from "@/lib/contract/webhooks";

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/**
 * The attempts of a delivery: its number, the wait before it, and how long after the first one it is; in words that need
 * no head of a column, which a phone does not show.
 */
export function listRetries(): [string, string, string][] {
  let sinceMs = 0;
  return [0, ...RETRY_DELAYS_MS].map((delayMs, index) => {
    sinceMs += delayMs;
    const number = String(index + 1);
    return index === 0
      ? [number, "at once", "nothing yet"]
      : [number, `${inUnits(delayMs)} later`, `${inUnits(sinceMs)} in all`];
  });
}

/** In the two largest units that are not zero: `2 h 35 min`. */
function inUnits(milliseconds: number): string {
  let leftMs = milliseconds;
  const parts = UNITS.flatMap(([unit, unitMs]) => {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}
