import { formatShortDay } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { BacktestVersionView, BacktestView } from "@/lib/contract/views/backtest-view";
import { joinWords } from "@/lib/engine/words/key-phrases";
import { count } from "@/lib/engine/words/key-powers";

/** `14 deposits and 2 runs on demand` */
export function occasionWords({ arrivals, scheduled, asked }: BacktestVersionView["occasions"]): string {
  const words = [
    arrivals > 0 ? count(arrivals, "deposit") : null,
    scheduled > 0 ? count(scheduled, "scheduled run") : null,
    asked > 0 ? `${count(asked, "run")} on demand` : null,
  ].filter((word) => word !== null);
  return words.length === 0 ? "No runs" : joinWords(words);
}

export function occasionCount({ arrivals, scheduled, asked }: BacktestVersionView["occasions"]): number {
  return arrivals + scheduled + asked;
}

/** `14 deposits`, or both where the versions would not have run equally often. */
export function totalWords({ version, active }: BacktestView): string {
  const words = occasionWords(version.occasions);
  if (!active) return words;
  const others = occasionWords(active.occasions);
  return others === words ? words : `${words}; ${others.replace(/^No/, "no")} with version ${active.version}`;
}

/** Why there is nothing to show. */
export function emptyWords({ version, sourceName }: BacktestView): string {
  switch (version.triggerType) {
    case "ON_FUNDS_TRANSFERRED":
      return `Nothing that arrived at ${sourceName} in this time would have set it off. Try it with a dry run.`;
    case "SCHEDULED":
      return "None of its scheduled times lies in this time. Try it with a dry run.";
    case "MANUAL":
      return "It runs on demand, and nobody has run it in this time. Try it with a dry run.";
  }
}

const SKIP_WORDS: Record<BacktestVersionView["skipped"][number]["reason"], string> = {
  TOO_SMALL: `below ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}`,
  LIMIT_USED_UP: "whose limit was used up",
  FULL: "to what was full already",
  NOTHING_DUE: "of which nothing was due",
  NOTHING_THERE: "whose source had nothing to give",
  NOTHING_ASKED: "that came to nothing",
};

/** What one should know of these runs besides the amounts, of one version; none where all went smoothly. */
export function runFacts(one: BacktestVersionView): string[] {
  const runs = occasionCount(one.occasions);
  const of = (number: number) =>
    number === runs ? (runs === 1 ? "its run" : `all ${runs} runs`) : `${number} of ${runs} runs`;
  return [
    one.brokeOff > 0
      ? `It would have stopped early in ${of(one.brokeOff)}, where a transfer could not have had all that it asks for.`
      : null,
    one.unknown > 0 ? `It would have waited in ${of(one.unknown)}, for a value that is not known.` : null,
    one.conditionsNotMet > 0
      ? `Its conditions would not have held in ${of(one.conditionsNotMet)}, so nothing would have moved.`
      : null,
    one.skipped.length > 0
      ? `It would have skipped ${joinWords(one.skipped.map(({ reason, count: transfers }) => `${count(transfers, "transfer")} ${SKIP_WORDS[reason]}`))}.`
      : null,
  ].filter((sentence) => sentence !== null);
}

/** `Client payments would have held no less than $0.00.` */
export function lowestWords(view: BacktestView, { lowest }: BacktestVersionView): string | null {
  if (lowest === null) return null;
  const day = formatShortDay(lowest.at, view.time);
  return lowest.balanceInCents < 0
    ? `${view.sourceName} would have gone down to ${formatCents(lowest.balanceInCents)} on ${day}: money really left it then that the rule would have moved on before.`
    : `${view.sourceName} would have held ${formatCents(lowest.balanceInCents)} at the least, on ${day}.`;
}

/** What the figures rest on. */
export function groundWords({ active, asToday, isCut, byOthers }: BacktestView): string[] {
  const worked = active ? "Both versions are worked out" : "This is worked out";
  return [
    `${worked} from what really happened. Everything else that moved stays as it was, and each transfer arrives at once.`,
    byOthers.count > 0
      ? `${count(byOthers.count, "transfer")} of ${formatCents(byOthers.inCents)} that others made on the rule’s own routes before it was active ${byOthers.count === 1 ? "is" : "are"} among it: where the rule is to replace them, that much less would have left.`
      : null,
    asToday.length > 0
      ? `${joinWords(asToday)} ${asToday.length === 1 ? "is" : "are"} taken as today each time: there is no history of balances and debts elsewhere.`
      : null,
    isCut ? "So much happened that only the latest part of the 90 days is worked out." : null,
  ].filter((sentence) => sentence !== null);
}
