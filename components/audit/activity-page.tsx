import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { AuditTabs } from "@/components/audit/audit-tabs";
import { ChoiceList, DaysForm, daysWords, FilterChip } from "@/components/movements/filter-chip";
import { CloseFilters } from "@/components/movements/list-keys";
import { formatDayAndClock, formatMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import { formatCents } from "@/lib/contract/format-cents";
import {
  ACTIVITY_GROUPS,
  type ActivityGroup,
  activityHref,
  activityPairs,
  activitySearchSchema,
} from "@/lib/contract/list-search";
import type { ActivityRowView, ActivityView } from "@/lib/contract/views/activity-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { activityWords } from "@/lib/words/activity-words";

const GROUP_WORDS: Record<ActivityGroup, string> = {
  approvals: "Approvals",
  rules: "Rules",
  keys: "Keys and assistants",
  webhooks: "Webhooks",
  accounts: "Accounts",
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
        lede="What people did: decisions, rules, keys, webhooks, accounts, cards, members, gates and settings."
        actions={
          exportHref === null ? (
            <p className="meta">Owners, co-owners and accountants can export.</p>
          ) : (
            // A download, not a page: the browser fetches it.
            <div className="page-a">
              <a className={buttonClass({ kind: "outlined" })} href={exportHref} download>
                <Download className="ic" aria-hidden="true" />
                Export CSV
              </a>
            </div>
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
        <nav className="pager" aria-label="Pages of the log">
          <span>{rows.length} on this page</span>
          <span className="pager-a">
            <PagerLink href={newerHref}>Newer</PagerLink>
            <PagerLink href={olderHref}>Older</PagerLink>
          </span>
        </nav>
      ) : null}
    </>
  );
}

/** Links and plain forms: the filters are in the URL and work without scripts. */
function Filters({ view: { search, people, time }, saved }: { view: ActivityView; saved: ReactNode }) {
  const chosenPerson = people.find(({ id }) => id === search.by)?.name ?? "a former member";
  return (
    <search className="filters my-5" aria-label="Filter the activity">
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
      {activityPairs(search).length > 0 ? (
        <Link className="link" href={activityHref(activitySearchSchema.parse({}))} scroll={false}>
          Clear filters
        </Link>
      ) : null}
      {saved}
      <CloseFilters />
    </search>
  );
}

function ActivityTable({ rows, time }: { rows: readonly ActivityRowView[]; time: TimeContext }) {
  return (
    <table className="ledger tight">
      <caption className="vh">Activity, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="hide-s">
            Time
          </th>
          <th scope="col" className="hide-s">
            Who
          </th>
          <th scope="col">What</th>
          <th scope="col" className="hide-s">
            About
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} row={row} time={time} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row: { at, byName, group, activity, href },
  time,
}: {
  row: ActivityRowView;
  time: TimeContext;
}) {
  const words = activityWords(activity, {
    money: formatCents,
    moment: (instant) => formatDayAndClock(instant, time),
  });
  return (
    <tr className={href === null ? undefined : "is-link"}>
      <td className="nowrap ink2 hide-s">
        <Moment at={at} time={time} format={formatMoment} />
      </td>
      <td className="nowrap hide-s">{byName}</td>
      <td className="wrap-anywhere">
        {/* A plain link: `/` is two pages (next.config.mjs), which client navigation cannot tell apart. */}
        {href === null ? words : <a href={href}>{words}</a>}
        <span className="meta blk only-s">
          {byName}, <Moment at={at} time={time} format={formatMoment} />
        </span>
      </td>
      <td className="nowrap ink2 hide-s">{GROUP_WORDS[group]}</td>
    </tr>
  );
}
