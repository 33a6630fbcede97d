import { CircleDashed, CircleMinus, CirclePause } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { ActivationChecks, RuleSentence } from "@/app/rules/_components/rule-sentence";
import { BacktestCheck, type BacktestReading } from "@/app/rules/[id]/_components/backtest-section";
import { DryRun } from "@/app/rules/[id]/_components/dry-run";
import { ProposedStops } from "@/app/rules/[id]/_components/proposed-stops";
import { RuleButtons } from "@/app/rules/[id]/_components/rule-buttons";
import { RunCrumb } from "@/app/rules/[id]/_components/run-status";
import { RunsLedger } from "@/app/rules/[id]/_components/runs-list";
import { TriedNetwork, TryoutProvider } from "@/app/rules/[id]/_components/tryout";
import { ProposedBy, Versions, WhatChanges } from "@/app/rules/[id]/_components/version-sections";
import { COLUMNS } from "@/components/layout/columns";
import { PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { LookAlikeNote } from "@/components/parts/accounts/look-alike-note";
import { Signatures } from "@/components/parts/approvals/signatures";
import { SigningDeadline } from "@/components/parts/approvals/signing-deadline";
import { inZone } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { FactLine } from "@/components/ui/fact-line";
import { GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK, PAGE_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { scheduleZoneOf } from "@/lib/contract/rules/definition-parts";
import { incomingThresholds } from "@/lib/engine/check-conditions";
import type { RuleVersionView } from "@/lib/views/rules/list-versions";
import type { RuleView } from "@/lib/views/rules/read-rule-page";
import { checkWords } from "@/lib/words/rules/activation-words";
import { RULE_EVENT_WORDS } from "@/lib/words/rules/rule-event-words";
import { ruleSentence, shortageSentence } from "@/lib/words/rules/rule-sentence";

interface RulePageProps {
  view: RuleView;
  /** The backtest of the version; streamed after the page. */
  backtest: ReactNode;
  /** The same backtest, for the checks. */
  backtestReading: BacktestReading;
}

/** The example amount for rules without past deposits. */
const EXAMPLE_IN_CENTS = 500_000;

/** One version of a rule: sentence, drawing, dry run, changes, and actions. */
export function RulePage({ view, backtest, backtestReading }: RulePageProps) {
  const { id, name, shown, definition, names, facts, viewer } = view;
  const tryout = { version: shown.number, definition, facts, names };
  return (
    <div className="max-sm:[&_:is(td,th)_a]:inline-flex max-sm:[&_:is(td,th)_a]:items-center max-sm:[&_:is(td,th)_a]:min-h-11">
      <RunCrumb rule={{ name, href: `/rules/${id}` }} here={`Version ${shown.number}`} />
      <RuleHead view={view} backtestReading={backtestReading} />
      <RuleNotes view={view} />
      <RuleSentence phrases={ruleSentence(definition, names)} />
      <p className="text-sm text-ink-3 max-w-[68ch] mt-3">{shortageSentence(definition)}</p>
      {definition.description ? (
        <p className="max-w-[68ch] mt-3 whitespace-pre-line wrap-anywhere text-ink-2">
          {definition.description}
        </p>
      ) : null}
      <TryoutProvider key={shown.number} subject={tryout} initialInCents={initialAmount(view)}>
        <TriedNetwork />
        <div
          className={`${COLUMNS} grid-rows-[auto_1fr] gap-y-0 mt-12 [grid-template-areas:'try_side'_'rec_side'] max-sm:[grid-template-areas:'try'_'side'_'rec'] [&>*]:min-w-0`}
        >
          <div className="[grid-area:try] [&>section:first-child]:mt-0">
            <DryRun />
            {backtest}
          </div>
          <SideColumn className="[grid-area:side] max-sm:mt-10" sticky={false}>
            <WhatChanges view={view} />
            <ProposedBy shown={shown} time={view.time} />
            {view.signing ? (
              <>
                <Signatures signing={view.signing} time={view.time} verb="sign for it" />
                <SigningDeadline signing={view.signing} time={view.time} />
              </>
            ) : null}
            {shown.state === "ACTIVE" || shown.state === "DISCARDED" ? null : (
              <section aria-labelledby="checks">
                <h2 className="text-base font-semibold" id="checks">
                  Before you activate
                </h2>
                <ActivationChecks checks={view.checks} names={names}>
                  <Suspense>
                    <BacktestCheck reading={backtestReading} />
                  </Suspense>
                </ActivationChecks>
              </section>
            )}
            <ScheduleTimes view={view} />
            <RuleHistory view={view} />
            {viewer.canDecide ? (
              <section aria-labelledby="programs">
                <h2 className="text-base font-semibold" id="programs">
                  For programs
                </h2>
                <p className="text-ink-2">
                  Start this rule{" "}
                  <Link className={LINK} href={`/rules/${id}/hook`}>
                    from a webhook
                  </Link>
                  .
                </p>
              </section>
            ) : null}
          </SideColumn>
          <div className="[grid-area:rec]">
            <RecentRuns view={view} />
            <Versions view={{ ...view, shownVersion: shown.number }} />
          </div>
        </div>
      </TryoutProvider>
    </div>
  );
}

function RuleHead({ view, backtestReading }: Omit<RulePageProps, "backtest">) {
  return (
    <PageHeadRow className="mb-5">
      <div className="min-w-0">
        <h1 className={`${PAGE_TITLE} wrap-anywhere`}>{view.name}</h1>
        <FactLine className="mt-2.5 [&_.status]:flex-none">
          <VersionStatus shown={view.shown} isPaused={view.pausedAt !== null} />
          <span>{standingWords(view)}</span>
        </FactLine>
      </div>
      {view.viewer.canDecide ? <RuleButtons view={view} backtestReading={backtestReading} /> : null}
    </PageHeadRow>
  );
}

/** Activation problems, why it is paused, and who can act. */
function RuleNotes({ view }: { view: RuleView }) {
  const { shown, checks, names, pausedAt, viewer } = view;
  const blocking = checks.filter((check) => check.outcome === "BLOCKS");
  const couldActivate = shown.state === "PROPOSED" || shown.state === "PAST";
  return (
    <div className="grid gap-3 empty:hidden [&_.notice_p]:mt-0.5">
      {checks.map((check) =>
        check.kind === "LOOK_ALIKE" ? <LookAlikeNote key={check.kind} names={check.names} /> : null,
      )}
      <ProposedStops view={view} />
      {pausedAt !== null ? <PausedNote pausedHref={`/rules/${view.id}/paused`} /> : null}
      {couldActivate && blocking.length > 0 ? (
        <Note>
          <b>Can’t be activated yet.</b>
          {blocking.map((check) => {
            const { title, text } = checkWords(check, names);
            return (
              <p key={check.kind}>
                {title}. {text}
              </p>
            );
          })}
        </Note>
      ) : null}
      {viewer.canDecide ? null : (
        <p className="text-sm text-ink-3">
          Only owners and co-owners can edit, activate and deactivate rules.
        </p>
      )}
    </div>
  );
}

/** The dry run's initial amount: the typical deposit, else the account's balance, else an example. */
function initialAmount({ typicalInCents, facts, definition }: RuleView): number {
  const available = facts.accounts[definition.trigger.accountId]?.availableInCents ?? 0;
  const isArrival = definition.trigger.type === "ON_FUNDS_TRANSFERRED";
  if (isArrival && typicalInCents !== null) return typicalInCents;
  if (!isArrival && available > 0) return available;
  const largest = Math.max(0, ...incomingThresholds(definition).map(({ atInCents }) => atInCents));
  return Math.max(EXAMPLE_IN_CENTS, largest);
}

interface PausedNoteProps {
  /** The page with the reason and possible reversals. */
  pausedHref: string;
  /** The rule's name, for lists of several rules. */
  ruleName?: string;
}

/** The rule is paused because money that it had split was returned; no live runs until a person resumes it. */
function PausedNote({ pausedHref, ruleName }: PausedNoteProps) {
  return (
    <Note>
      <b>{ruleName ? `${ruleName} is paused.` : "This rule is paused."}</b> The bank returned money that it
      had split, so it doesn’t run.{" "}
      <Link className={LINK} href={pausedHref}>
        View returned transfer
      </Link>
    </Note>
  );
}

/** `Version 4, not active`: amber only if a person must act. */
function VersionStatus({ shown, isPaused }: { shown: RuleVersionView; isPaused: boolean }) {
  const version = `Version ${shown.number}`;
  if (shown.state === "ACTIVE") {
    return isPaused ? (
      <Status tone="amber" icon={<CirclePause />}>
        {version}, paused
      </Status>
    ) : (
      <Status tone="teal" icon={<GateOpenIcon />}>
        {version}, active
      </Status>
    );
  }
  return shown.state === "DISCARDED" ? (
    <Status tone="mute" icon={<CircleMinus />}>
      {version}, discarded
    </Status>
  ) : (
    <Status tone="mute" icon={<CircleDashed />}>
      {version}, not active
    </Status>
  );
}

/** The latest runs, including dry runs. */
function RecentRuns({ view }: { view: RuleView }) {
  return (
    <Section
      id="runs"
      title="Runs"
      fact={
        view.runs.length > 0 ? (
          <Link className={LINK} href={`/rules/${view.id}/runs`}>
            All runs
          </Link>
        ) : null
      }
    >
      {view.runs.length === 0 ? (
        <Empty title="No runs yet">
          {view.activeVersion === null
            ? "A rule runs once a version of it is active."
            : "Its runs will appear here."}
        </Empty>
      ) : (
        <RunsLedger rows={view.runs} viewer={view.viewer} time={view.time} />
      )}
    </Section>
  );
}

/** The next scheduled times, and those missed. */
function ScheduleTimes({ view }: { view: RuleView }) {
  const { nextRuns, skipped, shown, time } = view;
  if (nextRuns.length === 0 && skipped.length === 0) return null;
  const scheduled = inZone(time, scheduleZoneOf(view.definition));
  const isActive = shown.state === "ACTIVE";
  return (
    <section aria-labelledby="times">
      <h2 className="text-base font-semibold" id="times">
        {isActive ? "Next runs" : "Next runs if activated"}
      </h2>
      {nextRuns.length === 0 ? <p className="text-ink-2">None: the schedule has ended.</p> : null}
      <ol className="grid gap-2">
        {nextRuns.map((at) => (
          <li key={at}>
            <Moment at={at} time={scheduled} />
          </li>
        ))}
      </ol>
      {skipped.length > 0 ? (
        <>
          <h3 className="text-base font-semibold mt-4">Missed runs</h3>
          <ul className="grid gap-2">
            {skipped.map(({ scheduledFor, reason, times }) => (
              <li key={scheduledFor}>
                <Moment at={scheduledFor} time={scheduled} />
                <span className={SUBLINE}>
                  {times > 1 ? `and ${times - 1} before it: ` : ""}
                  {SKIPPED_BECAUSE[reason]}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

const SKIPPED_BECAUSE = {
  PAUSED: "the rule was paused",
  GATES_CLOSED: "all gates were closed",
  DOWNTIME: "Sluice was not running",
} as const satisfies Record<RuleView["skipped"][number]["reason"], string>;

/** Members' actions on the rule. */
function RuleHistory({ view }: { view: Pick<RuleView, "events" | "time"> }) {
  if (view.events.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 className="text-base font-semibold" id="history">
        Activity
      </h2>
      <ul className="grid gap-2">
        {view.events.map((event) => (
          <li key={event.id}>
            {RULE_EVENT_WORDS[event.kind](event.version)}
            <span className={SUBLINE}>
              {event.byName ? `${event.byName}, ` : ""}
              <Moment at={event.at} time={view.time} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The standing of the shown version, in one sentence beside its status. */
function standingWords(
  view: Pick<RuleView, "shown" | "activeVersion" | "latestVersion" | "pausedAt">,
): string {
  const { shown, activeVersion, latestVersion, pausedAt } = view;
  if (shown.state === "DISCARDED") return "It was discarded and can’t be activated.";
  if (shown.state === "ACTIVE") {
    if (pausedAt !== null) return "It won’t run until an owner or co-owner resumes it.";
    return latestVersion === shown.number
      ? "Runs without approval."
      : `Runs without approval. Version ${latestVersion} is newer and not active.`;
  }
  if (activeVersion === null) return "It won’t run until an owner or co-owner activates it.";
  return `Version ${activeVersion} keeps running until you activate this one.`;
}
