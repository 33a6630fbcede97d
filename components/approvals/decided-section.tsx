import type { ReactNode } from "react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { endsOf, kindWords, RequesterName } from "@/components/approvals/proposal-words";
import { Amount } from "@/components/money/amount";
import { ChoiceList, DaysForm, daysWords, FilterChip } from "@/components/movements/filter-chip";
import { CloseFilters } from "@/components/movements/list-keys";
import { positionWords } from "@/components/movements/list-words";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PagerLink } from "@/components/ui/pager-link";
import {
  type ApprovalSearch,
  approvalPairs,
  approvalSearchSchema,
  approvalsHref,
  type DecidedState,
} from "@/lib/contract/list-search";
import type { DecidedProposalView, InboxView } from "@/lib/contract/views/inbox-view";
import type { MovementOption } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const STATES: { state: DecidedState | null; label: string }[] = [
  { state: null, label: "All" },
  { state: "approved", label: "Approved" },
  { state: "denied", label: "Denied" },
  { state: "expired", label: "Expired" },
  { state: "revoked", label: "Revoked" },
  { state: "ended", label: "Ended with its rule" },
];

/** Decided proposals, newest first, with filters. Links and forms only, so it works without scripts. */
export function DecidedSection({ view, saved }: { view: InboxView; saved: ReactNode }) {
  const { decided, time } = view;
  const { rows, newerHref, olderHref } = decided;
  return (
    <section className="sec decided" aria-labelledby="decided">
      <div className="sec-h">
        <h2 className="h2" id="decided">
          Decided
        </h2>
        {decided.mayExport ? (
          // A download, not a page: the browser fetches it.
          <a className="link" href={decided.exportHref} download>
            Export CSV
          </a>
        ) : (
          <p>Owners, co-owners and accountants can export.</p>
        )}
      </div>
      <Filters view={view} saved={saved} />
      {rows.length > 0 ? (
        <>
          <DecidedTable rows={rows} time={time} />
          <div className="pager">
            <span>{positionWords(decided)}</span>
            {newerHref || olderHref ? (
              <span className="pager-a">
                <PagerLink href={newerHref}>Newer</PagerLink>
                <PagerLink href={olderHref}>Older</PagerLink>
              </span>
            ) : null}
          </div>
        </>
      ) : (
        <Nothing view={view} />
      )}
    </section>
  );
}

function Filters({ view: { decided, time }, saved }: { view: InboxView; saved: ReactNode }) {
  const { search } = decided;
  return (
    <search className="filters mv-f" aria-label="Filter decided proposals">
      <span className="seg">
        {STATES.map(({ state, label }) => (
          <Link
            key={label}
            href={approvalsHref({ ...search, decided: state })}
            scroll={false}
            aria-current={state === search.decided ? "true" : undefined}
          >
            {label}
          </Link>
        ))}
      </span>
      <OneOf label="Requested by" name="by" search={search} options={decided.requesters} />
      <OneOf label="Decided by" name="decider" search={search} options={decided.deciders} />
      <FilterChip label="Decided" chosen={daysWords(search, time)}>
        <DaysForm action="/approvals" pairs={approvalPairs(search)} from={search.from} to={search.to} />
      </FilterChip>
      {approvalPairs(search).length > 0 ? (
        <Link className="link" href={approvalsHref(approvalSearchSchema.parse({}))} scroll={false}>
          Clear filters
        </Link>
      ) : null}
      {saved}
      <CloseFilters />
    </search>
  );
}

function OneOf({
  label,
  name,
  search,
  options,
}: {
  label: string;
  name: "by" | "decider";
  search: ApprovalSearch;
  options: MovementOption[];
}) {
  const chosen = search[name];
  const chosenName = options.find(({ id }) => id === chosen)?.name ?? "removed";
  const choices = [{ id: null, name: "Anyone" }, ...options].map((option) => ({
    label: option.name,
    href: approvalsHref({ ...search, [name]: option.id }),
    isChosen: option.id === chosen,
  }));
  return (
    <FilterChip label={label} chosen={chosen === null ? null : chosenName}>
      <ChoiceList choices={choices} />
    </FilterChip>
  );
}

function Nothing({ view: { decided } }: { view: InboxView }) {
  const isFiltered = approvalPairs(decided.search).length > 0;
  return (
    <>
      <Empty title={isFiltered ? "No results" : "No decisions yet"}>
        {isFiltered ? "Clear a filter to see more." : "Decided proposals will appear here."}
      </Empty>
      {decided.newerHref || decided.olderHref ? (
        <div className="pager">
          <span />
          <span className="pager-a">
            <PagerLink href={decided.newerHref}>Newer</PagerLink>
            <PagerLink href={decided.olderHref}>Older</PagerLink>
          </span>
        </div>
      ) : null}
    </>
  );
}

/** Decided proposals, newest first. On phones, date and outcome are below the movement. */
function DecidedTable({ rows, time }: { rows: DecidedProposalView[]; time: TimeContext }) {
  return (
    <table className="ledger">
      <caption className="vh">Decided proposals</caption>
      <thead>
        <tr>
          <th scope="col" className="hide-s">
            Decided
          </th>
          <th scope="col">What</th>
          <th scope="col" className="hide-s hide-m">
            Asked by
          </th>
          <th scope="col" className="hide-s">
            Decision
          </th>
          <th scope="col" className="hide-s">
            Outcome
          </th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <DecidedRow key={row.id} row={row} time={time} />
        ))}
      </tbody>
    </table>
  );
}

function DecidedRow({ row, time }: { row: DecidedProposalView; time: TimeContext }) {
  const status = (
    <ApprovalStatusChip
      status={row.status}
      canDecide={false}
      isAssistant={row.requesterKind === "ASSISTANT"}
    />
  );
  return (
    <tr className="is-link">
      <td className="nowrap ink2 hide-s">
        <Moment at={row.decidedAt} time={time} />
      </td>
      <td>
        <Link href={row.href}>
          <Flow {...endsOf(row.subject)} state={sluiceState(row.status)} />
        </Link>
        <span className="meta blk only-s">
          <Moment at={row.decidedAt} time={time} />
        </span>
        <span className="only-s">{status}</span>
      </td>
      <td className="hide-s hide-m">
        <RequesterName kind={row.requesterKind} name={row.requesterName} />
        <span className="meta blk">{kindWords(row.subject)}</span>
      </td>
      <td className="hide-s">
        {decisionWords(row)}
        {row.decision?.note ? <span className="meta blk">“{row.decision.note}”</span> : null}
      </td>
      <td className="hide-s">{status}</td>
      <td className="num">
        {row.subject.amountInCents === null ? (
          <span className="dim">–</span>
        ) : (
          <Amount cents={row.subject.amountInCents} />
        )}
      </td>
    </tr>
  );
}

function decisionWords({ decision, status, requesterKind }: DecidedProposalView): string {
  if (status === "REVOKED") {
    return requesterKind === "ASSISTANT" ? "Assistant disconnected" : "Key revoked";
  }
  if (!decision) return "No decision";
  const verb = decision.kind === "APPROVED" ? "Approved" : "Denied";
  return `${verb} by ${decision.byViewer ? "you" : decision.byName}`;
}
