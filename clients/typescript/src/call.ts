/** What the client knows of an operation; generated. */
export interface OperationShape {
  name: string;
  method: string;
  /** Below the base path, with `{name}` for path parameters. */
  path: string;
  pathFields: string[];
  /** Takes an idempotency key: the same request may be sent again, and happens once. */
  isIdempotent: boolean;
}

export interface SluiceOptions {
  /** Where the API is, with its version: `https://sluice.example.com/platform/v1`. */
  baseUrl: string;
  /** Kept in this object; it is sent to `baseUrl` and nowhere else. */
  apiKey: string;
  /** Why you call, for the audit log: at most 500 characters. A call may say it better. */
  calledReason?: string;
  /** How often a request is sent at most, the first time included. Default 4. */
  maximumAttempts?: number;
  /** How long one attempt may take. Default 30,000. */
  attemptTimeoutMs?: number;
  /** A longer wait than this is an error instead, also when the server asks for it. Default 65,000. */
  maximumWaitMs?: number;
  /** Another `fetch`, e.g. one that goes through a proxy. */
  fetch?: typeof fetch;
  /** Another clock to wait by: for tests, which would rather not. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  /** Your own key for this request (1 to 36 letters, digits and `. _ : / | -`). Default: a new UUID. */
  idempotencyKey?: string;
  /** Why you call, for the audit log. */
  calledReason?: string;
  /** Ends the call, also while it waits to try again. */
  signal?: AbortSignal;
}

export interface Answer<Data> {
  data: Data;
  /** Quote it when something is wrong. */
  requestId: string;
  status: number;
  /** Whether this is the remembered answer to an earlier request with the same idempotency key. */
  isReplayed: boolean;
}
