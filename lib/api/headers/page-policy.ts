import { createHash } from "node:crypto";
import { EMAIL_STYLE } from "@/lib/words/messages/email-style";

/** What the pages of this installation need beyond their own scripts and styles. */
export interface PageNeeds {
  /** Next compiles in the browser while one edits, and speaks to it over a socket. */
  isDevelopment: boolean;
  /** Accounts are connected with Plaid Link, in a frame of Plaid's. */
  hasPlaid: boolean;
  /** Emails are shown in the mailbox, in a frame that inherits this policy. */
  hasMailbox: boolean;
  /** Public address: a reader of the API reference calls the API there, whatever this page's own origin is. */
  appUrl: string;
}

const PLAID_FRAME = "https://cdn.plaid.com";
const PLAID_API = ["https://production.plaid.com", "https://sandbox.plaid.com"];
const EMAIL_STYLE_SOURCE = `'sha256-${createHash("sha256").update(EMAIL_STYLE).digest("base64")}'`;

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
