import { CircleDashed, CircleMinus, CirclePause } from "lucide-react";
import type { ReactNode } from "react";
import { DryRun } from "@/components/rules/dry-run";
import { RuleButtons } from "@/components/rules/rule-buttons";
import { ActivationChecks, RuleSentence } from "@/components/rules/rule-sentence";
import { RunCrumb } from "@/components/rules/run-status";
import { RunsLedger } from "@/components/rules/runs-list";
import { TriedNetwork, TryoutProvider } from "@/components/rules/tryout";
import { ProposedBy, standingWords, Versions, WhatChanges } from "@/components/rules/version-sections";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { RuleActions } from "@/lib/contract/views/rule-change";
import type { RuleEventView, RuleVersionView, RuleView } from "@/lib/contract/views/rule-view";
import { incomingThresholds } from "@/lib/engine/check-conditions";
import { checkWords } from "@/lib/engine/words/activation-words";
import { ruleSentence, shortageSentence } from "@/lib/engine/words/rule-sentence";

interface RulePageProps {
  view: RuleView;
  actions: RuleActions;
  /** What the version would have moved lately; it may come after the page. */
  backtest: ReactNode;
}

/** A round amount for rules on whose account nothing has arrived. */
const EXAMPLE_IN_CENTS = 500_000;

/** One version of a rule: what it says, what it would do, what it changes, and what a person can do with it. */
export function RulePage({ view, actions, backtest }: RulePageProps) {
  const { id, name, shown, definition, names, facts, viewer } = view;
  const tryout = { version: shown.number, definition, facts, names };
  return (
    <div className="rulep">
      <RunCrumb rule={{ name, href: `/rules/${id}` }} here={`Version ${shown.number}`} />
      <RuleHead view={view} actions={actions} />
      <RuleNotes view={view} />
      <RuleSentence phrases={ruleSentence(definition, names)} />
      <p className="hint rule-short">{shortageSentence(definition)}</p>
      {definition.description ? <p className="ink2 rule-d">{definition.description}</p> : null}
      <TryoutProvider key={shown.number} subject={tryout} initialInCents={initialAmount(view)}>
        <TriedNetwork />
        <div className="cols">
          <div className="rule-try">
            <DryRun />
            {backtest}
          </div>
          <aside className="side">
            <div className="side-in rule-side">
              <WhatChanges view={view} />
              <ProposedBy shown={shown} time={view.time} />
              {shown.state === "ACTIVE" || shown.state === "DISCARDED" ? null : (
                <section aria-labelledby="checks">
                  <h2 className="h3" id="checks">
                    Before you activate
                  </h2>
                  <ActivationChecks checks={view.checks} names={names} />
                </section>
              )}
              <ScheduleTimes view={view} />
              <RuleHistory view={view} />
              {viewer.canDecide ? (
                <section aria-labelledby="programs">
                  <h2 className="h3" id="programs">
                    For programs
                  </h2>
                  <p className="ink2">
                    Other programs can run it through{" "}
                    <Link className="link" href={`/rules/${id}/hook`}>
                      an address of its own
                    </Link>
                    .
                  </p>
                </section>
              ) : null}
            </div>
          </aside>
          <div className="rule-rec">
            <RecentRuns view={view} />
            <Versions view={{ ...view, shownVersion: shown.number }} />
          </div>
        </div>
      </TryoutProvider>
    </div>
  );
}

function RuleHead({ view, actions }: Pick<RulePageProps, "view" | "actions">) {
  return (
    <div className="page-h">
      <div>
        <h1 className="h1">{view.name}</h1>
        <p className="ask-s">
          <VersionStatus shown={view.shown} isPaused={view.pausedAt !== null} />
          <span>{standingWords(view)}</span>
        </p>
      </div>
      {view.viewer.canDecide ? <RuleButtons view={view} actions={actions} /> : null}
    </div>
  );
}

/** What stands in the way, why it is paused, and who may act. */
function RuleNotes({ view }: { view: RuleView }) {
  const { shown, checks, names, pausedAt, viewer } = view;
  const blocking = checks.filter((check) => check.outcome === "BLOCKS");
  const couldActivate = shown.state === "PROPOSED" || shown.state === "PAST";
  return (
    <div className="rule-n">
      {pausedAt !== null ? <PausedNote pausedHref={`/rules/${view.id}/paused`} /> : null}
      {couldActivate && blocking.length > 0 ? (
        <Note>
          <b>It cannot be activated like this.</b>
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
        <p className="meta">
          Owners and co-owners edit, activate and deactivate rules. You see what they see.
        </p>
      )}
    </div>
  );
}

