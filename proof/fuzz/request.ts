/** An ordinary HTTP request, with whatever in it. */
export interface HttpRequest {
  kind: "HTTP";
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
  /** The caller goes away before the answer is whole; null: it stays. */
  leavesAfterMs: number | null;
}

/** Bytes on a socket, which need not be HTTP. */
export interface RawRequest {
  kind: "RAW";
  parts: readonly { bytes: Buffer; pauseMs: number }[];
  /** `READ` until the other end closes; `RESET` it at once. */
  end: "READ" | "RESET";
}

/** What an answer is held against besides what holds for all. */
export type Contract = "API" | "MCP" | "OAUTH" | "PAGE" | "NONE";

export interface FuzzRequest {
  /** The file of `proof/fuzz/doors` that made it. */
  door: string;
  /** What it is about, without anything random: findings of one shape are one. */
  shape: string;
  contract: Contract;
  sent: HttpRequest | RawRequest;
}

export interface Answer {
  /** `LEFT`: the caller went away as it meant to. `CUT`: the connection ended without a whole answer. */
  outcome: "ANSWERED" | "LEFT" | "CUT" | "HUNG";
  /** Of each answer on the connection, in order. */
  statuses: readonly number[];
  headers: Readonly<Record<string, string>>;
  text: string;
  /** What went before on the same connection; null where nothing did. */
  before: HttpRequest | null;
  durationMs: number;
}
