import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { nameText } from "@/lib/words/messages/untrusted-text";

/** Events are counted up to this; beyond it the message says "more than". */
export const MAXIMUM_COUNTED_EVENTS = 1_000;

export interface DisabledEndpoint {
  /** Without scheme, query and fragment, which may hold a secret: `hooks.northwind.example/sluice`. */
  displayUrl: string;
  because: "FAILING" | "GONE";
  /** Waiting events, counted up to MAXIMUM_COUNTED_EVENTS. */
  waitingCount: number;
  endpointUrl: string;
}

/** An endpoint was switched off: it failed for five days, or answered 410. */
export function renderEndpointDisabled(
  endpoint: DisabledEndpoint,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const because =
    endpoint.because === "GONE"
      ? "It answered 410 Gone, so it wants no more events."
      : "Every attempt to reach it failed for five days.";
  const where = `Events to ${nameText(endpoint.displayUrl)} are no longer sent. ${because}`;
  const waits = waitingWords(endpoint.waitingCount);
  const email = emailLayout(
    {
      subject: "A webhook endpoint was switched off",
      preview: where,
      heading: "A webhook endpoint was switched off",
      rows: [paragraphRow(where), paragraphRow(waits)],
      action: { label: "Open the endpoint", url: endpoint.endpointUrl },
      note: "It stays off until an owner or co-owner switches it on again.",
      why: "CHOSEN",
      paragraphs: ["A webhook endpoint was switched off", where, waits],
    },
    setting,
  );
  const why = endpoint.because === "GONE" ? "it answered 410" : "it failed for five days";
  const sentence = `Sluice: a webhook endpoint was switched off, because ${why}.`;
  return { email, sms: composeNoticeSms(sentence, endpoint.endpointUrl) };
}

function waitingWords(count: number): string {
  if (count === 0) return "No event waits at the moment. Those to come wait until it is switched on again.";
  const events =
    count >= MAXIMUM_COUNTED_EVENTS
      ? `${MAXIMUM_COUNTED_EVENTS} events or more wait`
      : `${count} ${count === 1 ? "event waits" : "events wait"}`;
  return `${events}, and so do those to come. They are sent when it is switched on again, if that is within 30 days.`;
}