/** What the dry run begins with: what typically arrives, else what the account has, else an example that every step can take. */
function initialAmount({ typicalInCents, facts, definition }: RuleView): number {
  const available = facts.accounts[definition.trigger.accountId]?.availableInCents ?? 0;
  const isArrival = definition.trigger.type === "ON_FUNDS_TRANSFERRED";
  if (isArrival && typicalInCents !== null) return typicalInCents;
  if (!isArrival && available > 0) return available;
  const largest = Math.max(0, ...incomingThresholds(definition).map(({ atInCents }) => atInCents));
  return Math.max(EXAMPLE_IN_CENTS, largest);
}

interface PausedNoteProps {
  /** The page that says why, and what could be moved back. */
  pausedHref: string;
  /** In a list, where several rules stand: which one. */
  ruleName?: string;
}

/** A return of money that a rule has split paused it: nothing of it runs live until a person has looked. */
function PausedNote({ pausedHref, ruleName }: PausedNoteProps) {
  return (
    <Note>
      <b>{ruleName ? `${ruleName} is paused.` : "This rule is paused."}</b> Money that it had split was sent
      back by the bank, so it does not run.{" "}
      <Link className="link" href={pausedHref}>
        See what came back
      </Link>
    </Note>
  );
}

/** `Version 4, not active`: amber only where a person must act. */
function VersionStatus({ shown, isPaused }: { shown: RuleVersionView; isPaused: boolean }) {
  const version = `Version ${shown.number}`;
  if (shown.state === "ACTIVE") {
    return isPaused ? (
      <Status tone="amber" icon={<CirclePause className="ic" />}>
        {version}, paused
      </Status>
    ) : (
      <Status tone="teal" icon={<GateOpenIcon />}>
        {version}, active
      </Status>
    );
  }
  return shown.state === "DISCARDED" ? (
    <Status tone="mute" icon={<CircleMinus className="ic" />}>
      {version}, discarded
    </Status>
  ) : (
    <Status tone="mute" icon={<CircleDashed className="ic" />}>
      {version}, not active
    </Status>
  );
}

/** The latest runs, dry ones too. */
function RecentRuns({ view }: { view: RuleView }) {
  return (
    <Section
      id="runs"
      title="Runs"
      fact={
        view.runs.length > 0 ? (
          <Link className="link" href={`/rules/${view.id}/runs`}>
            All runs
          </Link>
        ) : null
      }
    >
      {view.runs.length === 0 ? (
        <Empty title="It has not run yet">
          {view.activeVersion === null
            ? "A rule runs once a version of it is active."
            : "Its first run shows here."}
        </Empty>
      ) : (
        <RunsLedger rows={view.runs} viewer={view.viewer} time={view.time} />
      )}
    </Section>
  );
}

/** When a schedule comes round next, and which of its times passed without a run. */
function ScheduleTimes({ view }: { view: RuleView }) {
  const { nextRuns, skipped, shown, time } = view;
  if (nextRuns.length === 0 && skipped.length === 0) return null;
  const isActive = shown.state === "ACTIVE";
  return (
    <section aria-labelledby="times">
      <h2 className="h3" id="times">
        {isActive ? "Runs next" : "Would run next"}
      </h2>
      {nextRuns.length === 0 ? <p className="ink2">Never again: its schedule is over.</p> : null}
      <ol className="times">
        {nextRuns.map((at) => (
          <li key={at}>
            <Moment at={at} time={time} />
          </li>
        ))}
      </ol>
      {skipped.length > 0 ? (
        <>
          <h3 className="h3 times-h">Passed without a run</h3>
          <ul className="times">
            {skipped.map(({ scheduledFor, reason, times }) => (
              <li key={scheduledFor}>
                <Moment at={scheduledFor} time={time} />
                <span className="meta blk">
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

const EVENT_WORDS = {
  ACTIVATED: (version) => `Activated version ${version}`,
  DEACTIVATED: (version) => `Deactivated version ${version}`,
  DISCARDED: (version) => `Discarded version ${version}`,
  DELETED: () => "Deleted the rule",
  PAUSED: () => "Paused: money that it had moved came back",
  RESUMED: () => "Resumed it",
  HOOK_MADE: () => "Made an address for programs",
  HOOK_REMOVED: () => "Removed the address for programs",
} as const satisfies Record<RuleEventView["kind"], (version: number | null) => string>;

/** What people did with it. */
function RuleHistory({ view }: { view: Pick<RuleView, "events" | "time"> }) {
  if (view.events.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 className="h3" id="history">
        What was done
      </h2>
      <ul className="times">
        {view.events.map((event) => (
          <li key={event.id}>
            {EVENT_WORDS[event.kind](event.version)}
            <span className="meta blk">
              {event.byName ? `${event.byName}, ` : ""}
              <Moment at={event.at} time={view.time} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
