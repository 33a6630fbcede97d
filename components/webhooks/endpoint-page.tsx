import { formatInSentence } from "@/components/time/format-in-sentence";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Section } from "@/components/ui/section";
import { DeliveriesSection } from "@/components/webhooks/deliveries-section";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { EndpointHeadActions } from "@/components/webhooks/endpoint-head-actions";
import { EndpointNotes } from "@/components/webhooks/endpoint-notes";
import { EndpointSide } from "@/components/webhooks/endpoint-side";
import { EndpointState } from "@/components/webhooks/endpoint-state";
import { ReplayFailed } from "@/components/webhooks/replay-failed";
import { shareWords } from "@/components/webhooks/share-words";
import { Verification } from "@/components/webhooks/verification";
import { WebhookCrumb } from "@/components/webhooks/webhook-crumb";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { EndpointFactsView, EndpointView } from "@/lib/contract/views/webhooks-view";

interface EndpointPageProps {
  view: EndpointView;
  actions: EndpointActions;
}

/** One endpoint: how it stands, what was sent and answered, and what can be done about it. */
export function EndpointPage({ view, actions }: EndpointPageProps) {
  const { endpoint, viewer, time } = view;
  return (
    <div className="whp">
      <WebhookCrumb here="Endpoint" />
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
      <Section id="verify" title="Check the signature">
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
