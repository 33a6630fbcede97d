/** What a misspelled name probably means; null if even the nearest known one is a different word. */
export function nearestOf(name: string, known: readonly string[]): string | null {
  const [first] = known
    .map((candidate) => ({ candidate, distance: countEdits(name, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  return first && first.distance <= Math.max(2, Math.floor(name.length / 4)) ? first.candidate : null;
}

/** Levenshtein distance: how many letters must be added, removed or replaced. */
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
