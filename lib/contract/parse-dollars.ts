/** At most twelve digits of dollars: a thousand times what an account may be asked to keep. */
const DOLLARS = /^\$?(?<dollars>\d{1,3}(,\d{3}){0,3}|\d{1,12})(\.(?<cents>\d{2}))?$/;

/**
 * Cents from an amount as a person writes it: `8000`, `8,000.00`, `$8,000`. No amount passes through a fraction. Null for
 * anything else, also for a comma or a point in a place that could mean two amounts (`8,00`, `8.5`).
 */
export function parseDollars(text: string): number | null {
  const groups = DOLLARS.exec(text.trim())?.groups;
  if (!groups?.dollars) return null;
  return Number(groups.dollars.replaceAll(",", "")) * 100 + Number(groups.cents ?? "0");
}
