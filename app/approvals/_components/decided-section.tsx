import type { ReactNode } from "react";
import { DecidedTable } from "@/app/approvals/_components/decided-table";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { BARE_HEAD } from "@/components/layout/section";
import type { ListSum } from "@/components/layout/table";
import {
  ChoiceList,
  DaysForm,
  daysWords,
  FILTERS,
  FilterChip,
  FiltersEnd,
} from "@/components/parts/movements/filter-chip";
import { positionWords } from "@/components/parts/movements/list-words";
import { Moment } from "@/components/time/moment";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { LINK, SECTION_TITLE } from "@/components/ui/text-styles";
import {
  type ApprovalSearch,
  approvalPairs,
  approvalsHref,
  type DecidedState,
  EVERY_APPROVAL,
} from "@/lib/contract/search/list-search";
import type { InboxView } from "@/lib/views/approvals/list-proposals";
import type { MovementOption } from "@/lib/views/movements/movement-query";

const STATES: { state: DecidedState | null; label: string }[] = [
  { state: null, label: "All" },
  { state: "approved", label: "Approved" },
  { state: "denied", label: "Denied" },
  { state: "expired", label: "Expired" },
  { state: "revoked", label: "Revoked" },
  { state: "ended", label: "Ended with its rule" },
  { state: "withdrawn", label: "Withdrawn" },
];

/** Decided proposals, newest first, with filters. Links and forms only, so it works without scripts. */
export function DecidedSection({ view, saved }: { view: InboxView; saved: ReactNode }) {
  const { decided, time } = view;
  const { rows, newerHref, olderHref } = decided;
  return (
    <section className="mt-16 [&_table]:mt-3" aria-labelledby="decided">
      <div className={BARE_HEAD}>
        <h2 className={SECTION_TITLE} id="decided">
          Decided
        </h2>
        {decided.mayExport ? (
          // A download, not a page: the browser fetches it.
          <a className={LINK} href={decided.exportHref} download>
            Export CSV
          </a>
        ) : (
          <p>Owners, co-owners and accountants can export.</p>
        )}
      </div>
      <Filters view={view} saved={saved} />
      {rows.length > 0 ? (
        <>
          <DecidedTable
            rows={rows.map((row) => ({ ...row, when: <Moment at={row.decidedAt} time={time} /> }))}
            sums={decidedSums(decided)}
          />
          <PagerRow>
            <span>{positionWords(decided)}</span>
            {newerHref || olderHref ? (
              <span className="flex gap-2">
                <PagerLink href={newerHref}>Newer</PagerLink>
                <PagerLink href={olderHref}>Older</PagerLink>
              </span>
            ) : null}
          </PagerRow>
        </>
      ) : (
        <Nothing view={view} />
      )}
    </section>
  );
}

/** What a narrowed list comes to on all of its pages. A run that could not be planned has no amount. */
function decidedSums({ sum, count }: InboxView["decided"]): ListSum[] {
  if (sum === null) return [];
  const without = count.count - sum.summedCount;
  const rest = without === 0 ? "" : `; ${without} without an amount`;
  const words = `${sum.summedCount} ${sum.summedCount === 1 ? "proposal" : "proposals"}`;
  return [{ label: `Sum of ${words}${rest}`, cents: sum.sumInCents }];
}

function Filters({ view: { decided, time }, saved }: { view: InboxView; saved: ReactNode }) {
  const { search } = decided;
  return (
    <search className={`${FILTERS} mx-0 mt-4 mb-1`} aria-label="Filter decided proposals">
      <span className={SEGMENTED}>
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
      <FiltersEnd
        clearHref={approvalPairs(search).length > 0 ? approvalsHref(EVERY_APPROVAL) : null}
        saved={saved}
      />
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
        <PagerRow>
          <span />
          <span className="flex gap-2">
            <PagerLink href={decided.newerHref}>Newer</PagerLink>
            <PagerLink href={decided.olderHref}>Older</PagerLink>
          </span>
        </PagerRow>
      ) : null}
    </>
  );
}
