import { Check, Pause, RotateCw, Send, TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { Moment } from "@/components/time/moment";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PagerLink } from "@/components/ui/pager-link";
import { Status } from "@/components/ui/status";
import { DeliveryDetails } from "@/components/webhooks/delivery-details";
import { whenWords } from "@/components/webhooks/delivery-words";
import { problemInShort } from "@/components/webhooks/problem-in-words";
import type {
  DeliveryFilter,
  DeliveryRowView,
  DeliveryStateView,
  EndpointActions,
  EndpointView,
} from "@/lib/contract/views/webhooks-view";
import type { EventType } from "@/lib/contract/webhooks";

interface DeliveriesSectionProps {
  view: EndpointView;
  actions: EndpointActions;
}

const FILTERS: { filter: DeliveryFilter; label: string }[] = [
  { filter: "ALL", label: "All" },
  { filter: "FAILING", label: "Failing" },
];
const COLUMNS = 5;

/** Filter, page and the open delivery are in the URL. */
export function DeliveriesSection({ view, actions }: DeliveriesSectionProps) {
  const { opened, deliveries } = view;
  // It may be on another page or no longer failing.
  const isElsewhere = opened !== null && !deliveries.some(({ eventId }) => eventId === opened.eventId);
  return (
    <section className="sec" aria-labelledby="deliveries">
      <div className="sec-h">
        <h2 className="h2" id="deliveries">
          Deliveries
        </h2>
        <nav className="filters" aria-label="Filter deliveries">
          <span className="seg">
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
      {isElsewhere ? (
        <Ledger rows={[opened]} view={view} actions={actions} caption="The opened delivery" />
      ) : null}
      {deliveries.length > 0 ? (
        <Ledger rows={deliveries} view={view} actions={actions} caption="Deliveries, newest first" />
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

function Ledger({ rows, view, actions, caption }: LedgerProps) {
  return (
    <table className="ledger tight wh-d">
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col" className="hide-s">
            Status
          </th>
          <th scope="col" className="hide-s">
            Answer
          </th>
          <th scope="col" className="num hide-s hide-m">
            Attempts
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const opened = view.opened?.eventId === row.eventId ? view.opened : null;
          return (
            <Fragment key={row.eventId}>
              <DeliveryRow row={row} view={view} isOpen={opened !== null} />
              {opened ? (
                <tr className="opd">
                  <td colSpan={COLUMNS}>
                    <DeliveryDetails delivery={opened} view={view} actions={actions} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function DeliveryRow({ row, view, isOpen }: { row: DeliveryRowView; view: EndpointView; isOpen: boolean }) {
  const status = <DeliveryStatus state={row.state} />;
  return (
    <tr className={isOpen ? "is-link op" : "is-link"}>
      <td className="ink2 wh-w">
        <Moment at={row.createdAt} time={view.time} format={whenWords} />
      </td>
      <td>
        <Link className="mono" href={row.href} scroll={false} aria-expanded={isOpen}>
          <EventName type={row.type} />
          <span className="vh">
            {" "}
            of <Moment at={row.createdAt} time={view.time} />
          </span>
        </Link>
        {row.isTest ? <span className="tag wh-test">test</span> : null}
        <span className="only-s wh-s">
          {status}
          <span className="meta">{attemptWords(row)}</span>
        </span>
      </td>
      <td className="hide-s">{status}</td>
      <td className="ink2 hide-s">
        {row.attempts === 0 ? (
          <span className="dash">
            <span aria-hidden="true">–</span>
            <span className="vh">none yet</span>
          </span>
        ) : (
          problemInShort(row)
        )}
      </td>
      <td className="num hide-s hide-m">{row.attempts}</td>
    </tr>
  );
}

function attemptWords(row: DeliveryRowView): string {
  if (row.attempts === 0) return "Not tried yet";
  return `${problemInShort(row)}, ${row.attempts === 1 ? "1 attempt" : `${row.attempts} attempts`}`;
}

function Pager({ view: { olderHref, newestHref } }: { view: EndpointView }) {
  if (!olderHref && !newestHref) return null;
  return (
    <div className="pager">
      <span>{newestHref ? "Older deliveries" : "The newest 25"}</span>
      <span className="pager-a">
        <PagerLink href={newestHref}>Newest</PagerLink>
        <PagerLink href={olderHref}>Older</PagerLink>
      </span>
    </div>
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
        <Status tone="mute" icon={<Check className="ic" />}>
          Delivered
        </Status>
      );
    case "GAVE_UP":
      return (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          Failed
        </Status>
      );
    case "WAITING":
    case "RETRYING":
      if (state.isHeld) {
        return (
          <Status tone="mute" icon={<Pause className="ic" />}>
            Paused
          </Status>
        );
      }
      return state.kind === "RETRYING" ? (
        <Status tone="teal" icon={<RotateCw className="ic" />}>
          Retrying
        </Status>
      ) : (
        <Status tone="teal" icon={<Send className="ic" />}>
          Sending
        </Status>
      );
  }
}
