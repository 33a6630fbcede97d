import { formatDate } from "@/components/time/format-instant";
import { DayStrip, daysInWords } from "@/components/webhooks/day-strip";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { EventTypes } from "@/components/webhooks/event-types";
import { RecreateEndpoint } from "@/components/webhooks/recreate-endpoint";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { EndpointView } from "@/lib/contract/views/webhooks-view";

interface EndpointSideProps {
  view: EndpointView;
  actions: Pick<EndpointActions, "recreateEndpoint" | keyof PresenceActions>;
}

/** What belongs to the endpoint as a whole: its secret, how it did, what it gets. */
export function EndpointSide({ view, actions }: EndpointSideProps) {
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
            Shown once, when the endpoint was made. To change it, recreate the endpoint: the old one stays
            until the new one has succeeded.
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
          <p className="meta">Every endpoint gets all three. Each holds ids only; fetch the rest.</p>
        </section>
      </div>
    </aside>
  );
}

function Days({ view: { endpoint, time } }: { view: EndpointView }) {
  const { days } = endpoint;
  const eventful = days.filter((day) => day.delivered + day.gaveUp + day.failedAttempts > 0).reverse();
  return (
    <section aria-labelledby="days">
      <div className="sec-h">
        <h2 className="h2" id="days">
          Last 30 days
        </h2>
      </div>
      <DayStrip days={days} />
      <p className="meta" aria-hidden="true">
        {daysInWords(days)}
      </p>
      {eventful.length > 0 ? (
        <details className="wh-tab">
          <summary className="link">Show as table</summary>
          <table className="ledger tight">
            <caption className="vh">Days on which something was sent, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" className="num">
                  Delivered
                </th>
                <th scope="col" className="num">
                  Gave up
                </th>
                <th scope="col" className="num">
                  Failed tries
                </th>
              </tr>
            </thead>
            <tbody>
              {eventful.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{formatDate(day.day, time)}</th>
                  <td className="num">{day.delivered.toLocaleString("en-US")}</td>
                  <td className="num">{day.gaveUp.toLocaleString("en-US")}</td>
                  <td className="num">{day.failedAttempts.toLocaleString("en-US")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ) : null}
    </section>
  );
}
