import { formatInSentence } from "@/components/time/format-in-sentence";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { deliveryCount } from "@/components/webhooks/count-words";
import { problemInSentence, problemInWords, remedyOf } from "@/components/webhooks/problem-in-words";
import type { EndpointFactsView, EndpointStateView, EndpointView } from "@/lib/contract/views/webhooks-view";

/** What somebody who opens the page must know first: that it fails, is off, or is about to be replaced. */
export function EndpointNotes({ view }: { view: EndpointView }) {
  return (
    <div className="wh-n">
      <Failing view={view} />
      <Off view={view} />
      <Replacing view={view} />
      {view.viewer.canChange ? null : (
        <Note>You see everything here. Owners and co-owners add, change and redeliver.</Note>
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
        Each event is tried again for 24 hours. Unless one arrives before, the endpoint is switched off{" "}
        {formatInSentence(state.disablesAt, time)} and the owners are told.
      </p>
      <p>
        <Link className="link" href={filterHrefs.FAILING} scroll={false}>
          Show what fails
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
          ? "Nothing waits for it yet. Events are kept for it, for up to 30 days."
          : `${deliveryCount(held)} ${held === 1 ? "waits" : "wait"} for it, kept for up to 30 days.`}{" "}
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
      return `Sluice switched it off ${when}: the receiver answered 410, which says that it is gone for good.`;
    case "MEMBER":
      return `${byName ?? "Somebody"} switched it off ${when}.`;
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
        It takes the place of the endpoint with the secret{" "}
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
      takes its place. Both get every event. This one goes when that one has been answered with 2xx for the
      first time.
    </Note>
  );
}

function withoutOn(moment: string): string {
  return moment.replace(/^on /, "");
}
