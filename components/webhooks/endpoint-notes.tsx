import Link from "next/link";
import { formatInSentence } from "@/components/time/format-in-sentence";
import { Note } from "@/components/ui/note";
import { deliveryCount } from "@/components/webhooks/count-words";
import { type Outcome, problemInSentence, remedyOf } from "@/components/webhooks/problem-in-words";
import type { EndpointStateView, EndpointView } from "@/lib/contract/views/webhooks-view";

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

function Failing({ view: { endpoint, deliveries, filterHrefs, time } }: { view: EndpointView }) {
  const { state } = endpoint;
  if (state.kind !== "FAILING") return null;
  const outcome = lastFailure(deliveries);
  return (
    <Note tone="red">
      <p>
        <b>
          Every attempt has failed since {withoutOn(formatInSentence(state.since, time))}
          {outcome ? `: ${problemInSentence(outcome)}.` : "."}
        </b>{" "}
        {outcome ? remedyOf(outcome) : null}
      </p>
      <p>
        Each event is tried again for 24 hours. Unless one arrives before, the endpoint is switched off{" "}
        {formatInSentence(state.disablesAt, time)} and the owners are told.{" "}
        <Link className="link" href={filterHrefs.FAILING} scroll={false}>
          Show what fails
        </Link>
      </p>
    </Note>
  );
}

/** Of the newest event that did not arrive; null where the listed ones were not tried yet. */
function lastFailure(deliveries: EndpointView["deliveries"]): Outcome | null {
  return deliveries.find(({ problem }) => problem !== null) ?? null;
}

function Off({ view: { endpoint, time, viewer } }: { view: EndpointView }) {
  const { state, retryingCount, waitingCount } = endpoint;
  if (state.kind !== "OFF") return null;
  const held = retryingCount + waitingCount;
  return (
    <Note tone={state.because === "MEMBER" ? "plain" : "red"}>
      <p>
        <b>{offWords(state, formatInSentence(state.at, time))}</b> {offRemedy(state)}
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

function offRemedy({ because }: OffState): string | null {
  if (because === "MEMBER") return null;
  return because === "GONE"
    ? "If it has moved, add its new address and delete this endpoint."
    : "The deliveries below say what was answered.";
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
