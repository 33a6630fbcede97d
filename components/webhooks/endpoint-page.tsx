import { ChartFrame } from "@/components/charts/chart-frame";
import type { ChartSpec } from "@/components/charts/chart-spec";
import { formatDate, formatDay, formatInSentence } from "@/components/time/format-instant";

import { Moment } from "@/components/time/moment";
import { Crumb } from "@/components/ui/crumb";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { daysInWords } from "@/components/webhooks/day-strip";
import { DeliveriesSection } from "@/components/webhooks/deliveries-section";
import { deliveryCount, shareWords } from "@/components/webhooks/delivery-words";
import { EndpointHeadActions, RecreateEndpoint } from "@/components/webhooks/endpoint-head-actions";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { EventTypes } from "@/components/webhooks/event-types";
import { problemInSentence, problemInWords, remedyOf } from "@/components/webhooks/problem-in-words";
import { ReplayFailed } from "@/components/webhooks/replay-failed";
import { Verification } from "@/components/webhooks/verification";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type {
  EndpointActions,
  EndpointFactsView,
  EndpointStateView,
  EndpointView,
} from "@/lib/contract/views/webhooks-view";

interface EndpointPageProps {
  view: EndpointView;
  actions: EndpointActions;
}

export function EndpointPage({ view, actions }: EndpointPageProps) {
  const { endpoint, viewer, time } = view;
  return (
    <div className="whp">
      <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="Endpoint" />
      <div className="page-h">
        <div>
          <h1 className="h1">{endpoint.displayUrl}</h1>
          <p className="ask-s">
            <EndpointState state={endpoint.state} />
            <SinceWhen endpoint={endpoint} time={time} />
            {endpoint.deliveredShare === null ? null : (
              <span>{shareWords(endpoint.deliveredShare)} delivered in 30 days</span>
            )}
          </p>
        </div>
        {viewer.canChange ? <EndpointHeadActions endpoint={endpoint} actions={actions} /> : null}
      </div>
      <EndpointNotes view={view} />
      <div className="cols">
        <div>
          <DeliveriesSection view={view} actions={actions} />
          {viewer.canChange ? (
            <ReplayFailed
              endpointId={endpoint.id}
              isOffered={endpoint.state.kind !== "OFF" && endpoint.deadCount + endpoint.retryingCount > 0}
              actions={actions}
              timeZone={time.timeZone}
            />
          ) : null}
        </div>
        <EndpointSide view={view} actions={actions} />
      </div>
      <Section id="verify" title="Verify the signature">
        <Verification />
      </Section>
    </div>
  );
}

function SinceWhen({ endpoint, time }: { endpoint: EndpointFactsView; time: TimeContext }) {
  const { state, madeAt, madeByName } = endpoint;
  if (state.kind === "FAILING")
    return <span>Since {formatInSentence(state.since, time).replace(/^on /, "")}</span>;
  if (state.kind === "OFF") return <span>Since {formatInSentence(state.at, time).replace(/^on /, "")}</span>;
  return (
    <span>
      Added <Moment at={madeAt} time={time} format={formatDay} />
      {madeByName ? ` by ${madeByName}` : ""}
    </span>
  );
}

/** Most important first: failing, off, or about to be replaced. */
function EndpointNotes({ view }: { view: EndpointView }) {
  return (
    <div className="wh-n">
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
        <Link className="link" href={filterHrefs.FAILING} scroll={false}>
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
        <Link className="link mono" href={replaces.href}>
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
      <Link className="link mono" href={replacedBy.href}>
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
  actions: Pick<EndpointActions, "recreateEndpoint">;
}

function EndpointSide({ view, actions }: EndpointSideProps) {
  const { endpoint, viewer } = view;
  return (
    <aside className="side wh-side">
      <div className="side-in">
        <section aria-labelledby="secret">
          <div className="sec-h tall">
            <h2 className="h2" id="secret">
              Signing secret
            </h2>
          </div>
          <p className="ink2 wh-l">
            Shown once, at creation. To change it, recreate the endpoint; the old one stays until the new one
            succeeds.
          </p>
          <div className="wh-sec">
            <code className="tag">{endpoint.secretHint}</code>
            {viewer.canChange && !endpoint.replacedBy && !endpoint.replaces ? (
              <RecreateEndpoint endpointId={endpoint.id} actions={actions} />
            ) : null}
          </div>
        </section>
        <Days view={view} />
        <section aria-labelledby="told">
          <div className="sec-h">
            <h2 className="h2" id="told">
              Events sent
            </h2>
          </div>
          <EventTypes />
          <p className="meta">Every endpoint gets all three. They contain only IDs; fetch the rest.</p>
        </section>
      </div>
    </aside>
  );
}

function Days({ view: { endpoint, time } }: { view: EndpointView }) {
  const { days } = endpoint;
  return (
    <section aria-labelledby="days">
      <div className="sec-h">
        <h2 className="h2" id="days">
          Last 30 days
        </h2>
      </div>
      <ChartFrame
        spec={deliveriesSpec(days, time)}
        label={daysInWords(days)}
        table={{ caption: "Days with deliveries, newest first", rowHead: "Day", rows: "NOT_ZERO" }}
        size="SHORT"
      />
      <p className="meta" aria-hidden="true">
        {daysInWords(days)}
      </p>
    </section>
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
