/** An operation as the client knows it; generated. */
export interface OperationShape {
  name: string;
  method: string;
  /** Below the base path, with `{name}` for path parameters. */
  path: string;
  pathFields: string[];
  /** Takes an idempotency key: the request may be sent again and takes effect once. */
  isIdempotent: boolean;
}

export interface SluiceOptions {
  /** Address of the API with its version: `https://sluice.example.com/platform/v1`. */
  baseUrl: string;
  /** Kept in this object; sent only to `baseUrl`. */
  apiKey: string;
  /** Why you call, for the audit log: at most 500 characters. A single call can override it. */
  calledReason?: string;
  /** Maximum attempts per request, including the first. Default 4. */
  maximumAttempts?: number;
  /** Timeout of one attempt. Default 30,000. */
  attemptTimeoutMs?: number;
  /** A longer wait becomes an error, even if the server asks for it. Default 65,000. */
  maximumWaitMs?: number;
  /** Another `fetch`, e.g. through a proxy. */
  fetch?: typeof fetch;
  /** Replaces waiting, for tests. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Replaces the clock that waits are counted by, in milliseconds, for tests. */
  now?: () => number;
}

export interface CallOptions {
  /** Your own key for this request (1 to 36 letters, digits and `. _ : / | -`). Default: a new UUID. */
  idempotencyKey?: string;
  /** Why you call, for the audit log. */
  calledReason?: string;
  /** Ends the call, also while it waits to retry. */
  signal?: AbortSignal;
}

export interface Answer<Data> {
  data: Data;
  /** Quote it when you report a problem. */
  requestId: string;
  status: number;
  /** Whether this repeats the answer to an earlier request with the same idempotency key. */
  isReplayed: boolean;
}
