import { DELIVERY_TIMEOUT_MS, type DeliveryProblem } from "@/lib/contract/webhooks";

const NO_BREAK_SPACE = "\u00a0";
const TIMEOUT = `${DELIVERY_TIMEOUT_MS / 1_000}${NO_BREAK_SPACE}s`;

export interface Outcome {
  statusCode: number | null;
  /** Null: answered with 2xx. */
  problem: DeliveryProblem | null;
}

/** `Answered 503`, `Timed out after 10 s`. */
export function problemInWords({ problem, statusCode }: Outcome): string {
  switch (problem) {
    case null:
    case "STATUS":
      return statusCode === null ? "Answered" : `Answered ${statusCode}`;
    case "REDIRECT":
      return "Answered with a redirect, which is not followed";
    case "TIMEOUT":
      return `Timed out after ${TIMEOUT}`;
    case "DNS":
      return "Host not found";
    case "ADDRESS":
      return "Leads to a private address";
    case "CONNECTION":
      return "Could not connect";
    case "TLS":
      return "No secure connection";
    case "PROTOCOL":
      return "Did not answer in HTTP";
    case "SECRET":
      return "Could not be signed";
  }
}

/** For a table column: `503`, `Timed out`. */
export function problemInShort({ problem, statusCode }: Outcome): string {
  switch (problem) {
    case null:
    case "STATUS":
      return statusCode === null ? "Answered" : String(statusCode);
    case "REDIRECT":
      return statusCode === null ? "Redirect" : `${statusCode} redirect`;
    case "TIMEOUT":
      return "Timed out";
    case "DNS":
      return "Host not found";
    case "ADDRESS":
      return "Private address";
    case "CONNECTION":
      return "No connection";
    case "TLS":
      return "Not secure";
    case "PROTOCOL":
      return "Not HTTP";
    case "SECRET":
      return "Not signed";
  }
}

/** Completes "Every attempt since then failed: it …". */
export function problemInSentence({ problem, statusCode }: Outcome): string {
  switch (problem) {
    case null:
    case "STATUS":
      return `it answers ${statusCode ?? "without a status"}`;
    case "REDIRECT":
      return "it answers with a redirect, which is not followed";
    case "TIMEOUT":
      return `it does not answer within ${TIMEOUT}`;
    case "DNS":
      return "its host is not found";
    case "ADDRESS":
      return "its host leads to a private address";
    case "CONNECTION":
      return "it could not be reached";
    case "TLS":
      return "it has no valid TLS connection";
    case "PROTOCOL":
      return "it does not answer in HTTP";
    case "SECRET":
      return "its events cannot be signed";
  }
}

/** What to check first. */
export function remedyOf({ problem, statusCode }: Outcome): string {
  switch (problem) {
    case null:
    case "STATUS":
      return remedyOfStatus(statusCode ?? 0);
    case "REDIRECT":
      return "Add the redirect target as a new endpoint, and delete this one.";
    case "TIMEOUT":
      return "Answer 2xx at once, then do the work.";
    case "DNS":
      return "Check the host for typos, and its DNS record.";
    case "ADDRESS":
      return "Sluice only sends to public addresses. Check the host's DNS record.";
    case "CONNECTION":
      return "Check that the receiver runs and that no firewall blocks Sluice.";
    case "TLS":
      return "Check its certificate: valid for this host, not expired, with the full chain.";
    case "PROTOCOL":
      return "Something else listens at this address. Check the port, and http versus https.";
    case "SECRET":
      return "This server's SLUICE_SECRET changed after the endpoint was created. Restore it, or recreate the endpoint.";
  }
}

function remedyOfStatus(statusCode: number): string {
  if (statusCode === 400 || statusCode === 401 || statusCode === 403) {
    return "It rejects the event. Check that it verifies the signature over the raw body, with this endpoint's secret.";
  }
  if (statusCode === 404 || statusCode === 405) {
    return "No route accepts a POST at this path. Check the address for typos, and the receiver's routes.";
  }
  if (statusCode === 413 || statusCode === 415) {
    return "It rejects this body. Events are JSON, below a kilobyte.";
  }
  if (statusCode === 429) return "It limits requests. Answer 2xx at once, and queue the work.";
  if (statusCode >= 500) return "The receiver failed. Its log at these times says why.";
  return "Only 2xx counts as received. Its answer is below.";
}
