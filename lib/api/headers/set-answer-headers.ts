import type { ServerResponse } from "node:http";

/** A year, as the ASVS asks (3.4.1); the host's subdomains too, which a forged cookie could come from otherwise. */
const HSTS = "max-age=31536000; includeSubDomains";

/**
 * What holds for answers of every door, those of later doors included: data is never a page, never in a frame, never
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
 * Sets the headers of an answer before a door writes it; what a door sets itself under the same name counts.
 * @param isHttps whether browsers reach this server by https (`APP_URL`)
 */
export function setAnswerHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isHttps) response.setHeader("Strict-Transport-Security", HSTS);
}
