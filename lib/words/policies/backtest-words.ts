import type { Phrase } from "@/lib/contract/rules/rule-parts";
import type { MissingSignatures, PolicyBacktest } from "@/lib/engine/policies/backtest-policy";
import { type PolicyNames, personName } from "@/lib/words/policies/policy-names";
import { joinWords, key, say } from "@/lib/words/rules/phrases";

/** Proposals of the backtest, newest first; it says where it stops. */
export const MAXIMUM_BACKTEST_PROPOSALS = 5_000;
export const BACKTEST_DAYS = 90;
const MAXIMUM_WORDS = MAXIMUM_BACKTEST_PROPOSALS.toLocaleString("en-US");
export const CUT_SHORT = `Only the latest ${MAXIMUM_WORDS} were counted.`;
export const matchesIn90Days = (isCut: boolean) =>
  `Matches in 90 days${isCut ? `, of the latest ${MAXIMUM_WORDS}` : ""}`;

/** `Of 61 proposals, 12 more would have needed Jonas too. 2 would have expired: he signed nothing on those days.` */
export function backtestPhrases(
  { proposalCount, heldBack, expiredIds }: PolicyBacktest,
  names: PolicyNames,
  noun: "proposal" | "change" = "proposal",
): Phrase[] {
  if (proposalCount === 0)
    return [say(noun === "proposal" ? "Nothing was proposed." : "Nothing was changed.")];
  const count = proposalCount === 1 ? `1 ${noun}` : `${proposalCount.toLocaleString("en-US")} ${noun}s`;
  const more: Phrase[] =
    heldBack.length === 0
      ? [say(`Of ${count}, `), key("none"), say(" would have needed more signatures.")]
      : [
          say(`Of ${count}, `),
          key(`${heldBack.length} more`),
          say(" would have needed "),
          key(
            whoWasMissing(
              heldBack.map(({ missing }) => missing),
              names,
            ),
          ),
          say(" too."),
        ];
  const expired: Phrase[] =
    expiredIds.length === 0
      ? []
      : [
          say(" "),
          key(`${expiredIds.length} would have expired`),
          say(": nobody who was needed decided anything in that time, or it was too short."),
        ];
  return [...more, ...expired];
}

/** What the history of changes does not tell. */
export const CHANGES_UNKNOWN =
  "This counts payee accounts, activated rules, loosened limits and new keys. History lacks whether a rule’s payees were new, and the floors of accounts renamed since.";

/** `Jonas`, if it was always the same; otherwise how many. */
function whoWasMissing(all: readonly (readonly MissingSignatures[])[], names: PolicyNames): string {
  const words = [...new Set(all.map((missing) => missingWords(missing, names)))];
  const [only, ...others] = words;
  return only !== undefined && others.length === 0 ? only : "another person";
}

/** `Jonas and 1 of Mara and Priya`. */
export function missingWords(missing: readonly MissingSignatures[], names: PolicyNames): string {
  return joinWords(
    missing.map(({ memberIds, count }) => {
      const people = joinWords(memberIds.map((id) => personName(names, id)));
      if (memberIds.length === 0) return "someone who cannot sign";
      if (memberIds.length <= count) return people;
      return memberIds.length <= NAMED_PEOPLE ? `${count} of ${people}` : `${count} more`;
    }),
  );
}

/** More than these are not named. */
const NAMED_PEOPLE = 4;

/** `+12`, `−12`; null: nothing changes. */
export function changeWords(before: number | null, after: number | null): string | null {
  const change = (after ?? 0) - (before ?? 0);
  if (change === 0) return null;
  return change > 0 ? `+${change}` : `−${-change}`;
}
