import { daysInWords } from "@/app/settings/webhooks/_components/day-strip";
import { deliveryCount, shareWords } from "@/app/settings/webhooks/_components/delivery-words";
import { EndpointState } from "@/app/settings/webhooks/_components/endpoint-state";
import { EventTypes } from "@/app/settings/webhooks/_components/event-types";
import {
  problemInSentence,
  problemInWords,
  remedyOf,
} from "@/app/settings/webhooks/_components/problem-in-words";
import { ChooseEvents } from "@/app/settings/webhooks/[id]/_components/choose-events";
import { DeliveriesSection } from "@/app/settings/webhooks/[id]/_components/deliveries-section";
import {
  EndpointHeadActions,
  RecreateEndpoint,
} from "@/app/settings/webhooks/[id]/_components/endpoint-head-actions";
import { ReplayFailed } from "@/app/settings/webhooks/[id]/_components/replay-failed";
import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartSpec } from "@/components/charts/chart-spec";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { Verification } from "@/components/parts/webhooks/verification";
import { formatDate, formatDay, formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { FactLine } from "@/components/ui/fact-line";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { LINK, MONO, PAGE_TITLE } from "@/components/ui/text-styles";
import type { TimeContext } from "@/lib/contract/time-context";
import { EVENTS_FOR_ALL } from "@/lib/contract/webhooks";
import type { EndpointFactsView, EndpointStateView } from "@/lib/views/webhooks/endpoint-facts";
import type { EndpointView } from "@/lib/views/webhooks/read-endpoint";

interface EndpointPageProps {
  view: EndpointView;
}

export function EndpointPage({ view }: EndpointPageProps) {
  const { endpoint, viewer, time } = view;
  return (
    <div>
      <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="Endpoint" />
      <PageHeadRow className="mb-6">
        <div>
          <h1 className={`${PAGE_TITLE} wrap-anywhere`}>{endpoint.displayUrl}</h1>
          <FactLine className="mt-2.5">
            <EndpointState state={endpoint.state} />
            <SinceWhen endpoint={endpoint} time={time} />
            {endpoint.deliveredShare === null ? null : (
              <span>{shareWords(endpoint.deliveredShare)} delivered in 30 days</span>
            )}
          </FactLine>
        </div>
        {viewer.canChange ? <EndpointHeadActions endpoint={endpoint} /> : null}
      </PageHeadRow>
      <EndpointNotes view={view} />
      <div className={`${COLUMNS} mt-8`}>
        <div className="[&>section:first-child]:mt-0">
          <DeliveriesSection view={view} />
          {viewer.canChange ? (
            <ReplayFailed
              endpointId={endpoint.id}
              isOffered={endpoint.state.kind !== "OFF" && endpoint.deadCount + endpoint.retryingCount > 0}
              timeZone={time.timeZone}
            />
          ) : null}
        </div>
        <EndpointSide view={view} />
      </div>
      <Section id="verify" title="Verify the signature">
        <Verification />
      </Section>
    </div>
  );
}

function SinceWhen({ endpoint, time }: { endpoint: EndpointFactsView; time: TimeContext }) {
  const { state, createdAt, createdByName } = endpoint;
  if (state.kind === "FAILING")
    return <span>Since {formatInSentence(state.since, time).replace(/^on /, "")}</span>;
  if (state.kind === "OFF") return <span>Since {formatInSentence(state.at, time).replace(/^on /, "")}</span>;
  return (
    <span>
      Added <Moment at={createdAt} time={time} format={formatDay} />
      {createdByName ? ` by ${createdByName}` : ""}
    </span>
  );
}

/** Most important first: failing, off, or about to be replaced. */
function EndpointNotes({ view }: { view: EndpointView }) {
  return (
    <div className="max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11 grid gap-3 [&_p+p]:mt-1.5">
      <Failing view={view} />
      <Off view={view} />
      <Replacing view={view} />
      {view.viewer.canChange ? null : (
        <Note>You can view everything here. Only owners and co-owners can change it.</Note>
      )}
    </div>
  );
}

function Failing({ view: { endpoint, filterHrefs, time } }: { view: EndpointView }) {
  const { state, lastFailure } = endpoint;
  if (state.kind !== "FAILING") return null;
  return (
    <Note tone="red">
      <p>
        <b>
          Every attempt has failed since {withoutOn(formatInSentence(state.since, time))}
          {lastFailure ? `: ${problemInSentence(lastFailure)}.` : "."}
        </b>{" "}
        {lastFailure ? remedyOf(lastFailure) : null}
      </p>
      <p>
        Each event is retried for 24 hours. Unless one succeeds, the endpoint is switched off{" "}
        {formatInSentence(state.disablesAt, time)} and the owners are notified.
      </p>
      <p>
        <Link className={LINK} href={filterHrefs.FAILING} scroll={false}>
          Show failing deliveries
        </Link>
      </p>
    </Note>
  );
}

function Off({ view: { endpoint, time, viewer } }: { view: EndpointView }) {
  const { state, retryingCount, waitingCount, lastFailure } = endpoint;
  if (state.kind !== "OFF") return null;
  const held = retryingCount + waitingCount;
  return (
    <Note tone={state.because === "MEMBER" ? "plain" : "red"}>
      <p>
        <b>{offWords(state, formatInSentence(state.at, time))}</b> {offRemedy(state, lastFailure)}
      </p>
      <p>
        {held === 0
          ? "No events wait yet. They are kept for up to 30 days."
          : `${deliveryCount(held)} ${held === 1 ? "waits" : "wait"}, kept for up to 30 days.`}{" "}
        {viewer.canChange ? "Switch it on when the receiver works." : null}
      </p>
    </Note>
  );
}

type OffState = Extract<EndpointStateView, { kind: "OFF" }>;

function offWords({ because, byName }: OffState, when: string): string {
  switch (because) {
    case "FAILING":
      return `Sluice switched it off ${when}, after five days in which every attempt failed.`;
    case "GONE":
      return `Sluice switched it off ${when}: the receiver answered 410, gone for good.`;
    case "MEMBER":
      return `${byName ?? "Someone"} switched it off ${when}.`;
  }
}

function offRemedy({ because }: OffState, lastFailure: EndpointFactsView["lastFailure"]): string | null {
  if (because === "MEMBER") return null;
  if (because === "GONE") return "If it has moved, add its new address and delete this endpoint.";
  return lastFailure ? `${problemInWords(lastFailure)}. ${remedyOf(lastFailure)}` : null;
}

function Replacing({ view: { endpoint } }: { view: EndpointView }) {
  const { replaces, replacedBy } = endpoint;
  if (replaces) {
    return (
      <Note>
        It will replace the endpoint with the secret{" "}
        <Link className={`${LINK} ${MONO}`} href={replaces.href}>
          {replaces.secretHint}
        </Link>
        . Both get every event. The old one goes when this one has been answered with 2xx for the first time;
        a test event will do.
      </Note>
    );
  }
  if (!replacedBy) return null;
  return (
    <Note>
      The endpoint with the secret{" "}
      <Link className={`${LINK} ${MONO}`} href={replacedBy.href}>
        {replacedBy.secretHint}
      </Link>{" "}
      will replace it. Both get every event. This one is deleted when the other first gets a 2xx.
    </Note>
  );
}

function withoutOn(moment: string): string {
  return moment.replace(/^on /, "");
}

interface EndpointSideProps {
  view: EndpointView;
}

function EndpointSide({ view }: EndpointSideProps) {
  const { endpoint, viewer } = view;
  return (
    <SideColumn gap="wide">
      <Section id="secret" title="Signing secret" className="mt-0">
        <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">
          Shown once, at creation. To change it, recreate the endpoint; the old one stays until the new one
          succeeds.
        </p>
        <div className="flex flex-wrap items-center gap-3 mt-3">
          <code className="inline-flex items-center gap-1.5 px-2.5 py-1 border border-rule-strong rounded-sm text-[13px]/4.5 whitespace-nowrap text-ink-2">
            {endpoint.secretHint}
          </code>
          {viewer.canChange && !endpoint.replacedBy && !endpoint.replaces ? (
            <RecreateEndpoint endpointId={endpoint.id} />
          ) : null}
        </div>
      </Section>
      <Days view={view} />
      <Section id="told" title="Events sent" className="mt-0">
        {viewer.canChange ? (
          <>
            <EventTypes types={EVENTS_FOR_ALL} />
            <ChooseEvents endpointId={endpoint.id} asked={endpoint.askedEvents} />
          </>
        ) : (
          <EventTypes types={[...EVENTS_FOR_ALL, ...endpoint.askedEvents]} />
        )}
        <p className="mt-4 text-sm text-ink-3">
          Every endpoint gets the first three. They contain only IDs; fetch the rest.
        </p>
      </Section>
    </SideColumn>
  );
}

function Days({ view: { endpoint, time } }: { view: EndpointView }) {
  const { days } = endpoint;
  return (
    <Section id="days" title="Last 30 days" className="mt-0">
      <ChartFrame
        spec={deliveriesSpec(days, time)}
        label={daysInWords(days)}
        table={{ caption: "Days with deliveries, newest first", rowHead: "Day", rows: "NOT_ZERO" }}
        size="SHORT"
      />
      <p className="text-sm text-ink-3" aria-hidden="true">
        {daysInWords(days)}
      </p>
    </Section>
  );
}

/** Pure. */
export function deliveriesSpec(days: EndpointFactsView["days"], time: TimeContext): ChartSpec {
  return {
    unit: "COUNT",
    usualWidth: 300,
    rows: days.map(({ day, delivered, gaveUp, failedAttempts }, index) => ({
      label: formatDate(day, time),
      tick: index === days.length - 1 ? "Today" : formatDate(day, time),
      values: [delivered, gaveUp, failedAttempts],
    })),
    series: [
      { name: "Delivered", shape: "BAR", color: "water", stack: "events" },
      { name: "Failed", shape: "BAR", color: "red", stack: "events" },
      { name: "Failed attempts", shape: "MARK", color: "red" },
    ],
  };
}
