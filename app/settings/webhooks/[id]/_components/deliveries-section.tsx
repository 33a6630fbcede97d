import { Check, Pause, RotateCw, Send, TriangleAlert } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { whenWords } from "@/app/settings/webhooks/_components/delivery-words";
import { problemInShort } from "@/app/settings/webhooks/_components/problem-in-words";
import { DeliveryDetails } from "@/app/settings/webhooks/[id]/_components/delivery-details";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { SECTION, SECTION_HEAD } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Moment } from "@/components/time/moment";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { MONO, SECTION_TITLE, TAG } from "@/components/ui/text-styles";
import type { DeliveryFilter } from "@/lib/contract/hrefs";
import type { EventType } from "@/lib/contract/webhooks";
import type { DeliveryRowView, DeliveryStateView } from "@/lib/views/webhooks/read-delivery";
import type { EndpointView } from "@/lib/views/webhooks/read-endpoint";

interface DeliveriesSectionProps {
  view: EndpointView;
}

const FILTERS: { filter: DeliveryFilter; label: string }[] = [
  { filter: "ALL", label: "All" },
  { filter: "FAILING", label: "Failing" },
];
const COLUMN_COUNT = 5;

/** Filter, page and the open delivery are in the URL. */
export function DeliveriesSection({ view }: DeliveriesSectionProps) {
  const { opened, deliveries } = view;
  // It may be on another page or no longer failing.
  const isElsewhere = opened !== null && !deliveries.some(({ eventId }) => eventId === opened.eventId);
  return (
    <section className={SECTION} aria-labelledby="deliveries">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="deliveries">
          Deliveries
        </h2>
        <nav className="flex flex-wrap items-center gap-2 print:hidden" aria-label="Filter deliveries">
          <span className={SEGMENTED}>
            {FILTERS.map(({ filter, label }) => (
              <Link
                key={filter}
                href={view.filterHrefs[filter]}
                scroll={false}
                aria-current={filter === view.filter ? "true" : undefined}
              >
                {label}
              </Link>
            ))}
          </span>
        </nav>
      </div>
      {isElsewhere ? <DeliveryRows rows={[opened]} view={view} caption="The opened delivery" /> : null}
      {deliveries.length > 0 ? (
        <DeliveryRows rows={deliveries} view={view} caption="Deliveries, newest first" />
      ) : (
        <Nothing view={view} />
      )}
      <Pager view={view} />
    </section>
  );
}

function Nothing({ view: { filter, newestHref } }: { view: EndpointView }) {
  if (newestHref) return <Empty title="No messages">There are no older deliveries.</Empty>;
  if (filter === "FAILING") return <Empty title="No failing deliveries">Every event was delivered.</Empty>;
  return (
    <Empty title="No deliveries yet">
      The next change of a transfer, card or connected account will be sent. Send a test event to check the
      receiver.
    </Empty>
  );
}

interface LedgerProps extends DeliveriesSectionProps {
  rows: readonly DeliveryRowView[];
  caption: string;
}

function DeliveryRows({ rows, view, caption }: LedgerProps) {
  return (
    <Table
      className="max-sm:[&_td]:align-top max-sm:[&_td>a]:inline-flex max-sm:[&_td>a]:items-center max-sm:[&_td>a]:min-h-11 max-sm:[&_td>a]:-mt-3"
      caption={caption}
      rows={rows}
      keyOf={({ eventId }) => eventId}
      frame={({ eventId }, cells) => (
        <DeliveryRow opened={view.opened?.eventId === eventId ? view.opened : null} view={view}>
          {cells}
        </DeliveryRow>
      )}
      columns={[
        {
          head: "Time",
          className: "whitespace-nowrap text-ink-2 max-sm:w-19 max-sm:whitespace-normal",
          cell: ({ createdAt }) => <Moment at={createdAt} time={view.time} format={whenWords} />,
        },
        {
          head: "Event",
          takesBelow: "AFTER",
          cell: (row) => <EventLink row={row} view={view} />,
        },
        {
          head: "Status",
          phone: "BELOW",
          belowClass: "max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-y-0.5 max-sm:gap-x-3",
          cell: ({ state }) => <DeliveryStatus state={state} />,
          below: (row) => (
            <>
              <DeliveryStatus state={row.state} />
              <span className="text-sm text-ink-3">{attemptWords(row)}</span>
            </>
          ),
        },
        {
          head: "Answer",
          phone: "HIDDEN",
          className: "text-ink-2",
          cell: (row) => (row.attempts === 0 ? <NoAnswer /> : problemInShort(row)),
        },
        {
          head: "Attempts",
          kind: "NUMBER",
          phone: "HIDDEN",
          tablet: "HIDDEN",
          cell: ({ attempts }) => attempts,
        },
      ]}
    />
  );
}

interface DeliveryRowProps extends DeliveriesSectionProps {
  /** The delivery of the row, if it is open: its details are a row below. */
  opened: EndpointView["opened"];
  children: ReactNode;
}

function DeliveryRow({ opened, view, children }: DeliveryRowProps) {
  if (opened === null) return <tr className={linkRowClass()}>{children}</tr>;
  return (
    <>
      <tr data-open className={`${linkRowClass()} [&>*]:border-b-0`}>
        {children}
      </tr>
      <tr className="[&>td]:pt-0 [&>td]:pb-5">
        <td colSpan={COLUMN_COUNT}>
          <DeliveryDetails delivery={opened} view={view} />
        </td>
      </tr>
    </>
  );
}

function EventLink({ row, view }: { row: DeliveryRowView; view: EndpointView }) {
  return (
    <>
      <Link
        className={MONO}
        href={row.href}
        scroll={false}
        aria-expanded={view.opened?.eventId === row.eventId}
      >
        <EventName type={row.type} />
        <span className="sr-only">
          {" "}
          of <Moment at={row.createdAt} time={view.time} />
        </span>
      </Link>
      {row.isTest ? <span className={`${TAG} ml-2`}>test</span> : null}
    </>
  );
}

function NoAnswer() {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none yet</span>
    </span>
  );
}

function attemptWords(row: DeliveryRowView): string {
  if (row.attempts === 0) return "Not tried yet";
  return `${problemInShort(row)}, ${row.attempts === 1 ? "1 attempt" : `${row.attempts} attempts`}`;
}

function Pager({ view: { olderHref, newestHref } }: { view: EndpointView }) {
  if (!olderHref && !newestHref) return null;
  return (
    <PagerRow>
      <span>{newestHref ? "Older deliveries" : "The newest 25"}</span>
      <span className="flex gap-2">
        <PagerLink href={newestHref}>Newest</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </PagerRow>
  );
}

/** Breaks between words on narrow lines. */
function EventName({ type }: { type: EventType }) {
  return type.split(/(?<=[._])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}

function DeliveryStatus({ state }: { state: DeliveryStateView }) {
  switch (state.kind) {
    case "DELIVERED":
      return (
        <Status tone="mute" icon={<Check />}>
          Delivered
        </Status>
      );
    case "GAVE_UP":
      return (
        <Status tone="red" icon={<TriangleAlert />}>
          Failed
        </Status>
      );
    case "WAITING":
    case "RETRYING":
      if (state.isHeld) {
        return (
          <Status tone="mute" icon={<Pause />}>
            Paused
          </Status>
        );
      }
      return state.kind === "RETRYING" ? (
        <Status tone="teal" icon={<RotateCw />}>
          Retrying
        </Status>
      ) : (
        <Status tone="teal" icon={<Send />}>
          Sending
        </Status>
      );
  }
}
