const LONGEST = 60;

/** Control characters, bidirectional overrides and other marks that nobody sees but that change what is read. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** What a program calls itself, made fit to be shown: one line, nothing invisible, at most 60 characters. */
export function cleanClientName(name: string | undefined, fallback: string): string {
  const clean = (name ?? "").replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return Array.from(clean === "" ? fallback : clean)
    .slice(0, LONGEST)
    .join("")
    .trim();
}
