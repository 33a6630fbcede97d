"use client";

import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { DayStrip } from "@/app/settings/webhooks/_components/day-strip";
import { countWords, shareWords } from "@/app/settings/webhooks/_components/delivery-words";
import { EndpointState, sluiceOfEndpoint } from "@/app/settings/webhooks/_components/endpoint-state";
import { EventExample, EventTypes } from "@/app/settings/webhooks/_components/event-types";
import { problemInWords } from "@/app/settings/webhooks/_components/problem-in-words";
import { COLUMNS } from "@/components/layout/columns";
import { PageActions, PageFoot, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Table } from "@/components/layout/table";
import { RowSluice } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { KEY_NAME, LINK, MONO, SUBLINE } from "@/components/ui/text-styles";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import { EVENTS_FOR_ALL } from "@/lib/contract/webhooks";
import type { EndpointFactsView, EndpointsView } from "@/lib/views/webhooks/endpoint-facts";
import { numberWords } from "@/lib/words/rules/number-words";

export function EndpointsList({ view }: { view: EndpointsView }) {
  const { endpoints, viewer, hasRoom } = view;
  return (
    <>
      <PageHead
        title={endpointsTitle(endpoints)}
        lede={ledeOf(view)}
        actions={
          viewer.canChange && hasRoom && endpoints.length > 0 ? (
            <PageActions>
              <AddLink />
            </PageActions>
          ) : null
        }
      />
      {endpoints.length > 0 ? (
        <EndpointsTable view={view} />
      ) : (
        <EndpointsEmpty action={viewer.canChange ? <AddLink /> : null} />
      )}
    </>
  );
}

function ledeOf({ endpoints, viewer, hasRoom }: EndpointsView): string {
  const what = "Sluice notifies your endpoints of every change.";
  if (!viewer.canChange) return `${what} Owners and co-owners add and change them.`;
  if (!hasRoom && endpoints.length > 0) {
    return `${what} You have the maximum of ${MAXIMUM_ENDPOINTS}. Delete one to add another.`;
  }
  return what;
}

function AddLink() {
  return (
    <Link className={buttonClass({ kind: "primary" })} href="/settings/webhooks/new">
      <Plus />
      Add endpoint
    </Link>
  );
}

function EndpointsTable({ view: { endpoints, time } }: { view: EndpointsView }) {
  return (
    <Table
      className="[&_th[scope='row']]:w-[46%] [&_tbody_th]:align-top [&_td]:align-top max-sm:[&_th[scope='row']]:w-auto"
      caption="Endpoints"
      rows={endpoints}
      frame={(_endpoint, cells) => <tr className={linkRowClass()}>{cells}</tr>}
      columns={[
        {
          head: "Endpoint",
          header: true,
          takesBelow: "INSIDE",
          cell: (endpoint, below) => <EndpointName endpoint={endpoint} below={below} />,
        },
        {
          head: "Last delivery",
          phone: "BELOW",
          className: "text-ink-2",
          cell: (endpoint) => <LastDelivery endpoint={endpoint} time={time} />,
          below: (endpoint) => (
            <>
              Last delivery: <LastDelivery endpoint={endpoint} time={time} />
            </>
          ),
        },
        {
          head: "30 days",
          phone: "BELOW",
          belowClass: "",
          cell: (endpoint) => <Health endpoint={endpoint} />,
        },
        {
          head: "Not delivered",
          phone: "BELOW",
          belowClass: "",
          cell: (endpoint) => <Missing endpoint={endpoint} />,
          below: (endpoint) => (hasMissing(endpoint) ? <Missing endpoint={endpoint} /> : null),
        },
      ]}
    />
  );
}

function EndpointName({ endpoint, below }: { endpoint: EndpointFactsView; below: ReactNode }) {
  return (
    <span className="flex items-start gap-3.5 [&>svg]:mt-0.5">
      <RowSluice state={sluiceOfEndpoint(endpoint.state)} />
      <span className="[&_a]:wrap-anywhere max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11 grid justify-items-start gap-1 min-w-0 font-normal max-sm:flex-1 max-sm:justify-items-stretch">
        <Link className={`${KEY_NAME} sm:max-lg:wrap-anywhere`} href={endpoint.href}>
          {endpoint.displayUrl}
        </Link>
        <span className="block font-normal">
          <EndpointState state={endpoint.state} />
        </span>
        {endpoint.state.kind === "FAILING" && endpoint.lastFailure ? (
          <span className={SUBLINE}>{problemInWords(endpoint.lastFailure)}</span>
        ) : null}
        <Replacing endpoint={endpoint} />
        <span className="sm:hidden! print:hidden! max-sm:grid max-sm:gap-2 max-sm:w-full max-sm:mt-1.5">
          {below}
        </span>
      </span>
    </span>
  );
}

