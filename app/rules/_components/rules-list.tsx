"use client";

import { ChevronRight, CircleDashed, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { RunBars } from "@/app/rules/_components/run-bars";
import { LinkedTable } from "@/components/layout/linked-table";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Amount } from "@/components/money/amount";
import { formatInSentence, inZone } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { inputClass } from "@/components/ui/input-class";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { KEY_NAME, LINK, SUBLINE } from "@/components/ui/text-styles";
import { RULE_STATES, rulesHref } from "@/lib/contract/search/list-search";
import type { NextRun, RuleState, RulesView } from "@/lib/views/rules/read-rules-page";
import { lookAlikeWords } from "@/lib/words/look-alike-words";

/** Every rule with its summary, next run and total moved; above them, what needs a person. */
export function RulesList({ view }: { view: RulesView }) {
  return (
    <>
      <PageHead
        title={rulesTitle(view)}
        lede="Rules run automatically once a person activates them."
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
  return <Empty title="No results">Clear the search to see every rule.</Empty>;
}

function Pager({ view: { rules, firstPosition, matchCount, previousHref, nextHref } }: { view: RulesView }) {
  if (previousHref === null && nextHref === null) return null;
  return (
    <PagerRow>
      <span>
        {rules.length > 0
          ? `${firstPosition} to ${firstPosition + rules.length - 1} of ${matchCount} rules`
          : null}
      </span>
      <span className="flex gap-2">
        <PagerLink href={previousHref}>Previous</PagerLink>
        <PagerLink href={nextHref}>Next</PagerLink>
      </span>
    </PagerRow>
  );
}

function NewRuleLink() {
  return (
    <PageActions>
      <Link className={buttonClass({ kind: "outlined" })} href="/rules/new">
        <Plus />
        New rule
      </Link>
    </PageActions>
  );
}

function NoRules({ canDecide }: { canDecide: boolean }) {
  return (
    <Empty title="No rules yet">
      {canDecide ? (
        <>
          Split deposits, keep a pod full, or pay a card before it is due:{" "}
          <Link className={LINK} href="/rules/new">
            start from a template
          </Link>
          .
        </>
      ) : (
        "Only owners and co-owners can create rules. Active rules will appear here."
      )}
    </Empty>
  );
}

/** A notice that needs a person: what, why, and a link. */
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
    <div className="grid grid-cols-[auto_1fr_auto] items-center gap-4 mb-7 [&+&]:-mt-4 py-3.5 px-4 rounded-md bg-amber-soft [&>svg]:size-5 [&>svg]:text-amber [&>div]:min-w-0 [&>div]:wrap-anywhere [&_p]:text-ink-2 max-sm:grid-cols-[auto_1fr] max-sm:[&_.button]:col-span-full">
      <GateClosedIcon />
      <div>
        {title}
        <p>{children}</p>
      </div>
      <Link className={buttonClass({ kind: "outlined" })} href={href}>
        {action}
        <ChevronRight />
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
          action="View"
          title={
            <>
              <b>{name}</b> is paused
            </>
          }
        >
          Money that it moved was returned <Moment at={pausedAt} time={time} format={formatInSentence} />. It
          won’t run until {viewer.canDecide ? "you review" : "an owner or co-owner reviews"} it.
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
              {viewer.canDecide ? "needs your review" : "is waiting for an owner or co-owner"}
            </>
          }
        >
          <span className={proposedBy.kind === "API_KEY" ? KEY_NAME : undefined}>{proposedBy.name}</span>
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
  return activeVersion === null ? `It won’t run ${until}.` : `Version ${activeVersion} runs ${until}.`;
}

function MoreNotes({ count, words }: { count: number; words: string }) {
  if (count <= 0) return null;
  return (
    <p className="-mt-4 mb-7 text-sm text-ink-3">
      {count} more {count === 1 ? "is" : "are"} {words}; see their pages.
    </p>
  );
}

