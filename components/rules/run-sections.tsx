import { RunsLedger } from "@/components/rules/runs-list";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { RuleEventView, RuleView } from "@/lib/contract/views/rule-view";

/** The latest runs, dry ones too. */
export function RecentRuns({ view }: { view: RuleView }) {
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
export function ScheduleTimes({ view }: { view: RuleView }) {
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
export function RuleHistory({ view }: { view: Pick<RuleView, "events" | "time"> }) {
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
