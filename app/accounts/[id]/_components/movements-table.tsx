"use client";

import { Check, Undo2 } from "lucide-react";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { SECTION, SECTION_HEAD, Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { formatTimeLeft } from "@/components/time/time-left";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { LinkList } from "@/components/ui/link-list";
import { Status } from "@/components/ui/status";
import { SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import type { MovementFilter } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { MovementState, MovementView, WaitingMovementView } from "@/lib/views/accounts/list-movements";
import type { AccountPageView, MovementsView } from "@/lib/views/accounts/read-account-page";

const FILTERS: { filter: MovementFilter; label: string }[] = [
  { filter: "ALL", label: "In and out" },
  { filter: "IN", label: "In" },
  { filter: "OUT", label: "Out" },
];

/** The account's movements, newest first, with the balance after each. Filter and page are in the URL. */
export function MovementsTable({ view }: { view: AccountPageView }) {
  const { movements, time, history } = view;
  const hasBalance = history !== null;
  return (
    <section className={SECTION} aria-labelledby="movements">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="movements">
          {hasBalance ? "Movements" : "Movements through Sluice"}
        </h2>
        <nav className="flex flex-wrap items-center gap-2 print:hidden" aria-label="Filter movements">
          <span className={SEGMENTED}>
            {FILTERS.map(({ filter, label }) => (
              <Link
                key={filter}
                href={movements.filterHrefs[filter]}
                scroll={false}
                aria-current={filter === movements.filter ? "true" : undefined}
              >
                {label}
              </Link>
            ))}
          </span>
        </nav>
      </div>
      {movements.rows.length > 0 ? (
        <MovementRows rows={movements.rows} time={time} hasBalance={hasBalance} />
      ) : (
        <Empty title="No movements">{emptyWords(movements)}</Empty>
      )}
      <Pager movements={movements} />
    </section>
  );
}

function emptyWords({ filter, page }: MovementsView): string {
  if (page > 1) return "There are no older movements.";
  if (filter === "IN") return "No incoming money yet.";
  return filter === "OUT" ? "No outgoing money yet." : "Movements will appear here.";
}

interface MovementRowsProps {
  rows: readonly MovementView[];
  time: TimeContext;
  hasBalance: boolean;
}

function MovementRows({ rows, time, hasBalance }: MovementRowsProps) {
  return (
    <Table
      className="[&_td_a:hover]:underline"
      caption="Movements, newest first"
      rows={rows}
      columns={[
        {
          head: "When",
          className: "text-sm text-ink-3 w-24 max-sm:w-16",
          cell: ({ at }) => <Moment at={at} time={time} format={formatMoment} />,
        },
        { head: "Movement", takesBelow: "AFTER", cell: (movement) => <MovementName movement={movement} /> },
        {
          head: "Status",
          phone: "BELOW",
          belowClass: "max-sm:mt-1.5 max-sm:font-normal max-sm:whitespace-normal",
          cell: ({ state }) => <MovementStatus state={state} />,
          below: ({ state }) => (state === "SETTLED" ? null : <MovementStatus state={state} />),
        },
        {
          head: "Amount",
          kind: "MONEY",
          cell: ({ changeInCents }) => <Amount cents={changeInCents} plus="whenPositive" />,
        },
        hasBalance && {
          head: "Balance",
          kind: "MONEY",
          phone: "HIDDEN",
          cell: ({ balanceAfterInCents }) =>
            balanceAfterInCents === null ? <Pending /> : <Amount cents={balanceAfterInCents} quiet />,
        },
      ]}
    />
  );
}

function MovementName({ movement: { fromName, toName, state, href, about } }: { movement: MovementView }) {
  const flow = <Flow from={fromName} to={toName} state={SLUICE[state]} layout="column" />;
  return (
    <>
      {href ? <Link href={href}>{flow}</Link> : flow}
      <span className={SUBLINE}>{about}</span>
    </>
  );
}

function Pending() {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">pending</span>
    </span>
  );
}

const SLUICE: Record<MovementState, SluiceState> = {
  SETTLED: "through",
  ON_ITS_WAY: "open",
  SENT_BACK: "denied",
  RETURN: "through",
};

function MovementStatus({ state }: { state: MovementState }) {
  if (state === "ON_ITS_WAY") {
    return (
      <Status tone="teal" icon={<GateOpenIcon />}>
        On its way
      </Status>
    );
  }
  if (state === "SETTLED") {
    return (
      <Status tone="green" icon={<Check />}>
        Settled
      </Status>
    );
  }
  return (
    <Status tone="red" icon={<Undo2 />}>
      Sent back
    </Status>
  );
}

function Pager({
  movements: { page, previousHref, nextHref, allOnItsWayHref },
}: {
  movements: MovementsView;
}) {
  if (!previousHref && !nextHref && !allOnItsWayHref) return null;
  return (
    <PagerRow>
      <span>Page {page}</span>
      <span className="flex gap-2">
        {allOnItsWayHref ? <PagerLink href={allOnItsWayHref}>Show all on their way</PagerLink> : null}
        <PagerLink href={previousHref}>Newer</PagerLink>
        <PagerLink href={nextHref}>Older</PagerLink>
      </span>
    </PagerRow>
  );
}

/** Open proposals that would move money into or out of this account. */
export function WaitingMovements({
  view: { waiting, time, viewer },
}: {
  view: Pick<AccountPageView, "waiting" | "time" | "viewer">;
}) {
  return (
    <Section
      id="waiting"
      title={viewer.canDecide ? "Needs your decision" : "Waiting for approval"}
      fact={waiting.length}
    >
      <LinkList>
        {waiting.map((movement) => (
          <li key={movement.id}>
            <span>
              <Link href={movement.href}>{otherSide(movement)}</Link>
              <span className={SUBLINE}>
                {formatTimeLeft(Date.parse(movement.expiresAt) - Date.parse(time.nowAt))} left
              </span>
            </span>
            {movement.changeInCents === null ? (
              <span className="text-ink-3">–</span>
            ) : (
              <Amount cents={movement.changeInCents} plus="whenPositive" />
            )}
          </li>
        ))}
      </LinkList>
    </Section>
  );
}

/** A rule run may touch many accounts, so it is named after its rule. */
function otherSide({ changeInCents, subject }: WaitingMovementView): string {
  if (subject.kind === "RULE_RUN") return `Run of ${subject.ruleName}`;
  return (changeInCents ?? 0) > 0 ? `From ${subject.sourceName}` : `To ${subject.destinationName}`;
}