function RulesTable({ view }: { view: RulesView }) {
  return (
    <LinkedTable
      className="[&_.subline]:max-w-[46ch] [&_.subline]:mt-0.5 [&_.subline]:text-pretty [&_tbody_th]:align-top [&_td]:align-top [&_tbody_th]:py-4.5 [&_tbody_th]:wrap-anywhere [&_td]:py-4.5 [&_tbody_th_b]:text-md"
      caption="Rules"
      rows={view.rules}
      link={({ href }) => href}
      columns={[
        {
          head: "Rule",
          header: true,
          cell: ({ name }) => <b>{name}</b>,
          about: ({ line, lookAlike }) => (
            <>
              <span className={RULE_LINE}>
                {line ?? "Written by a newer version of Sluice; this version can’t read it."}
              </span>
              {lookAlike === null ? null : (
                <span className={RULE_LINE}>{lookAlikeWords([lookAlike]).text}</span>
              )}
            </>
          ),
        },
        {
          head: "Next run",
          kind: "MOMENT",
          phone: "HIDDEN",
          cell: ({ next }) =>
            next.kind === "NONE" ? (
              <span className="text-ink-3">–</span>
            ) : (
              <NextRunWords next={next} view={view} />
            ),
        },
        {
          head: "Last run",
          kind: "MOMENT",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ lastRunAt }) => (lastRunAt ? <Moment at={lastRunAt} time={view.time} /> : "Never"),
        },
        { head: "Runs, 30 days", phone: "HIDDEN", cell: (row) => <RunBars row={row} /> },
        {
          head: "Status",
          phone: "BELOW",
          belowClass: `${RULE_LINE} max-sm:mt-1.5 max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:gap-y-0.5`,
          cell: ({ state }) => <RuleStateStatus state={state} />,
          below: ({ state, next }) => (
            <>
              <RuleStateStatus state={state} />
              <NextRunWords next={next} view={view} />
            </>
          ),
        },
        {
          head: "Moved, 30 days",
          kind: "MONEY",
          cell: ({ isAtLeast, movedInCents }) => (
            <>
              {isAtLeast ? <span className="text-sm text-ink-3">over </span> : null}
              <Amount cents={movedInCents} quiet={movedInCents === 0} />
            </>
          ),
        },
      ]}
    />
  );
}

/** What a rule does, below its name: no wider than it reads well. */
const RULE_LINE = `${SUBLINE} max-w-[46ch] mt-0.5 text-pretty`;

function NextRunWords({ next, view: { time } }: { next: NextRun; view: RulesView }) {
  switch (next.kind) {
    case "AT":
      return <Moment at={next.at} time={inZone(time, next.timeZone)} />;
    case "EACH_DEPOSIT":
      return "Each deposit";
    case "WHEN_RUN":
      return "Manual";
    case "NONE":
      return null;
  }
}

/** The title of the list: "5 rules route your money". */
export function rulesTitle({ counts }: Pick<RulesView, "counts">): string {
  const activeCount = counts.ACTIVE;
  if (activeCount + counts.PAUSED + counts.INACTIVE === 0) return "No rules yet";
  if (activeCount === 0) return "No active rules";
  if (activeCount === 1) return "1 rule routes your money";
  return `${activeCount} rules route your money`;
}

/** The status of a rule. Paused is amber because it needs a person. */
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
        <Status tone="mute" icon={<CircleDashed aria-hidden="true" />}>
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

/** Filters by status, with counts, and by name. Links and a form, so it works without scripts. */
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
    <search className="flex flex-wrap items-center gap-2 print:hidden mb-1" aria-label="Filter rules">
      <span className={SEGMENTED}>
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
      <form action="/rules" className="flex items-center gap-2 min-w-0 [&_.input]:w-55 [&_.input]:min-w-0">
        {search.state === null ? null : <input type="hidden" name="state" value={search.state} />}
        <input
          className={inputClass()}
          type="search"
          name="q"
          aria-label="Rule name"
          placeholder="Rule name"
          maxLength={100}
          defaultValue={search.q ?? ""}
        />
        <Button kind="outlined" size="small" type="submit">
          Search
        </Button>
      </form>
      {search.state !== null || search.q !== null ? (
        <Link className={LINK} href="/rules" scroll={false}>
          Clear filters
        </Link>
      ) : null}
    </search>
  );
}