function LastDelivery({
  endpoint: { lastSuccessAt },
  time,
}: {
  endpoint: EndpointFactsView;
  time: TimeContext;
}) {
  if (lastSuccessAt === null) return <span className="text-ink-3">None yet</span>;
  return <Moment at={lastSuccessAt} time={time} />;
}

function Replacing({ endpoint: { replaces, replacedBy } }: { endpoint: EndpointFactsView }) {
  if (replaces) {
    return (
      <span className={SUBLINE}>
        Replaces{" "}
        <Link className={`${LINK} ${MONO}`} href={replaces.href}>
          {replaces.secretHint}
        </Link>
      </span>
    );
  }
  if (!replacedBy) return null;
  return (
    <span className={SUBLINE}>
      Deleted once{" "}
      <Link className={`${LINK} ${MONO}`} href={replacedBy.href}>
        {replacedBy.secretHint}
      </Link>{" "}
      succeeds
    </span>
  );
}

function Health({ endpoint: { days, deliveredShare } }: { endpoint: EndpointFactsView }) {
  return (
    <span className="grid gap-1 max-w-50">
      <DayStrip days={days} />
      <span className="text-sm text-ink-3">
        {deliveredShare === null ? "None delivered yet" : `${shareWords(deliveredShare)} delivered`}
      </span>
    </span>
  );
}

function hasMissing({ retryingCount, waitingCount, deadCount }: EndpointFactsView): boolean {
  return retryingCount + waitingCount + deadCount > 0;
}

function Missing({ endpoint: { retryingCount, waitingCount, deadCount } }: { endpoint: EndpointFactsView }) {
  const lines = [
    { count: retryingCount, word: "retrying" },
    { count: waitingCount, word: waitingCount === 1 ? "waits" : "wait" },
    { count: deadCount, word: "failed" },
  ].filter(({ count }) => count > 0);
  if (lines.length === 0) return <span className="text-ink-3">Nothing</span>;
  return (
    <ul className="grid gap-0.5 text-ink-2">
      {lines.map(({ count, word }) => (
        <li key={word} className={word === "failed" ? "text-red" : undefined}>
          {countWords(count)} {word}
        </li>
      ))}
    </ul>
  );
}

/** Worst first: `One endpoint is failing`, `Two endpoints receive every event`. */
export function endpointsTitle(endpoints: readonly Pick<EndpointFactsView, "state">[]): string {
  if (endpoints.length === 0) return "No endpoints yet";
  const count = (kind: EndpointFactsView["state"]["kind"]) =>
    endpoints.filter(({ state }) => state.kind === kind).length;
  const [failing, off, fresh] = [count("FAILING"), count("OFF"), count("NEW")];
  if (failing > 0) return `${endpointWords(failing)} ${failing === 1 ? "is" : "are"} failing`;
  if (off > 0) return `${endpointWords(off)} ${off === 1 ? "is" : "are"} switched off`;
  if (fresh === endpoints.length)
    return `${endpointWords(fresh)} ${fresh === 1 ? "waits" : "wait"} for a first event`;
  const receiving = endpoints.length;
  return `${endpointWords(receiving)} ${receiving === 1 ? "receives" : "receive"} every event`;
}

function endpointWords(count: number): string {
  const number = numberWords(count);
  return `${number.charAt(0).toUpperCase()}${number.slice(1)} ${count === 1 ? "endpoint" : "endpoints"}`;
}

function EndpointsEmpty({ action }: { action: ReactNode }) {
  return (
    <div className={COLUMNS}>
      <div className="[&>section:first-child]:mt-0">
        <Section id="arrives" title="Example event">
          <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">
            One POST for each change, with IDs only; fetch the resource with the matching GET.
          </p>
          <EventExample />
        </Section>
        {action ? <PageFoot>{action}</PageFoot> : null}
      </div>
      <SideColumn gap="wide">
        <Section id="told" title="Events sent" className="mt-0">
          <EventTypes types={EVENTS_FOR_ALL} />
        </Section>
        <Section id="does" title="Your receiver" className="mt-0">
          <ol className="grid gap-2 mt-3.5 pl-4.5 text-ink-2 list-decimal">
            <li>Verifies the signature over the raw body.</li>
            <li>Answers 2xx at once, then does its work.</li>
            <li>Drops repeated event IDs: an event may arrive more than once.</li>
          </ol>
          <p className="max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11 mt-3.5">
            <Link className={LINK} href="/docs/webhooks">
              Read the guide
            </Link>
          </p>
        </Section>
      </SideColumn>
    </div>
  );
}
