import { DELIVERY_TIMEOUT_MS, type DeliveryProblem } from "@/lib/contract/webhooks";

const NO_BREAK_SPACE = "\u00a0";
const TIMEOUT = `${DELIVERY_TIMEOUT_MS / 1_000}${NO_BREAK_SPACE}s`;

/** What came of an attempt. */
export interface Outcome {
  statusCode: number | null;
  /** Null: answered with 2xx. */
  problem: DeliveryProblem | null;
}

/** What came of an attempt, for people: `Answered 503`, `Timed out after 10 s`. */
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

/** The same in a column of a table: `503`, `Timed out`. */
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

/** What the receiver does, as the end of "Every attempt since then failed: it …". */
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
      return "no secure connection to it could be made";
    case "PROTOCOL":
      return "it does not answer in HTTP";
    case "SECRET":
      return "its events cannot be signed";
  }
}

/** What somebody who runs the receiver would look at first. */
export function remedyOf({ problem, statusCode }: Outcome): string {
  switch (problem) {
    case null:
    case "STATUS":
      return remedyOfStatus(statusCode ?? 0);
    case "REDIRECT":
      return "Use the address that it leads to: add it as a new endpoint, and delete this one.";
    case "TIMEOUT":
      return "Answer 2xx at once, and do the work afterwards.";
    case "DNS":
      return "Look for a typing error in the host, and at its DNS record.";
    case "ADDRESS":
      return "Sluice sends to public addresses only. Give the host one, and look at its DNS record.";
    case "CONNECTION":
      return "Look whether the receiver runs, and whether a firewall keeps Sluice out.";
    case "TLS":
      return "Look at its certificate: it must be valid for this host, not expired, and come with its whole chain.";
    case "PROTOCOL":
      return "Something else listens at this address. Look at its port, and whether it speaks http or https.";
    case "SECRET":
      return "SLUICE_SECRET of this server is another one than when the endpoint was made. Set it back, or recreate the endpoint.";
  }
}

function remedyOfStatus(statusCode: number): string {
  if (statusCode === 400 || statusCode === 401 || statusCode === 403) {
    return "It turns the event away. Look whether it checks the signature over the raw body, with the secret of this endpoint.";
  }
  if (statusCode === 404 || statusCode === 405) {
    return "Nothing takes a POST at this path. Look for a typing error in the address, and at the receiver's routes.";
  }
  if (statusCode === 413 || statusCode === 415) {
    return "It takes no body of this kind. Events are JSON, below a kilobyte.";
  }
  if (statusCode === 429) return "It wants fewer requests. Answer 2xx at once, and queue the work.";
  if (statusCode >= 500) return "The receiver broke. Its own log at these times says why.";
  return "Only an answer of 2xx counts. What it answered stands below.";
}
