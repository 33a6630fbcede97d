import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { EMAIL_STYLE } from "@/lib/words/messages/email-layout";

const PLAID_FRAME = "https://cdn.plaid.com";

const PLAID_API = ["https://production.plaid.com", "https://sandbox.plaid.com"];

const EMAIL_STYLE_SOURCE = `'sha256-${createHash("sha256").update(EMAIL_STYLE).digest("base64")}'`;

const NONCE_BYTES = 16;

/** Browser features that no page uses, so that an injected script cannot use them either. */
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

/** Pages that an assistant may open in a window of its own, and watch until it is redirected back. */
const OPENED_BY_ASSISTANTS = /^\/(connect\/|sign-in(?:$|[/?]))/;

/** A file of a stranger (app/documents). */
const DOCUMENT_ADDRESS = /^\/documents\//;

/**
 * Whatever is in the file: no script, no form, no popup, nothing loaded, and an origin of its own that reaches neither
 * cookies nor pages of Sluice.
 */
const DOCUMENT_POLICY =
  "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Gives each page request a nonce of its own. Next reads it from the request's header while rendering and puts it on
 * every script; this needs no middleware, which would cost every request.
 */
export function createPageHeaders(
  needs: PageNeeds,
): (request: IncomingMessage, response: ServerResponse) => void {
  const policyOf = pagePolicy(needs);
  return (request, response) => {
    if (DOCUMENT_ADDRESS.test(request.url ?? "")) {
      // Next keeps a header that is set already, so a route could not replace the policy of pages.
      delete request.headers["content-security-policy"];
      response.setHeader("Content-Security-Policy", DOCUMENT_POLICY);
      return;
    }
    const policy = policyOf(randomBytes(NONCE_BYTES).toString("base64"));
    // A client-sent value would become the nonce, and the maker of a link could know it.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    response.setHeader("Content-Security-Policy", policy);
    // Addresses of approvals must not leave through a link.
    response.setHeader("Referrer-Policy", "same-origin");
    response.setHeader("Permissions-Policy", PERMISSIONS);
    response.setHeader("Cross-Origin-Opener-Policy", openerPolicy(request.url ?? ""));
  };
}

/**
 * A page of another site that opened one of ours loses its window handle, except where an assistant must learn that
 * its member is back. Windows that Plaid Link opens at banks keep their handle of us.
 */
function openerPolicy(url: string): string {
  return OPENED_BY_ASSISTANTS.test(url) ? "unsafe-none" : "same-origin-allow-popups";
}

/** What this installation's pages need beyond their own scripts and styles. */
interface PageNeeds {
  /** In development Next compiles in the browser and talks to it over a socket. */
  isDevelopment: boolean;
  /** Plaid Link connects accounts, in a frame of Plaid's. */
  hasPlaid: boolean;
  /** The mailbox shows emails in a frame that inherits this policy. */
  hasMailbox: boolean;
  /** Public address: the API reference calls the API there, whatever origin its own page has. */
  appUrl: string;
}

/**
 * The Content-Security-Policy of a page for its nonce: markup that finds its way in cannot run. Only scripts with
 * this answer's nonce run, and what they load (`strict-dynamic`: parts of a page, and Plaid Link after its button is
 * pressed); no host is trusted.
 * Style attributes are allowed: React sets the widths of bars and gauges that way, and a width computed from an
 * amount has no hash. An attribute can neither run nor load anything here (`img-src` and `font-src` are our own).
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
  // In development Next creates style elements itself, without a nonce.
  const styles = (nonce: string) =>
    isDevelopment
      ? "'self' 'unsafe-inline'"
      : ["'self'", `'nonce-${nonce}'`, ...(hasMailbox ? [EMAIL_STYLE_SOURCE] : [])].join(" ");
  const rest = [
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    // public/sw.js, which shows notifications.
    "worker-src 'self'",
    `connect-src ${connects.join(" ")}`,
    `frame-src ${hasPlaid ? PLAID_FRAME : "'none'"}`,
    // A form may post nowhere else; redirects count as well.
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return (nonce) =>
    `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'${evaluates}; style-src ${styles(nonce)}; ${rest}`;
}

/** A year, as ASVS 3.4.1 requires; with subdomains, which could otherwise set a forged cookie. */
const HSTS = "max-age=31536000; includeSubDomains";

/**
 * Defaults for the answers of every transport, later ones included: data is never a page, never framed, never
 * sniffed, never shared with another site. A page replaces the first (`setPageHeaders`).
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
 * Sets the headers of an answer before its transport writes it; headers that the transport sets itself win.
 * @param isHttps whether browsers reach this server by https (`APP_URL`)
 */
export function setAnswerHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isHttps) response.setHeader("Strict-Transport-Security", HSTS);
}
