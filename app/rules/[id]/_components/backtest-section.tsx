"use client";

import { use } from "react";
import { BacktestChart } from "@/app/rules/[id]/_components/backtest-chart";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { formatDate, formatShortDay } from "@/components/time/format-instant";
import { CheckItem, OutcomeIcon } from "@/components/ui/checklist";
import { Empty } from "@/components/ui/empty";
import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { BacktestAheadView, BacktestVersionView, BacktestView } from "@/lib/views/rules/read-backtest";
import { joinWords } from "@/lib/words/keys/key-phrases";
import { count } from "@/lib/words/keys/key-powers";

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

/** `14 deposits`, or both counts if the versions would have run differently often. */
function totalWords({ version, active }: BacktestView): string {
  const words = occasionWords(version.occasions);
  if (!active) return words;
  const others = occasionWords(active.occasions);
  return others === words ? words : `${words}; ${others.replace(/^No/, "no")} with version ${active.version}`;
}

function emptyWords({ version, sourceName }: BacktestView): string {
  switch (version.triggerType) {
    case "ON_FUNDS_TRANSFERRED":
      return `No deposit to ${sourceName} in this period would have triggered it. Try a dry run.`;
    case "SCHEDULED":
      return "It had no scheduled runs in this period. Try a dry run.";
    case "MANUAL":
      return "It runs on demand, and nobody ran it in this period. Try a dry run.";
  }
}

const SKIP_WORDS: Record<BacktestVersionView["skipped"][number]["reason"], string> = {
  TOO_SMALL: `below ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}`,
  LIMIT_USED_UP: "because the limit was used up",
  FULL: "because the destination was full",
  NOTHING_DUE: "because nothing was due",
  NOTHING_THERE: "because the source was empty",
  NOTHING_ASKED: "because the amount was zero",
};

/** Notes on one version's runs besides the amounts; empty if all went smoothly. */
function runFacts(one: BacktestVersionView): string[] {
  const runs = occasionCount(one.occasions);
  const of = (number: number) =>
    number === runs ? (runs === 1 ? "its run" : `all ${runs} runs`) : `${number} of ${runs} runs`;
  return [
    one.brokeOff > 0
      ? `It would have stopped early in ${of(one.brokeOff)} because the source had too little.`
      : null,
    one.unknown > 0 ? `It would have waited for an unknown value in ${of(one.unknown)}.` : null,
    one.conditionsNotMet > 0
      ? `No condition would have been met in ${of(one.conditionsNotMet)}, so nothing would have moved.`
      : null,
    one.skipped.length > 0
      ? `It would have skipped ${joinWords(one.skipped.map(({ reason, count: transfers }) => `${count(transfers, "transfer")} ${SKIP_WORDS[reason]}`))}.`
      : null,
  ].filter((sentence) => sentence !== null);
}

/** `Lowest balance of Client payments: $0.00 on 22 Nov.` */
function lowestWords(view: BacktestView, { lowest }: BacktestVersionView): string | null {
  if (lowest === null) return null;
  const day = formatShortDay(lowest.at, view.time);
  return lowest.balanceInCents < 0
    ? `Lowest balance of ${view.sourceName}: ${formatCents(lowest.balanceInCents)} on ${day}. The rule would have moved money that other transfers used then.`
    : `Lowest balance of ${view.sourceName}: ${formatCents(lowest.balanceInCents)} on ${day}.`;
}

/** The assumptions behind the figures. */
function groundWords({ active, asToday, isCut, byOthers }: BacktestView): string[] {
  const worked = active ? "Both versions are calculated" : "Calculated";
  return [
    `${worked} from actual history. All other movements stay as they were, and each transfer arrives immediately.`,
    byOthers.count > 0
      ? `This includes ${count(byOthers.count, "transfer")} of ${formatCents(byOthers.inCents)} made on the rule’s routes before it was active. If the rule replaces ${byOthers.count === 1 ? "it" : "them"}, that much less would have moved.`
      : null,
    asToday.length > 0
      ? `${joinWords(asToday)} ${asToday.length === 1 ? "uses its" : "use their"} current balance each time, since there is no history of outside balances and debts.`
      : null,
    isCut
      ? "Only the most recent part of the 90 days is calculated because there was so much activity."
      : null,
  ].filter((sentence) => sentence !== null);
}

/** More series would be indistinguishable in a stack; then only the table is shown. */
const MAXIMUM_SERIES = 5;

type Ran = Pick<BacktestVersionView, "occasions" | "lowest" | "brokeOff">;

interface BacktestFinding {
  outcome: "LOOK" | "CLEAR";
  title: string;
  text: string | null;
}

/** What the backtest found as one of the checks; null if the rule would not have run. */
export function backtestFinding(
  view: Pick<BacktestView, "sourceName" | "time"> & { version: Ran; ahead: { version: Ran } | null },
): BacktestFinding | null {
  const past = view.version;
  const ahead = view.ahead?.version ?? null;
  if (occasionCount(past.occasions) + (ahead ? occasionCount(ahead.occasions) : 0) === 0) return null;
  const [fell, falls] = [past.lowest, ahead?.lowest].map((lowest) =>
    lowest && lowest.balanceInCents < 0
      ? `${formatCents(lowest.balanceInCents)} on ${formatShortDay(lowest.at, view.time)}`
      : null,
  );
  const stopped = past.brokeOff + (ahead?.brokeOff ?? 0);
  const below = fell
    ? `${view.sourceName} would have been at ${fell}.`
    : falls
      ? `${view.sourceName} would be at ${falls}, if everything else repeats.`
      : null;
  const stops = stopped === 1 ? "One run would stop early" : `${stopped} runs would stop early`;
  if (below === null && stopped === 0) {
    return { outcome: "CLEAR", title: "Its runs succeed in the backtest", text: null };
  }
  return {
    outcome: "LOOK",
    title: below ? "The backtest goes below zero" : "The backtest stops partway",
    text: [below, stopped > 0 ? `${stops} for lack of money.` : null].filter(Boolean).join(" "),
  };
}

