import type { OperationView, TrialField, TrialView } from "@/lib/contract/reference";

export interface TrialInput {
  method: OperationView["method"];
  basePath: string;
  path: string;
  trial: TrialView;
  /** Text of each field by name; empty means left out. */
  values: Readonly<Record<string, string>>;
  isDryRun: boolean;
}

interface TrialRequest {
  /** Path with query, on the page's own origin. */
  url: string;
  body: string | null;
}

/**
 * Builds the request. Rejects only what the browser cannot send; the API's own refusals are part of trying it.
 * @returns the request, or the field that is in the way and why
 */
export function buildTrialRequest(input: TrialInput): TrialRequest | { field: string; problem: string } {
  const { method, basePath, path, trial, values, isDryRun } = input;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let filledPath = path;
  for (const field of trial.fields) {
    const text = values[field.name]?.trim() ?? "";
    if (text === "") {
      if (field.place === "path") return { field: field.name, problem: "The path needs this." };
      continue;
    }
    if (field.place === "path") filledPath = filledPath.replace(`{${field.name}}`, encodeURIComponent(text));
    else if (field.place === "query") appendQuery(query, field, text);
    else {
      const value = readValue(field, text);
      if (value === undefined) return { field: field.name, problem: "This is not JSON." };
      body[field.name] = value;
    }
  }
  if (trial.dryRunField) body[trial.dryRunField] = isDryRun;
  const search = query.size > 0 ? `?${query}` : "";
  return {
    url: `${basePath}${filledPath}${search}`,
    body: method === "GET" ? null : JSON.stringify(body, null, 2),
  };
}

function appendQuery(query: URLSearchParams, field: TrialField, text: string): void {
  for (const one of field.kind === "LIST" ? text.split(",") : [text]) query.append(field.name, one.trim());
}

/** Undefined if unreadable. An invalid number is sent as text, so that the API says what is wrong. */
function readValue(field: TrialField, text: string): unknown {
  if (field.kind === "LIST") return text.split(",").map((one) => one.trim());
  if (field.kind === "BOOLEAN") return text === "true" ? true : text === "false" ? false : text;
  if (field.kind === "NUMBER") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (field.kind === "TEXT") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface TrialAnswer {
  status: number;
  milliseconds: number;
  requestId: string | null;
  headers: { name: string; value: string }[];
  /** Indented JSON, or the raw text. */
  text: string;
  errorCode: string | null;
}

const SHOWN_HEADERS = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "idempotent-replayed",
  "deprecation",
  "sunset",
];
const TIMEOUT_MS = 30_000;
/** Longer answers would slow the page. */
const MAXIMUM_SHOWN_CHARACTERS = 200_000;

interface TrialCall {
  method: string;
  url: string;
  body: string | null;
  key: string;
  isIdempotent: boolean;
}

/**
 * Calls with the reader's key but not their session, so that the answer is what a program would get.
 * @throws Error when no answer comes
 */
export async function sendTrial({ method, url, body, key, isIdempotent }: TrialCall): Promise<TrialAnswer> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      "x-called-reason": "Tried in the API reference",
      ...(body !== null && { "Content-Type": "application/json" }),
      ...(isIdempotent && { "idempotency-key": newKey() }),
    },
    ...(body !== null && { body }),
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const received = await response.text();
  const milliseconds = Math.round(performance.now() - startedAt);
  const { text, errorCode } = readBody(received);
  return {
    status: response.status,
    milliseconds,
    requestId: response.headers.get("x-request-id"),
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [{ name, value }];
    }),
    text: text.slice(0, MAXIMUM_SHOWN_CHARACTERS),
    errorCode,
  };
}

function readBody(text: string): { text: string; errorCode: string | null } {
  try {
    const value: unknown = JSON.parse(text);
    return { text: JSON.stringify(value, null, 2), errorCode: codeOf(value) };
  } catch {
    // Plain text, e.g. the 404 of an unknown path.
    return { text, errorCode: null };
  }
}

function codeOf(value: unknown): string | null {
  const error = typeof value === "object" && value !== null && "error" in value ? value.error : null;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}

/** A key per press. `randomUUID` is missing on plain http, where many installations start. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `try-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
