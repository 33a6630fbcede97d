/** A page of the reference, as the search and the contents know it. */
export interface ReferenceEntry {
  href: string;
  title: string;
  /** Null for guides. */
  method: string | null;
  chapter: string;
  /** Further words by which it is found: path, fields, codes. */
  words: string;
}

/** More than a reader looks through. */
const MAXIMUM_RESULTS = 20;

/**
 * The entries that hold every word of the query: those with a word in their title first, then in the order of the
 * contents. Words may be beginnings or parts ("idem", "cents").
 */
export function searchReference(entries: readonly ReferenceEntry[], query: string): ReferenceEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = (entry: ReferenceEntry) => {
    const title = entry.title.toLowerCase();
    return words.every((word) => title.includes(word)) ? 0 : 1;
  };
  return entries
    .filter(({ title, method, chapter, words: more }) => {
      const text = `${title} ${method ?? ""} ${chapter} ${more}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MAXIMUM_RESULTS);
}