/** The backtest is read after the page; null: it could not be read. */
export type BacktestReading = Promise<BacktestView | null>;

/** The backtest as the last of the checks before an activation. */
export function BacktestCheck({ reading }: { reading: BacktestReading }) {
  const finding = useFinding(reading);
  if (!finding) return null;
  const { outcome, title, text } = finding;
  return (
    <CheckItem icon={<OutcomeIcon outcome={outcome} blocks="Blocks activation" />} title={title}>
      {text ? <p>{text}</p> : null}
    </CheckItem>
  );
}

/** A backtest that found something, as a line of the activation dialog. */
export function BacktestReview({ reading }: { reading: BacktestReading }) {
  const finding = useFinding(reading);
  if (finding?.outcome !== "LOOK") return null;
  return (
    <>
      <dt>Backtest</dt>
      <dd>{finding.text ?? finding.title}</dd>
    </>
  );
}

function useFinding(reading: BacktestReading): BacktestFinding | null {
  const view = use(reading);
  return view === null
    ? {
        outcome: "LOOK",
        title: "The backtest could not be calculated",
        text: "Reload the page to try again.",
      }
    : backtestFinding(view);
}

/** What a version would have moved over the last days, compared with the active one. */
export function BacktestSection({ view }: { view: BacktestView }) {
  const { version, active, destinations } = view;
  const runs = occasionCount(version.occasions) + (active ? occasionCount(active.occasions) : 0);
  const fact = `${formatDate(view.from, view.time)} to ${formatDate(view.until, view.time)}`;
  return (
    <Section id="backtest" title="If it had run these 90 days" fact={fact}>
      {runs === 0 ? (
        <>
          <Empty title="It would not have run">{emptyWords(view)}</Empty>
          {view.ahead && occasionCount(view.ahead.version.occasions) > 0 ? <Facts view={view} /> : null}
        </>
      ) : (
        <div>
          {version.movedInCents + (view.ahead?.version.movedInCents ?? 0) > 0 &&
          destinations.length <= MAXIMUM_SERIES ? (
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
    <Table
      className="max-sm:[&_:is(td,th)]:pr-0 max-sm:[&_th]:align-bottom max-sm:[&_th]:whitespace-normal max-sm:[&_.number]:text-sm"
      caption="What would have moved, by destination"
      rows={destinations}
      keyOf={({ accountId }) => accountId}
      columns={[
        { head: "To", header: true, cell: ({ name }) => name, foot: totalWords(view) },
        active !== null && {
          head: `Version ${active.version} would move`,
          kind: "MONEY",
          phone: "HIDDEN",
          cell: ({ activeInCents }) => <Amount cents={activeInCents} quiet />,
          foot: <Amount cents={active.movedInCents} />,
        },
        {
          head: `Version ${version.version} would move`,
          kind: "MONEY",
          cell: ({ inCents }) => inCents,
          foot: <Amount cents={version.movedInCents} />,
        },
        active !== null && {
          head: "Difference",
          kind: "MONEY",
          cell: ({ inCents, activeInCents }) => <Difference cents={inCents - (activeInCents ?? 0)} />,
          foot: <Amount cents={version.movedInCents - active.movedInCents} plus="whenPositive" />,
        },
      ]}
    />
  );
}

function Difference({ cents }: { cents: number }) {
  if (cents === 0) return <span className="text-ink-3">same</span>;
  return <Amount cents={cents} plus="whenPositive" quiet />;
}

/** What would have gone wrong, per version, and the assumptions behind the figures. */
function Facts({ view }: { view: BacktestView }) {
  return (
    <div className="grid gap-4 mt-5 [&_li]:mt-1 [&_li]:text-ink-2">
      {view.ahead ? <AheadFacts view={view} ahead={view.ahead} /> : null}
      <VersionFacts view={view} one={view.version} />
      {view.active ? <VersionFacts view={view} one={view.active} /> : null}
      <p className="text-sm text-ink-3">{groundWords(view).join(" ")}</p>
    </div>
  );
}

/** `In the next 13 weeks: 14 deposits would move $12,000.00.` */
function AheadFacts({ view, ahead }: { view: BacktestView; ahead: BacktestAheadView }) {
  const { version, until } = ahead;
  const lowest = version.lowest;
  const facts = [
    `${occasionWords(version.occasions)} would move ${formatCents(version.movedInCents)} if everything else repeats from the last 13 weeks.`,
    ...runFacts(version),
    ...(lowest === null
      ? []
      : [
          `Lowest balance of ${view.sourceName}: ${formatCents(lowest.balanceInCents)} on ${formatShortDay(lowest.at, view.time)}.`,
        ]),
  ];
  return (
    <div>
      <h3 className="text-base font-semibold">Forecast until {formatDate(until, view.time)}</h3>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}

function VersionFacts({ view, one }: { view: BacktestView; one: BacktestVersionView }) {
  const lowest = lowestWords(view, one);
  const facts = [...runFacts(one), ...(lowest === null ? [] : [lowest])];
  if (facts.length === 0) return null;
  return (
    <div>
      <h3 className="text-base font-semibold">Version {one.version}</h3>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}
