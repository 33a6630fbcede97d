import { CONFIGURATION_VARIABLES } from "@/lib/platform/config";
import { SECRETS } from "@/lib/platform/read-secret-files";

/** Ours too, and read elsewhere: by commands, by tests, by what runs in front of us, by the examples of the documentation. */
const READ_ELSEWHERE = [
  "SLUICE_AUDIT",
  "SLUICE_BUILD_FOLDER",
  "SLUICE_DESIGN_PAGE",
  "SLUICE_HOOK_SECRET",
  "SLUICE_IMAGE",
  "SLUICE_KEY",
  "SLUICE_OWNER_PASSWORD",
  "SLUICE_PROOF",
  "SLUICE_REPLICAS",
  "SLUICE_SEED",
  "SLUICE_SIGNING_SECRET",
  "SLUICE_TEST_BROWSER",
  "SLUICE_WEBHOOK_SECRET",
];
/** An environment has as many names as somebody gives it; nobody reads more than these. */
const MAXIMUM_NAMED = 10;

/**
 * Variables that look like ours and that nobody reads: what an operator believes is set, and is not.
 * @returns a sentence for each, with the nearest name that there is; never a value
 */
export function findMisspelt(environment: Record<string, string | undefined>): string[] {
  const known = [...CONFIGURATION_VARIABLES, ...SECRETS.map((name) => `${name}_FILE`), ...READ_ELSEWHERE];
  return Object.keys(environment)
    .filter((name) => name.startsWith("SLUICE_") && !known.includes(name))
    .slice(0, MAXIMUM_NAMED)
    .map((name) => {
      const nearest = nearestOf(name, known);
      return `${name} is set, and Sluice has no such variable.${nearest ? ` Did you mean ${nearest}?` : ""}`;
    });
}

/** Null where even the nearest is another word. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((candidate) => ({ candidate, distance: countEdits(name, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  return first && first.distance <= Math.max(2, Math.floor(name.length / 4)) ? first.candidate : null;
}

/** Levenshtein's distance: how many letters must be added, left out or replaced. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
