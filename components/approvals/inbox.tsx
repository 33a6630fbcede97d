import Link from "next/link";
import { DecidedTable } from "@/components/approvals/decided-table";
import { inboxTitle } from "@/components/approvals/inbox-title";
import { WaitingList } from "@/components/approvals/waiting-list";
import { OpenWaterScene } from "@/components/sluice/open-water-scene";
import { Empty } from "@/components/ui/empty";
import { KeyHints } from "@/components/ui/key-hints";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import type { DecidedFilter, InboxView } from "@/lib/contract/views/inbox-view";

const FILTERS: { filter: DecidedFilter; label: string }[] = [
  { filter: "ALL", label: "All" },
  { filter: "APPROVED", label: "Approved" },
  { filter: "DENIED", label: "Denied" },
  { filter: "EXPIRED", label: "Expired" },
];

/** The inbox: what waits, then what was decided. */
export function Inbox({ view }: { view: InboxView }) {
  const { waiting, viewer, time } = view;
  return (
    <>
      <PageHead
        title={inboxTitle(waiting.length, viewer.canDecide)}
        lede={ledeOf(view)}
        actions={waiting.length > 0 ? <InboxKeyHints /> : null}
      />
      {waiting.length > 0 ? <WaitingList waiting={waiting} time={time} /> : <OpenWaterScene />}
      <Decided view={view} />
    </>
  );
}

function InboxKeyHints() {
  return (
    <KeyHints
      hints={[
        { keys: ["J", "K"], does: "move" },
        { keys: ["↵"], does: "open" },
      ]}
    />
  );
}

function ledeOf({ waiting, viewer }: InboxView): string {
  if (waiting.length === 0) {
    return viewer.canDecide
      ? "New proposals show up here, and reach you by email and SMS."
      : "New proposals show up here. Owners and co-owners decide about them.";
  }
  if (!viewer.canDecide) return "Soonest to close first. Owners and co-owners decide about them.";
  return waiting.length === 1
    ? "Open it to decide."
    : "Soonest to close first. Open each one to decide; they cannot be approved together.";
}

function Decided({ view: { decided, time } }: { view: InboxView }) {
  return (
    <section className="sec decided" aria-labelledby="decided">
      <div className="sec-h">
        <h2 className="h2" id="decided">
          Decided
        </h2>
      </div>
      <nav className="filters" aria-label="Filter decided proposals">
        <span className="seg">
          {FILTERS.map(({ filter, label }) => (
            <Link
              key={filter}
              href={decided.filterHrefs[filter]}
              scroll={false}
              aria-current={filter === decided.filter ? "true" : undefined}
            >
              {label}
            </Link>
          ))}
        </span>
      </nav>
      {decided.rows.length > 0 ? (
        <>
          <DecidedTable rows={decided.rows} time={time} />
          <Pager decided={decided} />
        </>
      ) : (
        <Empty title="Nothing here yet">{emptyWords(decided.filter)}</Empty>
      )}
    </section>
  );
}

function emptyWords(filter: DecidedFilter): string {
  if (filter === "ALL") return "What you and others decide is listed here.";
  return `No proposal was ${filter === "EXPIRED" ? "left undecided" : filter.toLowerCase()}.`;
}

function Pager({ decided }: { decided: InboxView["decided"] }) {
  const { firstPosition, rows, totalCount, previousHref, nextHref } = decided;
  return (
    <div className="pager">
      <span>
        {firstPosition} to {firstPosition + rows.length - 1} of {totalCount}
      </span>
      {previousHref || nextHref ? (
        <span className="pager-a">
          <PagerLink href={previousHref}>Previous</PagerLink>
          <PagerLink href={nextHref}>Next</PagerLink>
        </span>
      ) : null}
    </div>
  );
}
