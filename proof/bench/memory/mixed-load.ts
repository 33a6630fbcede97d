import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { examplesOf } from "@/e2e/pages/page-examples";
import type { PageFacts } from "@/e2e/pages/page-facts";
import type { Caller } from "@/proof/bench/arrange";

/** How often each kind of request was sent and what it was answered. */
export interface LoadCounts {
  sent: number;
  accepted: number;
  /** By kind and status. */
  refused: Map<string, number>;
  slowestMs: number;
}

interface Load {
  url: string;
  callers: readonly Caller[];
  cookie: string;
  pages: readonly string[];
}

interface Kind {
  name: string;
  share: number;
  send: (load: Load, turn: number) => Promise<Response>;
}

const REQUEST_TIMEOUT_MS = 60_000;
const LEAST_ACCEPTED = 0.98;
/** A load that is refused is noticed before it takes half an hour. */
const FIRST_LOOK = 140;

/** What programs, agents and people do in turn. */
const KINDS: readonly Kind[] = [
  {
    name: "transfer",
    share: 4,
    send: ({ url, callers }, turn) => sendTransfer(url, pick(callers, turn), turn),
  },
  {
    name: "accounts",
    share: 2,
    send: ({ url, callers }, turn) => read(url, pick(callers, turn), "/accounts"),
  },
  {
    name: "transfers",
    share: 2,
    send: ({ url, callers }, turn) => listTransfers(url, pick(callers, turn), turn),
  },
  { name: "rules", share: 1, send: ({ url, callers }, turn) => read(url, pick(callers, turn), "/rules") },
  { name: "MCP", share: 2, send: ({ url, callers }, turn) => callTool(url, pick(callers, turn)) },
  {
    name: "page",
    share: 3,
    send: ({ url, cookie, pages }, turn) =>
      fetch(`${url}${pick(pages, turn)}`, {
        headers: { Cookie: cookie },
        redirect: "manual",
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      }),
  },
];
const TURNS = KINDS.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

/** The addresses of every page that the organization can show. */
export function pagesOf(root: string, facts: PageFacts): string[] {
  return examplesOf(root).flatMap(({ views }) => views(facts).flatMap(({ at }) => at ?? []));
}

/**
 * Sends so many requests a second, whether or not earlier ones are answered, for so many minutes.
 * @throws Error if more than a fiftieth is not accepted: a load that is refused measures nothing
 */
export async function runMixedLoad(
  load: Load,
  { perSecond, minutes }: { perSecond: number; minutes: number },
): Promise<LoadCounts> {
  const counts: LoadCounts = { sent: 0, accepted: 0, refused: new Map(), slowestMs: 0 };
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  const total = Math.round(perSecond * minutes * 60);
  for (let turn = 0; turn < total; turn += 1) {
    const dueMs = startedAt + (turn * 1_000) / perSecond - performance.now();
    if (dueMs > 0) await pause(dueMs);
    const kind = pick(TURNS, turn);
    const sent = sendOne(load, kind, turn, counts).finally(() => running.delete(sent));
    running.add(sent);
    // Those in flight are not accepted yet.
    if (turn === FIRST_LOOK) {
      await Promise.all(running);
      assertAccepted(counts);
    }
  }
  await Promise.all(running);
  assertAccepted(counts);
  return counts;
}

function assertAccepted(counts: LoadCounts): void {
  if (counts.accepted < counts.sent * LEAST_ACCEPTED)
    throw new Error(
      `Only ${counts.accepted} of ${counts.sent} requests were accepted: ${describeRefused(counts)}`,
    );
}

export function describeRefused({ refused }: LoadCounts): string {
  return [...refused].map(([what, count]) => `${what} ×${count}`).join(", ") || "none";
}

async function sendOne(load: Load, kind: Kind, turn: number, counts: LoadCounts): Promise<void> {
  counts.sent += 1;
  const startedAt = performance.now();
  const outcome = await readStatus(kind.send(load, turn));
  counts.slowestMs = Math.max(counts.slowestMs, performance.now() - startedAt);
  // Pages may redirect, or show what is not there.
  const isAccepted =
    typeof outcome === "number" && (outcome < 400 || (kind.name === "page" && outcome === 404));
  if (isAccepted) counts.accepted += 1;
  else
    counts.refused.set(`${kind.name} ${outcome}`, (counts.refused.get(`${kind.name} ${outcome}`) ?? 0) + 1);
}

/** The status once the response is read; the name of the error without one. */
async function readStatus(sent: Promise<Response>): Promise<number | string> {
  try {
    const response = await sent;
    await response.text();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : "error";
  }
}

function sendTransfer(url: string, { keyText, pods }: Caller, turn: number): Promise<Response> {
  return fetch(`${url}/platform/v1/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Idempotency-Key": randomUUID(),
    },
    body: JSON.stringify({
      sourceAccountId: pick(pods, turn),
      destinationAccountId: pick(pods, turn + 1),
      amountInCents: 100 + (turn % 900),
    }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

function read(url: string, { keyText }: Caller, path: string): Promise<Response> {
  return fetch(`${url}/platform/v1${path}`, {
    headers: { Authorization: `Bearer ${keyText}` },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

function listTransfers(url: string, caller: Caller, turn: number): Promise<Response> {
  return read(url, caller, `/transfers?accountId=${pick(caller.pods, turn)}`);
}

function callTool(url: string, { keyText }: Caller): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "listAccounts", arguments: {} },
    }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
}

function pick<T>(list: readonly T[], turn: number): T {
  const item = list[turn % list.length];
  if (item === undefined) throw new Error("An empty list has nothing to pick");
  return item;
}
