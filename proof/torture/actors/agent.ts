import { breathe, isAnswer, timedFetch } from "@/proof/torture/actors/timed-fetch";
import type { Answered, Called } from "@/proof/torture/checker/history";
import type { History } from "@/proof/torture/record-history";
import { type Party, type PartyKey, REQUESTS_PER_KEY } from "@/proof/torture/world";

export type Random = (least: number, most: number) => number;

/** What agents leave for the members of their party. */
export interface Desk {
  /** Proposals waiting for a decision. */
  proposals: string[];
  /** Transfers at the bank that can still be canceled. */
  cancellable: string[];
}

export interface AgentOptions {
  name: string;
  party: Party;
  desk: Desk;
  history: History;
  random: Random;
  /** One of the processes that are up, a different one each time. */
  apiUrl: () => Promise<string>;
  /** Intents; each is repeated until it is answered. */
  intents: number;
  signal: AbortSignal;
}

export type Intent = Pick<Called, "operation" | "idempotencyKey" | "mark" | "body"> & {
  keyId: string;
  keyText: string;
  method: "GET" | "POST";
  path: string;
};

/** Nothing that was begun may stay unanswered: the checker compares its outcome. */
const CLEAR_WITHIN_MS = 90_000;

/**
 * A program that moves, proposes, triggers and reads with its own keys, over one process after another. It repeats
 * requests with unknown outcomes under the same idempotency key, and sometimes sends one request to two processes at
 * once.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { random, signal, intents } = options;
  const known: string[] = [];
  const plan = createPlan(options, known);
  for (let made = 0; made < intents && !signal.aborted; made++) {
    const intent = plan();
    const isTwin = intent.idempotencyKey !== null && random(1, 8) === 1;
    const [resource] = await Promise.all([
      carryOut(options, intent),
      isTwin ? carryOut(options, intent) : null,
    ]);
    if (intent.operation === "createTransfer" && resource) known.push(resource.id);
  }
}

/** @param known transfers reported to this agent, to read again */
function createPlan({ name, party, random }: AgentOptions, known: readonly string[]): () => Intent {
  const moving = takeInTurn(party.keys.moving);
  const asking = takeInTurn(party.keys.asking);
  let made = 0;
  return () => {
    made += 1;
    const mark = `${name}x${made}`;
    const asks = random(1, 5) === 1;
    const key = asks ? asking() : moving();
    const common = { keyId: key.id, keyText: key.text, method: "POST" as const };
    const dice = random(1, 100);
    if (dice <= 14) {
      return {
        ...common,
        operation: "triggerRule",
        path: `/rules/${party.manualRuleId}/trigger`,
        idempotencyKey: `${mark}-${random(0, 999_999_999)}`,
        mark: null,
        body: { reasonForApproval: "The agent asks for a run." },
      };
    }
    if (dice <= 20) {
      const body = { name: `Pod ${mark}`, type: "POD" };
      return {
        ...common,
        operation: "createAccount",
        path: "/accounts",
        idempotencyKey: null,
        mark: null,
        body,
      };
    }
    if (dice <= 40 && known.length > 0) {
      const id = known[random(0, known.length - 1)] ?? "";
      const read = { ...common, method: "GET" as const, path: `/transfers/${id}` };
      return { ...read, operation: "getTransfer", idempotencyKey: null, mark: null, body: { id } };
    }
    return {
      ...common,
      operation: "createTransfer",
      path: "/transfers",
      idempotencyKey: `${mark}-${random(0, 999_999_999)}`,
      mark,
      body: { ...planTransfer(party, random), description: mark },
    };
  };
}

/** Mostly between pods, the rest out and in through the bank, a third of that with cents that make it misbehave. */
function planTransfer({ accounts }: Party, random: Random) {
  const { operating, taxes, reserve, vault, checking } = accounts;
  const pods = [operating, taxes, reserve, vault];
  const first = random(0, pods.length - 1);
  const pod = pods[first] ?? operating;
  const other = pods[(first + random(1, pods.length - 1)) % pods.length] ?? vault;
  const kind = random(1, 10);
  // A return after a rule has split the money pauses the rule: what is pulled in goes where no rule waits.
  const [sourceAccountId, destinationAccountId] =
    kind <= 6 ? [pod, other] : kind <= 8 ? [pod, checking] : [checking, operating];
  const cents = random(0, 2) === 0 ? random(1, 9) : random(10, 99);
  return { sourceAccountId, destinationAccountId, amountInCents: random(1, 300) * 100 + cents };
}

function takeInTurn(keys: readonly PartyKey[]): () => PartyKey {
  let uses = 0;
  return () => {
    const key = keys[Math.floor(uses / REQUESTS_PER_KEY) % keys.length];
    uses += 1;
    if (!key) throw new Error("An agent has no key");
    return key;
  };
}

/**
 * Until there is a clear answer. A request without an idempotency key is sent once, since a second one might take
 * effect again.
 */
export async function carryOut(
  options: Pick<AgentOptions, "party" | "desk" | "history" | "apiUrl">,
  intent: Intent,
): Promise<Answered["resource"]> {
  const deadline = performance.now() + CLEAR_WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await send(options, intent);
    if (answer !== "UNCLEAR") {
      if (answer) leaveForMembers(options.desk, intent, answer);
      return answer;
    }
    if (intent.idempotencyKey === null) return null;
    await breathe();
  }
  throw new Error(`${intent.operation} ${intent.idempotencyKey} stays without a clear answer`);
}

async function send(
  { history, party, apiUrl }: Pick<AgentOptions, "history" | "party" | "apiUrl">,
  intent: Intent,
): Promise<Answered["resource"] | "UNCLEAR"> {
  const { operation, keyId, keyText, idempotencyKey, mark, body, method, path } = intent;
  const url = await apiUrl();
  const call = history.nextCall();
  const { organizationId } = party;
  history.record({ kind: "called", call, organizationId, keyId, operation, idempotencyKey, mark, body });
  const answer = await timedFetch(`${url}/platform/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      ...(idempotencyKey !== null && { "Idempotency-Key": idempotencyKey }),
    },
    ...(method === "POST" && { body: JSON.stringify(body) }),
  });
  if (!isAnswer(answer)) {
    history.record({ kind: "unanswered", call, because: answer });
    return "UNCLEAR";
  }
  const { data, error } = readEnvelope(answer.text);
  const requestId = answer.headers.get("x-request-id");
  const refusal = error && `${error.code}: ${error.message}`;
  history.record({ kind: "answered", call, status: answer.status, requestId, resource: data, refusal });
  const isUnclear = answer.status >= 500 || answer.status === 429 || answer.status === 409;
  return isUnclear ? "UNCLEAR" : data;
}

interface Envelope {
  data: Answered["resource"];
  error: { code: string; message: string } | null;
}

/** @throws SyntaxError if the response does not come from our API */
function readEnvelope(text: string): Envelope {
  const { data = null, error = null } = JSON.parse(text);
  // A triggered run is identified by its execution.
  return { data: data && { ...data, id: data.id ?? data.executionId }, error };
}

function leaveForMembers(
  desk: Desk,
  { operation }: Intent,
  resource: NonNullable<Answered["resource"]>,
): void {
  const { id, status, direction } = resource;
  if (operation !== "createTransfer" && operation !== "triggerRule") return;
  if (status === "APPROVAL_PENDING") desk.proposals.push(id);
  else if (direction === "MONEY_OUT" && status === "PROCESSING") desk.cancellable.push(id);
}
