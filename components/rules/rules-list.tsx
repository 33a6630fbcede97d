import { ChevronRight, CircleDashed, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { RunBars } from "@/components/rules/run-bars";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import { Status } from "@/components/ui/status";
import { RULE_STATES, rulesHref } from "@/lib/contract/rules-search";
import type { NextRun, RuleRowView, RuleState, RulesView } from "@/lib/contract/views/rules-view";
import { numberWords } from "@/lib/engine/words/number-words";
import { capitalized } from "@/lib/engine/words/phrases";

/** Every rule with what it does, when it runs and what it moved; above them what waits for a person. */
export function RulesList({ view }: { view: RulesView }) {
  return (
    <>
      <PageHead
        title={rulesTitle(view)}
        lede="Rules run by themselves once a person has activated them."
        actions={view.viewer.canDecide ? <NewRuleLink /> : null}
      />
      <PausedNotes view={view} />
      <WaitingNotes view={view} />
      {view.isLong ? <RulesFilters view={view} /> : null}
      {view.rules.length > 0 ? <RulesTable view={view} /> : <NothingListed view={view} />}
      <Pager view={view} />
    </>
  );
}

function NothingListed({ view }: { view: RulesView }) {
  if (!view.isLong) return <NoRules canDecide={view.viewer.canDecide} />;
  return <Empty title="Nothing matches">Clear the search to see every rule.</Empty>;
}

function Pager({ view: { rules, firstPosition, matchCount, previousHref, nextHref } }: { view: RulesView }) {
  if (previousHref === null && nextHref === null) return null;
  return (
    <div className="pager">
      <span>
        {rules.length > 0
          ? `${firstPosition} to ${firstPosition + rules.length - 1} of ${matchCount} rules`
          : null}
      </span>
      <span className="pager-a">
        <PagerLink href={previousHref}>Previous</PagerLink>
        <PagerLink href={nextHref}>Next</PagerLink>
      </span>
    </div>
  );
}

function NewRuleLink() {
  return (
    <div className="page-a">
      <Link className={buttonClass({ kind: "outlined" })} href="/rules/new">
        <Plus className="ic" />
        New rule
      </Link>
    </div>
  );
}

function NoRules({ canDecide }: { canDecide: boolean }) {
  return (
    <Empty title="Money stays where it arrives">
      {canDecide ? (
        <>
          Split what comes in, keep a pod full, or pay a card before it is due:{" "}
          <Link className="link" href="/rules/new">
            start from a rule that works
          </Link>
          .
        </>
      ) : (
        "Owners and co-owners make rules. What they activate shows here."
      )}
    </Empty>
  );
}

/** A band that waits for a person: what, why, and the way there. */
function WaitingBand({
  href,
  action,
  title,
  children,
}: {
  href: string;
  action: string;
  title: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="wait-b">
      <GateClosedIcon />
      <div>
        {title}
        <p>{children}</p>
      </div>
      <Link className={buttonClass({ kind: "outlined" })} href={href}>
        {action}
        <ChevronRight className="ic" />
      </Link>
    </div>
  );
}

function PausedNotes({ view: { paused, counts, viewer, time } }: { view: RulesView }) {
  return (
    <>
      {paused.map(({ href, name, pausedAt }) => (
        <WaitingBand
          key={href}
          href={href}
          action="Look"
          title={
            <>
              <b>{name}</b> is paused
            </>
          }
        >
          Money that it had moved on came back <Moment at={pausedAt} time={time} format={formatInSentence} />.
          It runs no more until {viewer.canDecide ? "you have" : "an owner or co-owner has"} looked.
        </WaitingBand>
      ))}
      <MoreNotes count={counts.PAUSED - paused.length} words="paused too" />
    </>
  );
}

function WaitingNotes({ view: { waiting, waitingCount, viewer, time } }: { view: RulesView }) {
  return (
    <>
      {waiting.map(({ href, name, version, activeVersion, proposedBy, proposedAt }) => (
        <WaitingBand
          key={href}
          href={href}
          action="Review"
          title={
            <>
              <b>
                {name}, version {version}
              </b>{" "}
              waits for {viewer.canDecide ? "you" : "an owner or co-owner"}
            </>
          }
        >
          <span className={proposedBy.kind === "API_KEY" ? "key" : undefined}>{proposedBy.name}</span>
          {proposedBy.kind === "ASSISTANT" ? ", an assistant," : null} proposed it{" "}
          <Moment at={proposedAt} time={time} format={formatInSentence} />.{" "}
          {untilThen(activeVersion, viewer.canDecide)}
        </WaitingBand>
      ))}
      <MoreNotes count={waitingCount - waiting.length} words="waiting too" />
    </>
  );
}

function untilThen(activeVersion: number | null, canDecide: boolean): string {
  const until = canDecide ? "until you activate it" : "until it is activated";
  return activeVersion === null ? `It does not run ${until}.` : `Version ${activeVersion} runs ${until}.`;
}

function MoreNotes({ count, words }: { count: number; words: string }) {
  if (count <= 0) return null;
  return (
    <p className="meta wait-m">
      {count} more {count === 1 ? "is" : "are"} {words}; each says so on its page.
    </p>
  );
}

function RulesTable({ view }: { view: RulesView }) {
  return (
    <table className="ledger rules-t">
      <caption className="vh">Rules</caption>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col" className="hide-s">
            Next run
          </th>
          <th scope="col" className="hide-s">
            Last run
          </th>
          <th scope="col" className="hide-s">
            Runs, 30 days
          </th>
          <th scope="col" className="hide-s">
            Status
          </th>
          <th scope="col" className="num">
            Moved, 30 days
          </th>
        </tr>
      </thead>
      <tbody>
        {view.rules.map((row) => (
          <RuleRow key={row.id} row={row} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function RuleRow({ row, view }: { row: RuleRowView; view: RulesView }) {
  const lastRun = row.lastRunAt ? <Moment at={row.lastRunAt} time={view.time} /> : "Never";
  return (
    <tr className="is-link">
      <th scope="row">
        <Link href={row.href}>
          <b>{row.name}</b>
        </Link>
        <span className="meta blk">
          {row.line ?? "Written for another version of Sluice, which this one cannot read."}
        </span>
        <span className="meta blk only-s">
          <RuleStateStatus state={row.state} />
          <NextRunWords next={row.next} view={view} />
        </span>
      </th>
      <td className="nowrap hide-s">
        {row.next.kind === "NONE" ? (
          <span className="dash">–</span>
        ) : (
          <NextRunWords next={row.next} view={view} />
        )}
      </td>
      <td className="ink2 nowrap hide-s">{lastRun}</td>
      <td className="hide-s">
        <RunBars row={row} />
      </td>
      <td className="hide-s">
        <RuleStateStatus state={row.state} />
      </td>
      <td className="num">
        {row.isAtLeast ? <span className="meta">over </span> : null}
        <Amount cents={row.movedInCents} quiet={row.movedInCents === 0} />
      </td>
    </tr>
  );
}

function NextRunWords({ next, view: { time, viewer } }: { next: NextRun; view: RulesView }) {
  switch (next.kind) {
    case "AT":
      return <Moment at={next.at} time={time} />;
    case "EACH_DEPOSIT":
      return "Each deposit";
    case "WHEN_RUN":
      return viewer.canDecide ? "When you run it" : "When it is run";
    case "NONE":
      return null;
  }
}

/** The title of the list as a statement: "Five rules route your money". */
export function rulesTitle({ counts }: Pick<RulesView, "counts">): string {
  const activeCount = counts.ACTIVE;
  if (activeCount + counts.PAUSED + counts.INACTIVE === 0) return "No rules yet";
  if (activeCount === 0) return "No rule is active";
  if (activeCount === 1) return "One rule routes your money";
  return `${capitalized(numberWords(activeCount))} rules route your money`;
}

/** Whether a rule runs. A pause waits for a person, so it is amber. */
function RuleStateStatus({ state }: { state: RuleState }) {
  switch (state) {
    case "ACTIVE":
      return (
        <Status tone="teal" icon={<GateOpenIcon />}>
          Active
        </Status>
      );
    case "PAUSED":
      return (
        <Status tone="amber" icon={<GateClosedIcon />}>
          Paused
        </Status>
      );
    case "INACTIVE":
      return (
        <Status tone="mute" icon={<CircleDashed className="ic" aria-hidden="true" />}>
          Not active
        </Status>
      );
  }
}

const STATES: Record<(typeof RULE_STATES)[number], { state: RuleState; label: string }> = {
  active: { state: "ACTIVE", label: "Active" },
  paused: { state: "PAUSED", label: "Paused" },
  inactive: { state: "INACTIVE", label: "Inactive" },
};

/** By state, with how many there are, and by name. Links and a form: it works without script. */
function RulesFilters({ view: { search, counts } }: { view: RulesView }) {
  const all = counts.ACTIVE + counts.PAUSED + counts.INACTIVE;
  const choices = [
    { value: null, label: "All", count: all },
    ...RULE_STATES.map((value) => ({
      value,
      label: STATES[value].label,
      count: counts[STATES[value].state],
    })),
  ];
  return (
    <search className="filters rules-f" aria-label="Filter rules">
      <span className="seg">
        {choices.map(({ value, label, count }) => (
          <Link
            key={label}
            href={rulesHref({ ...search, state: value, page: 1 })}
            scroll={false}
            aria-current={value === search.state ? "true" : undefined}
          >
            {label} {count}
          </Link>
        ))}
      </span>
      <form action="/rules" className="rules-q">
        {search.state === null ? null : <input type="hidden" name="state" value={search.state} />}
        <input
          className="in"
          type="search"
          name="q"
          aria-label="Name of a rule"
          placeholder="Name of a rule"
          maxLength={100}
          defaultValue={search.q ?? ""}
        />
        <Button kind="outlined" size="small" type="submit">
          Find
        </Button>
      </form>
      {search.state !== null || search.q !== null ? (
        <Link className="link" href="/rules" scroll={false}>
          Clear filters
        </Link>
      ) : null}
    </search>
  );
}
