import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { EMAIL_STYLE } from "@/lib/words/messages/email-layout";

const PLAID_FRAME = "https://cdn.plaid.com";

const PLAID_API = ["https://production.plaid.com", "https://sandbox.plaid.com"];

const EMAIL_STYLE_SOURCE = `'sha256-${createHash("sha256").update(EMAIL_STYLE).digest("base64")}'`;

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

/** What the pages of this installation need beyond their own scripts and styles. */
interface PageNeeds {
  /** Next compiles in the browser while one edits, and speaks to it over a socket. */
  isDevelopment: boolean;
  /** Accounts are connected with Plaid Link, in a frame of Plaid's. */
  hasPlaid: boolean;
  /** Emails are shown in the mailbox, in a frame that inherits this policy. */
  hasMailbox: boolean;
  /** Public address: a reader of the API reference calls the API there, whatever this page's own origin is. */
  appUrl: string;
}

/**
 * The Content-Security-Policy of a page, as a function of its nonce: text that found its way into the markup is not run,
 * whatever it is. Only scripts with the nonce of this very answer run, and what they load in turn (`strict-dynamic`:
 * the parts of a page, and Plaid Link when somebody presses its button); no address is trusted by its host.
 *
 * Style attributes alone are free: React writes the widths of bars and gauges so, a width that comes from an amount has no
 * hash, and an attribute can neither run nor load anything here (`img-src` and `font-src` are ours).
 */
export function pagePolicy({
  isDevelopment,
  hasPlaid,
  hasMailbox,
  appUrl,
}: PageNeeds): (nonce: string) => string {
  const evaluates = isDevelopment ? " 'unsafe-eval'" : "";
  const connects = [
    "'self'",
    new URL(appUrl).origin,
    ...(isDevelopment ? ["ws:"] : []),
    ...(hasPlaid ? PLAID_API : []),
  ];
  // In development styles come as elements that Next makes itself, without a nonce.
  const styles = (nonce: string) =>
    isDevelopment
      ? "'self' 'unsafe-inline'"
      : ["'self'", `'nonce-${nonce}'`, ...(hasMailbox ? [EMAIL_STYLE_SOURCE] : [])].join(" ");
  const rest = [
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${connects.join(" ")}`,
    `frame-src ${hasPlaid ? PLAID_FRAME : "'none'"}`,
    // Forms go here and no further: where they redirect to counts as well.
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return (nonce) =>
    `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'${evaluates}; style-src ${styles(nonce)}; ${rest}`;
}

/** A year, as the ASVS asks (3.4.1); the host's subdomains too, which a forged cookie could come from otherwise. */
const HSTS = "max-age=31536000; includeSubDomains";

/**
 * What holds for answers of every transport, those of later transports included: data is never a page, never in a frame, never
 * read as something that it is not, and of no other site's business. A page replaces the first (`setPageHeaders`).
 */
const HEADERS: readonly (readonly [string, string])[] = [
  [
    "Content-Security-Policy",
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
];

/**
 * Sets the headers of an answer before a transport writes it; what a transport sets itself under the same name counts.
 * @param isHttps whether browsers reach this server by https (`APP_URL`)
 */
export function setAnswerHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isHttps) response.setHeader("Strict-Transport-Security", HSTS);
}
