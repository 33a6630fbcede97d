import { Amount } from "@/components/money/amount";
import { BacktestChart } from "@/components/rules/backtest-chart";
import { formatDate, formatShortDay } from "@/components/time/format-instant";
import { Empty } from "@/components/ui/empty";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type {
  BacktestDestinationView,
  BacktestVersionView,
  BacktestView,
} from "@/lib/contract/views/backtest-view";
import { joinWords } from "@/lib/engine/words/key-phrases";
import { count } from "@/lib/engine/words/key-powers";

/** `14 deposits and 2 runs on demand` */
function occasionWords({ arrivals, scheduled, asked }: BacktestVersionView["occasions"]): string {
  const words = [
    arrivals > 0 ? count(arrivals, "deposit") : null,
    scheduled > 0 ? count(scheduled, "scheduled run") : null,
    asked > 0 ? `${count(asked, "run")} on demand` : null,
  ].filter((word) => word !== null);
  return words.length === 0 ? "No runs" : joinWords(words);
}

function occasionCount({ arrivals, scheduled, asked }: BacktestVersionView["occasions"]): number {
  return arrivals + scheduled + asked;
}

/** `14 deposits`, or both where the versions would not have run equally often. */
function totalWords({ version, active }: BacktestView): string {
  const words = occasionWords(version.occasions);
  if (!active) return words;
  const others = occasionWords(active.occasions);
  return others === words ? words : `${words}; ${others.replace(/^No/, "no")} with version ${active.version}`;
}

/** Why there is nothing to show. */
function emptyWords({ version, sourceName }: BacktestView): string {
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
function runFacts(one: BacktestVersionView): string[] {
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
function lowestWords(view: BacktestView, { lowest }: BacktestVersionView): string | null {
  if (lowest === null) return null;
  const day = formatShortDay(lowest.at, view.time);
  return lowest.balanceInCents < 0
    ? `${view.sourceName} would have gone down to ${formatCents(lowest.balanceInCents)} on ${day}: money really left it then that the rule would have moved on before.`
    : `${view.sourceName} would have held ${formatCents(lowest.balanceInCents)} at the least, on ${day}.`;
}

/** What the figures rest on. */
function groundWords({ active, asToday, isCut, byOthers }: BacktestView): string[] {
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

/** More series than this nobody tells apart in a stack: then the table alone. */
const MAXIMUM_SERIES = 5;

/** What a version would have moved over the last days, beside the active one. */
export function BacktestSection({ view }: { view: BacktestView }) {
  const { version, active, destinations } = view;
  const runs = occasionCount(version.occasions) + (active ? occasionCount(active.occasions) : 0);
  const fact = `${formatDate(view.from, view.time)} to ${formatDate(view.until, view.time)}`;
  return (
    <Section id="backtest" title="Had it run for the last 90 days" fact={fact}>
      {runs === 0 ? (
        <Empty title="It would not have run">{emptyWords(view)}</Empty>
      ) : (
        <div className="bkt">
          {version.movedInCents > 0 && destinations.length <= MAXIMUM_SERIES ? (
            <BacktestChart view={view} />
          ) : null}
          <ComparisonTable view={view} />
          <Facts view={view} />
        </div>
      )}
    </Section>
  );
}

function ComparisonTable({ view }: { view: BacktestView }) {
  const { version, active, destinations } = view;
  return (
    <table className="ledger tight">
      <caption className="vh">What would have moved, by where it goes</caption>
      <thead>
        <tr>
          <th scope="col">To</th>
          {active ? (
            <th scope="col" className="num hide-s">
              Version {active.version} would move
            </th>
          ) : null}
          <th scope="col" className="num">
            Version {version.version} would move
          </th>
          {active ? (
            <th scope="col" className="num">
              Difference
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {destinations.map((destination) => (
          <DestinationRow key={destination.accountId} destination={destination} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{totalWords(view)}</th>
          {active ? (
            <td className="num hide-s">
              <Amount cents={active.movedInCents} />
            </td>
          ) : null}
          <td className="num">
            <Amount cents={version.movedInCents} />
          </td>
          {active ? (
            <td className="num">
              <Amount cents={version.movedInCents - active.movedInCents} plus="whenPositive" />
            </td>
          ) : null}
        </tr>
      </tfoot>
    </table>
  );
}

function DestinationRow({
  destination: { name, inCents, activeInCents },
}: {
  destination: BacktestDestinationView;
}) {
  const difference = activeInCents === null ? 0 : inCents - activeInCents;
  return (
    <tr>
      <th scope="row">{name}</th>
      {activeInCents === null ? null : (
        <td className="num hide-s">
          <Amount cents={activeInCents} quiet />
        </td>
      )}
      <td className="num">
        <Amount cents={inCents} />
      </td>
      {activeInCents === null ? null : (
        <td className="num">
          {difference === 0 ? (
            <span className="dim">same</span>
          ) : (
            <Amount cents={difference} plus="whenPositive" quiet />
          )}
        </td>
      )}
    </tr>
  );
}

/** What did not go smoothly, version by version, and what the figures rest on. */
function Facts({ view }: { view: BacktestView }) {
  return (
    <div className="bkt-f">
      <VersionFacts view={view} one={view.version} />
      {view.active ? <VersionFacts view={view} one={view.active} /> : null}
      <p className="meta">{groundWords(view).join(" ")}</p>
    </div>
  );
}

function VersionFacts({ view, one }: { view: BacktestView; one: BacktestVersionView }) {
  const lowest = lowestWords(view, one);
  const facts = [...runFacts(one), ...(lowest === null ? [] : [lowest])];
  if (facts.length === 0) return null;
  return (
    <div>
      <h3 className="h3">Version {one.version}</h3>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}
