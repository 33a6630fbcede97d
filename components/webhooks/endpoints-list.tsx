import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { RowSluice } from "@/components/sluice/row-sluice";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { DayStrip } from "@/components/webhooks/day-strip";
import { countWords, shareWords } from "@/components/webhooks/delivery-words";
import { EndpointState, sluiceOfEndpoint } from "@/components/webhooks/endpoint-state";
import { EventExample, EventTypes } from "@/components/webhooks/event-types";

import { problemInWords } from "@/components/webhooks/problem-in-words";

import type { EndpointFactsView, EndpointsView } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
import { numberWords } from "@/lib/engine/words/number-words";

export function EndpointsList({ view }: { view: EndpointsView }) {
  const { endpoints, viewer, hasRoom } = view;
  return (
    <>
      <PageHead
        title={endpointsTitle(endpoints)}
        lede={ledeOf(view)}
        actions={
          viewer.canChange && hasRoom && endpoints.length > 0 ? (
            <div className="page-a">
              <AddLink />
            </div>
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
      <Plus className="ic" />
      Add endpoint
    </Link>
  );
}

function EndpointsTable({ view }: { view: EndpointsView }) {
  return (
    <table className="ledger wh-t">
      <caption className="vh">Endpoints</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col" className="hide-s">
            Last delivery
          </th>
          <th scope="col" className="hide-s">
            30 days
          </th>
          <th scope="col" className="hide-s">
            Not delivered
          </th>
        </tr>
      </thead>
      <tbody>
        {view.endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} view={view} />
        ))}
      </tbody>
    </table>
  );
}

function EndpointRow({ endpoint, view }: { endpoint: EndpointFactsView; view: EndpointsView }) {
  const last = endpoint.lastSuccessAt ? (
    <Moment at={endpoint.lastSuccessAt} time={view.time} />
  ) : (
    <span className="dim">None yet</span>
  );
  return (
    <tr className="is-link">
      <th scope="row">
        <span className="wh-e">
          <RowSluice state={sluiceOfEndpoint(endpoint.state)} />
          <span className="wh-u">
            <Link className="key" href={endpoint.href}>
              {endpoint.displayUrl}
            </Link>
            <span className="blk">
              <EndpointState state={endpoint.state} />
            </span>
            {endpoint.state.kind === "FAILING" && endpoint.lastFailure ? (
              <span className="meta blk">{problemInWords(endpoint.lastFailure)}</span>
            ) : null}
            <Replacing endpoint={endpoint} />
            <span className="only-s wh-m">
              <span className="meta blk">Last delivery: {last}</span>
              <Health endpoint={endpoint} />
              {hasMissing(endpoint) ? <Missing endpoint={endpoint} /> : null}
            </span>
          </span>
        </span>
      </th>
      <td className="ink2 hide-s">{last}</td>
      <td className="hide-s">
        <Health endpoint={endpoint} />
      </td>
      <td className="hide-s">
        <Missing endpoint={endpoint} />
      </td>
    </tr>
  );
}

function Replacing({ endpoint: { replaces, replacedBy } }: { endpoint: EndpointFactsView }) {
  if (replaces) {
    return (
      <span className="meta blk">
        Replaces{" "}
        <Link className="link mono" href={replaces.href}>
          {replaces.secretHint}
        </Link>
      </span>
    );
  }
  if (!replacedBy) return null;
  return (
    <span className="meta blk">
      Deleted once{" "}
      <Link className="link mono" href={replacedBy.href}>
        {replacedBy.secretHint}
      </Link>{" "}
      succeeds
    </span>
  );
}

function Health({ endpoint: { days, deliveredShare } }: { endpoint: EndpointFactsView }) {
  return (
    <span className="wh-h">
      <DayStrip days={days} />
      <span className="meta">
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
  if (lines.length === 0) return <span className="dim">Nothing</span>;
  return (
    <ul className="wh-o">
      {lines.map(({ count, word }) => (
        <li key={word} className={word === "failed" ? "wh-bad" : undefined}>
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
    <div className="cols wh-none">
      <div>
        <Section id="arrives" title="Example event">
          <p className="ink2 wh-l">
            One POST for each change, with IDs only; fetch the resource with the matching GET.
          </p>
          <EventExample />
        </Section>
        {action ? <p className="foot-a">{action}</p> : null}
      </div>
      <aside className="side">
        <div className="side-in">
          <section aria-labelledby="told">
            <div className="sec-h tall">
              <h2 className="h2" id="told">
                Events sent
              </h2>
            </div>
            <EventTypes />
          </section>
          <section aria-labelledby="does">
            <div className="sec-h">
              <h2 className="h2" id="does">
                Your receiver
              </h2>
            </div>
            <ol className="wh-does">
              <li>Verifies the signature over the raw body.</li>
              <li>Answers 2xx at once, then does its work.</li>
              <li>Drops repeated event IDs: an event may arrive more than once.</li>
            </ol>
            <p className="wh-guide">
              <Link className="link" href="/docs/webhooks">
                Read the guide
              </Link>
            </p>
          </section>
        </div>
      </aside>
    </div>
  );
}
