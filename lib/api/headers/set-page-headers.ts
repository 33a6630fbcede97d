import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type PageNeeds, pagePolicy } from "@/lib/api/headers/page-policy";

const NONCE_BYTES = 16;

/** What none of these pages uses, so that a script that got in cannot use it either. */
const PERMISSIONS = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/** The addresses that an assistant may open in a window of its own, and listens to until it is sent back. */
const OPENED_BY_ASSISTANTS = /^\/(connect\/|sign-in(?:$|[/?]))/;

/**
 * Gives each request for a page a nonce of its own. Next reads it from the header of the request while it renders, and
 * puts it on every script that it writes; so no middleware is needed, which would cost each request.
 */
export function createPageHeaders(
  needs: PageNeeds,
): (request: IncomingMessage, response: ServerResponse) => void {
  const policyOf = pagePolicy(needs);
  return (request, response) => {
    const policy = policyOf(randomBytes(NONCE_BYTES).toString("base64"));
    // What a client sends under these names would be the nonce otherwise, and a link could know it.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    response.setHeader("Content-Security-Policy", policy);
    // Addresses of approvals stay here when a link leads elsewhere.
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Permissions-Policy", PERMISSIONS);
    response.setHeader("Cross-Origin-Opener-Policy", openerPolicy(request.url ?? ""));
  };
}

/**
 * A page of another site that opened one of ours keeps no hold of its window, except where an assistant has to know when
 * its member is back. Windows that Plaid Link opens at banks keep theirs of us.
 */
function openerPolicy(url: string): string {
  return OPENED_BY_ASSISTANTS.test(url) ? "unsafe-none" : "same-origin-allow-popups";
}
