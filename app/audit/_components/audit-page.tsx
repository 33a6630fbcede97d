import { Download, Link2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { AuditTable } from "@/app/audit/_components/audit-table";
import { AuditTabs } from "@/app/audit/_components/audit-tabs";
import { ACTION_WORDS, foundWords, isFiltered } from "@/app/audit/_components/audit-words";
import { OpenedEntry } from "@/app/audit/_components/opened-entry";
import { ChartFrame } from "@/components/charts/chart-frame";
import { type ChartSpec, PAGE_PLOT_WIDTH } from "@/components/charts/chart-spec";
import { Split } from "@/components/layout/drawer";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { CopyButton } from "@/components/parts/docs/copy-button";
import {
  ChoiceList,
  DaysForm,
  daysWords,
  FILTER_LABEL,
  FILTERS,
  FilterChip,
  FilterForm,
  FiltersEnd,
  KeptPairs,
} from "@/components/parts/movements/filter-chip";
import { formatMoment, formatShortDay, formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { inputClass } from "@/components/ui/input-class";
import { MONO } from "@/components/ui/text-styles";
import { auditActionSchema } from "@/lib/contract/audit-log";
import { ERROR_STATUS } from "@/lib/contract/error";
import { type AuditSearch, auditHref } from "@/lib/contract/search/audit-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { AuditSpanView, AuditView } from "@/lib/views/audit/read-audit-page";

interface AuditPageProps {
  view: AuditView;
  /** The member's saved filters. */
  saved?: ReactNode;
  time: TimeContext;
  /** Absolute, of the present view. */
  link: string;
}

export function AuditPage({ view, saved, time, link }: AuditPageProps) {
  const { entries, opened, exportHrefs } = view;
  return (
    <div>
      <PageHead
        title="Audit log"
        lede={
          view.chain.archivedUntil === null
            ? "Every request of your keys and assistants, including refused ones. Entries are permanent: Sluice cannot change or delete them."
            : "Every request of your keys and assistants, including refused ones. Entries are permanent: Sluice cannot change them, and only old reads move to files."
        }
        actions={
          <PageActions>
            <CopyButton text={link} label="Copy link to this view" size={null} />
            {exportHrefs ? (
              <>
                <a className={buttonClass({ kind: "quiet" })} href={exportHrefs.json} download>
                  JSON
                </a>
                <a className={buttonClass({ kind: "outlined" })} href={exportHrefs.csv} download>
                  <Download aria-hidden="true" />
                  Export CSV
                </a>
              </>
            ) : null}
          </PageActions>
        }
      />
      <AuditTabs current="REQUESTS" />
      <AuditFilters view={view} saved={saved} time={time} />
      <RequestsChart view={view} time={time} />
      <ChainState chain={view.chain} time={time} />
      <Split place="log" isOpen={opened !== null}>
        <section aria-labelledby="requests-title">
          <div className="flex flex-wrap items-baseline justify-between gap-y-1 gap-x-4 pb-1.5 border-b border-rule-strong">
            <h2 className="text-base font-semibold" id="requests-title">
              {isFiltered(view.search) ? "Requests found" : "Requests"}
            </h2>
            <p className="text-sm text-ink-3">{foundWords(view.found)}</p>
          </div>
          {entries.length === 0 ? (
            <Empty title={isFiltered(view.search) ? "No requests match these filters" : "No requests yet"}>
              {isFiltered(view.search)
                ? "Remove a filter or choose other days."
                : "Requests of keys and assistants will appear here, whether answered or refused."}
            </Empty>
          ) : (
            <AuditTable
              entries={entries.map((entry) => ({
                ...entry,
                when: <Moment at={entry.at} time={time} format={formatToSecond} />,
              }))}
              openedId={opened?.entry.id ?? null}
            />
          )}
          {view.newerHref || view.olderHref ? (
            <PagerRow label="Pages of the log">
              <span>{entries.length} on this page</span>
              <span className="flex gap-2">
                <PagerLink href={view.newerHref}>Newer</PagerLink>
                <PagerLink href={view.olderHref}>Older</PagerLink>
              </span>
            </PagerRow>
          ) : null}
        </section>
        {opened ? <OpenedEntry opened={opened} time={time} /> : null}
      </Split>
    </div>
  );
}

/** How much is sealed, and what was verified for this page. */
function ChainState({ chain, time }: { chain: AuditView["chain"]; time: TimeContext }) {
  const isWrong = chain.broken > 0 || chain.isLate;
  return (
    <p
      className={
        isWrong
          ? "grid grid-cols-[16px_minmax(0,1fr)] items-start gap-2 mx-0 mt-2 mb-5 text-[13px] text-red [&_svg]:size-4 [&_svg]:mt-px [&_b]:font-semibold [&_b]:text-red"
          : "grid grid-cols-[16px_minmax(0,1fr)] items-start gap-2 mx-0 mt-2 mb-5 text-[13px] text-ink-2 [&_svg]:size-4 [&_svg]:mt-px [&_b]:font-semibold [&_b]:text-ink"
      }
      role={isWrong ? "alert" : undefined}
    >
      {isWrong ? <TriangleAlert aria-hidden="true" /> : <Link2 aria-hidden="true" />}
      <span>{isWrong ? <Wrong chain={chain} /> : <Sound chain={chain} time={time} />}</span>
    </p>
  );
}

function Wrong({ chain: { broken, checked } }: { chain: AuditView["chain"] }) {
  if (broken > 0) {
    return (
      <>
        <b>
          {broken} of the {checked} entries here {broken === 1 ? "is" : "are"} not what was sealed.
        </b>{" "}
        The database was altered. Run <span className={MONO}>npm run audit:verify</span>.
      </>
    );
  }
  return (
    <>
      <b>Entries have waited too long for their seal.</b> Check that a worker is running; its log says what
      blocks it.
    </>
  );
}

function Sound({
  chain: { count, sealedAt, checked, archivedUntil },
  time,
}: {
  chain: AuditView["chain"];
  time: TimeContext;
}) {
  if (sealedAt === null) return "Each entry is sealed into a chain of hashes within a second.";
  return (
    <>
      <b>Sealed:</b> {count.toLocaleString("en-US")} {count === 1 ? "entry" : "entries"}, the last{" "}
      <Moment at={sealedAt} time={time} format={formatToSecond} />.{" "}
      {checked > 0
        ? `The ${checked} below ${checked === 1 ? "was" : "were"} verified against ${checked === 1 ? "its seal" : "their seals"} at ${formatToSecond(time.nowAt, time)}.`
        : null}
      {archivedUntil === null
        ? null
        : ` Answered reads until ${formatToSecond(archivedUntil, time)} are in files that your operator keeps.`}
    </>
  );
}

/** Two weeks of requests, four hours each. */
function RequestsChart({ view: { spans, mostInSpan }, time }: { view: AuditView; time: TimeContext }) {
  return (
    <ChartFrame
      spec={spansSpec(spans, mostInSpan, time)}
      label={sentence(spans, time)}
      table={{ caption: "Requests for each four hours", rowHead: "From", rows: "NOT_ZERO" }}
      size="SHORT"
    />
  );
}

/** Pure. */
function spansSpec(spans: readonly AuditSpanView[], most: number, time: TimeContext): ChartSpec {
  return {
    unit: "COUNT",
    usualWidth: PAGE_PLOT_WIDTH,
    rows: spans.map(({ at, succeeded, failed }, index) => ({
      label: formatMoment(at, time),
      tick: index === spans.length - 1 ? "Today" : formatShortDay(at, time),
      values: [succeeded, failed],
      // Counting stops there.
      ...(succeeded + failed >= most && { note: `${most} or more` }),
    })),
    series: [
      { name: "Succeeded", shape: "BAR", color: "water", stack: "requests" },
      { name: "Failed", shape: "BAR", color: "red", stack: "requests" },
    ],
  };
}

function sentence(spans: readonly AuditSpanView[], time: TimeContext): string {
  const busiest = spans.reduce<AuditSpanView | null>(
    (best, span) => (best && best.succeeded + best.failed >= span.succeeded + span.failed ? best : span),
    null,
  );
  if (!busiest || busiest.succeeded + busiest.failed === 0) return "No requests in the last 14 days.";
  return (
    `Requests for each four hours of the last 14 days, failures on top. Most were from ` +
    `${formatMoment(busiest.at, time)}: ${busiest.succeeded + busiest.failed}.`
  );
}

const OUTCOMES = [
  { value: "SUCCESS", label: "Succeeded" },
  { value: "FAILURE", label: "Failed" },
] as const;
const ACTIONS = auditActionSchema.options.map((value) => ({ value, label: ACTION_WORDS[value] }));
const ERRORS = Object.keys(ERROR_STATUS).map((value) => ({ value, label: value }));

/** Links and GET forms: the filters are in the URL, so a view can be shared, and work without scripts. */
function AuditFilters({ view: { search, callers }, saved, time }: Omit<AuditPageProps, "link">) {
  const found = search.q ?? search.request;
  return (
    <search className={`${FILTERS} my-5`} aria-label="Filter the audit log">
      <FilterChip label="Search" chosen={found === undefined ? null : `“${found}”`}>
        <FilterForm action="/audit">
          <KeptPairs pairs={pairsOf(search)} without={["q", "request"]} />
          <label className={FILTER_LABEL}>
            <span>Reason, wrong field or value, or request id</span>
            <input
              className={inputClass()}
              type="search"
              name="q"
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              defaultValue={found ?? ""}
            />
          </label>
          <p className="text-sm text-ink-3">
            Text is searched in the newest 20,000 requests that the other filters leave.
          </p>
          <Button kind="outlined" size="small" type="submit">
            Search
          </Button>
        </FilterForm>
      </FilterChip>
      <Choices
        search={search}
        name="caller"
        label="Key"
        values={callers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Choices search={search} name="action" label="Action" values={ACTIONS} />
      <Choices search={search} name="outcome" label="Outcome" values={OUTCOMES} />
      <Choices search={search} name="error" label="Error" values={ERRORS} />
      <FilterChip label="When" chosen={daysWords(search, time)}>
        <DaysForm action="/audit" pairs={pairsOf(search)} from={search.from} to={search.to} />
      </FilterChip>
      <FiltersEnd clearHref={isFiltered(search) ? "/audit" : null} saved={saved} />
    </search>
  );
}

function pairsOf(search: AuditSearch): [string, string][] {
  return Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
}

interface ChoicesProps {
  search: AuditSearch;
  name: "caller" | "action" | "outcome" | "error";
  label: string;
  values: readonly { value: string; label: string }[];
}

function Choices({ search, name, label, values }: ChoicesProps) {
  const chosen = values.find(({ value }) => value === search[name]);
  return (
    <FilterChip label={label} chosen={chosen?.label ?? null}>
      <ChoiceList
        choices={[
          {
            label: "Any",
            href: auditHref({ ...search, [name]: undefined }),
            isChosen: search[name] === undefined,
          },
          ...values.map((each) => ({
            label: each.label,
            href: auditHref({ ...search, [name]: each.value }),
            isChosen: each.value === search[name],
          })),
        ]}
      />
    </FilterChip>
  );
}
