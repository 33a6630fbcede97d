import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";

import { nameText } from "@/lib/words/messages/untrusted-text";

/** Events that are counted; more than this is more than this. */
export const MAXIMUM_COUNTED_EVENTS = 1_000;

export interface DisabledEndpoint {
  /** Without scheme, query and fragment, which may hold a secret: `hooks.northwind.example/sluice`. */
  displayUrl: string;
  because: "FAILING" | "GONE";
  /** Events that wait for it, counted up to MAXIMUM_COUNTED_EVENTS. */
  waitingCount: number;
  endpointUrl: string;
}

/** A webhook endpoint that failed for five days, or wants no more events, was switched off. */
export function renderEndpointDisabled(
  endpoint: DisabledEndpoint,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const because =
    endpoint.because === "GONE"
      ? "It answered 410 Gone, which says that it wants no more events."
      : "For five days every attempt to reach it failed.";
  const where = `Events to ${nameText(endpoint.displayUrl)} are no longer sent. ${because}`;
  const waits = waitingWords(endpoint.waitingCount);
  const email = emailLayout(
    {
      subject: "A webhook endpoint is switched off",
      preview: where,
      heading: "A webhook endpoint is switched off",
      rows: [paragraphRow(where), paragraphRow(waits)],
      action: { label: "Look at the endpoint", url: endpoint.endpointUrl },
      note: "It stays off until an owner or co-owner switches it on again.",
      why: "CHOSEN",
      paragraphs: ["A webhook endpoint is switched off", where, waits],
    },
    setting,
  );
  const why = endpoint.because === "GONE" ? "it answered 410" : "it failed for five days";
  const sentence = `Sluice: a webhook endpoint is switched off, because ${why}.`;
  return { email, sms: composeTellingSms(sentence, endpoint.endpointUrl) };
}

function waitingWords(count: number): string {
  if (count === 0) return "No event waits at the moment. Those to come wait until it is switched on again.";
  const events =
    count >= MAXIMUM_COUNTED_EVENTS
      ? `${MAXIMUM_COUNTED_EVENTS} events or more wait`
      : `${count} ${count === 1 ? "event waits" : "events wait"}`;
  return `${events}, and so do those to come. They are sent when it is switched on again, if that is within 30 days.`;
}
