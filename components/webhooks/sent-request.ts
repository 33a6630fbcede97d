import type { DeliveryView } from "@/lib/contract/views/webhooks-view";
import { EVENT_ID_HEADER, SIGNATURE_HEADER, WEBHOOK_USER_AGENT } from "@/lib/contract/webhooks";

/**
 * The request as it left: its line, its headers, an empty line, and the body byte for byte. Of the signature the first
 * digits: enough to compare with what a receiver computed, too little to use.
 */
export function sentRequest(
  { eventId, body, history }: Pick<DeliveryView, "eventId" | "body" | "history">,
  url: string,
): string {
  const { host, pathname, search } = new URL(url);
  const last = history.at(-1);
  const signature = last
    ? last.signatureStart === null
      ? "none: it could not be signed"
      : `t=${last.signedAtSeconds},v1=${last.signatureStart}…`
    : "t=…,v1=…";
  return [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    `user-agent: ${WEBHOOK_USER_AGENT}`,
    "content-type: application/json",
    `${EVENT_ID_HEADER}: ${eventId}`,
    `${SIGNATURE_HEADER}: ${signature}`,
    "",
    body,
  ].join("\n");
}
