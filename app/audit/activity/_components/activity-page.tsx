"use client";

import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { AuditTabs } from "@/app/audit/_components/audit-tabs";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Table } from "@/components/layout/table";
import {
  ChoiceList,
  DaysForm,
  daysWords,
  FILTERS,
  FilterChip,
  FiltersEnd,
} from "@/components/parts/movements/filter-chip";
import { formatDayAndClock, formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { linkRowClass } from "@/components/ui/ledger";
import { formatCents } from "@/lib/contract/format-cents";
import {
  ACTIVITY_GROUPS,
  type ActivityGroup,
  activityHref,
  activityPairs,
  EVERY_ACTIVITY,
} from "@/lib/contract/search/list-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { ActivityRowView, ActivityView } from "@/lib/views/activity/list-activity";
import { activityWords } from "@/lib/words/activity-words";

const GROUP_WORDS: Record<ActivityGroup, string> = {
  approvals: "Approvals",
  rules: "Rules",
  keys: "Keys and assistants",
  webhooks: "Webhooks",
  accounts: "Accounts",
  payees: "Payees",
  cards: "Cards",
  members: "Members",
  gates: "Gates",
  organization: "Organization",
};

/** Who did what: every decision and change of a person, newest first, with filters. */
export function ActivityPage({ view, saved }: { view: ActivityView; saved?: ReactNode }) {
  const { rows, newerHref, olderHref, exportHref, search, time } = view;
  const isFiltered = activityPairs(search).length > 0;
  return (
    <>
      <PageHead
        title="Audit log"
        lede="What people did: decisions, rules, keys, webhooks, accounts, payees, cards, members, gates and settings."
        actions={
          exportHref === null ? (
            <p className="text-sm text-ink-3">Owners, co-owners and accountants can export.</p>
          ) : (
            // A download, not a page: the browser fetches it.
            <PageActions>
              <a className={buttonClass({ kind: "outlined" })} href={exportHref} download>
                <Download aria-hidden="true" />
                Export CSV
              </a>
            </PageActions>
          )
        }
      />
      <AuditTabs current="ACTIVITY" />
      <Filters view={view} saved={saved} />
      {rows.length > 0 ? (
        <ActivityTable rows={rows} time={time} />
      ) : (
        <Empty title={isFiltered ? "No activity matches these filters" : "No activity yet"}>
          {isFiltered ? "Remove a filter or choose other days." : "What members do will appear here."}
        </Empty>
      )}
      {newerHref || olderHref ? (
        <PagerRow label="Pages of the log">
          <span>{rows.length} on this page</span>
          <span className="flex gap-2">
            <PagerLink href={newerHref}>Newer</PagerLink>
            <PagerLink href={olderHref}>Older</PagerLink>
          </span>
        </PagerRow>
      ) : null}
    </>
  );
}

/** Links and plain forms: the filters are in the URL and work without scripts. */
function Filters({ view: { search, people, time }, saved }: { view: ActivityView; saved: ReactNode }) {
  const chosenPerson = people.find(({ id }) => id === search.by)?.name ?? "a former member";
  return (
    <search className={`${FILTERS} my-5`} aria-label="Filter the activity">
      <FilterChip label="Who" chosen={search.by === null ? null : chosenPerson}>
        <ChoiceList
          choices={[{ id: null, name: "Anyone" }, ...people].map(({ id, name }) => ({
            label: name,
            href: activityHref({ ...search, by: id }),
            isChosen: id === search.by,
          }))}
        />
      </FilterChip>
      <FilterChip label="About" chosen={search.about === null ? null : GROUP_WORDS[search.about]}>
        <ChoiceList
          choices={[null, ...ACTIVITY_GROUPS].map((about) => ({
            label: about === null ? "Everything" : GROUP_WORDS[about],
            href: activityHref({ ...search, about }),
            isChosen: about === search.about,
          }))}
        />
      </FilterChip>
      <FilterChip label="When" chosen={daysWords(search, time)}>
        <DaysForm action="/audit/activity" pairs={activityPairs(search)} from={search.from} to={search.to} />
      </FilterChip>
      <FiltersEnd
        clearHref={activityPairs(search).length > 0 ? activityHref(EVERY_ACTIVITY) : null}
        saved={saved}
      />
    </search>
  );
}

function ActivityTable({ rows, time }: { rows: readonly ActivityRowView[]; time: TimeContext }) {
  return (
    <Table
      caption="Activity, newest first"
      rows={rows}
      keyOf={({ key }) => key}
      frame={({ href }, cells) => <tr className={href === null ? undefined : linkRowClass()}>{cells}</tr>}
      columns={[
        {
          head: "Time",
          kind: "MOMENT",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ at }) => <Moment at={at} time={time} format={formatMoment} />,
        },
        {
          head: "Who",
          kind: "MOMENT",
          phone: "BELOW",
          cell: ({ byName }) => byName,
          below: ({ byName, at }) => (
            <>
              {byName}, <Moment at={at} time={time} format={formatMoment} />
            </>
          ),
        },
        { head: "What", className: "wrap-anywhere", cell: (row) => <What row={row} time={time} /> },
        {
          head: "About",
          kind: "MOMENT",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: ({ group }) => GROUP_WORDS[group],
        },
      ]}
    />
  );
}

function What({ row: { activity, href }, time }: { row: ActivityRowView; time: TimeContext }) {
  const words = activityWords(activity, {
    money: formatCents,
    moment: (instant) => formatDayAndClock(instant, time),
  });
  // A plain link: `/` is two pages (next.config.mjs), which client navigation cannot tell apart.
  return href === null ? words : <a href={href}>{words}</a>;
}
