import { type AgentOptions, carryOut, type Intent } from "@/proof/torture/actors/agent";
import { type Dashboard, recordPressed } from "@/proof/torture/actors/dashboard";
import { breathe } from "@/proof/torture/actors/timed-fetch";
import type { Called } from "@/proof/torture/checker/history";

interface MandateOptions extends Omit<AgentOptions, "intents"> {
  /** Of a member who may sign. */
  dashboard: Dashboard;
}

const DAY_MS = 86_400_000;
const MAXIMUM_IN_CENTS = 5_000;
/** For two of the largest, so that several at once want the same rest. */
const TOTAL_IN_CENTS = 10_000;
const MAXIMUM_USES = 4;
const AT_ONCE = 6;
/** A press whose outcome is unclear is repeated so often. */
const MOST_PRESSES = 20;
const ACTIONS = "app/mandates/actions.ts";

/**
 * A program that asks for a mandate, and the member who signs and ends it: transfers inside of it go at once to several
 * processes, others are too large or elsewhere, some are sent before the signature and some after the end.
 */
export async function runMandates(options: MandateOptions): Promise<void> {
  const { random, signal } = options;
  for (let round = 1; !signal.aborted; round += 1) {
    const id = await propose(options, round);
    if (id === null) {
      await breathe();
      continue;
    }
    const move = createMoves(options, round);
    await move.inside();
    await sign(options, id);
    await Promise.all(Array.from({ length: AT_ONCE }, () => move.inside()));
    await Promise.all([move.tooLarge(), move.elsewhere(), move.inside()]);
    if (random(1, 4) > 1) await Promise.all([end(options, id), move.inside()]);
    await move.inside();
    // Others need the processes too.
    for (let paused = random(2, 8); paused > 0; paused -= 1) await breathe();
  }
}

async function propose(options: MandateOptions, round: number): Promise<string | null> {
  const { party, name, random } = options;
  const now = performance.timeOrigin + performance.now();
  const day = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  const terms = {
    sourceAccountIds: [party.accounts.operating],
    destinationAccountIds: [party.accounts.vault],
    maximumInCents: MAXIMUM_IN_CENTS,
    totalInCents: TOTAL_IN_CENTS,
    maximumUses: MAXIMUM_USES,
    from: day(-10),
    until: day(600),
  };
  const proposed = await carryOut(options, {
    ...ofKey(options),
    operation: "proposeMandate",
    path: "/mandates",
    idempotencyKey: `${name}y${round}-${random(0, 999_999_999)}`,
    mark: null,
    body: { terms, reason: "Each of these is approved." },
  });
  return proposed?.id ?? null;
}

const ofKey = ({ party: { mandateKey } }: MandateOptions): Pick<Intent, "keyId" | "keyText" | "method"> => ({
  keyId: mandateKey.id,
  keyText: mandateKey.text,
  method: "POST",
});

function createMoves(options: MandateOptions, round: number) {
  const { name, random, party } = options;
  const { operating, vault, reserve } = party.accounts;
  let made = 0;
  const send = (amountInCents: number, destinationAccountId = vault) => {
    made += 1;
    const mark = `${name}y${round}x${made}`;
    return carryOut(options, {
      ...ofKey(options),
      operation: "createTransfer",
      path: "/transfers",
      idempotencyKey: `${mark}-${random(0, 999_999_999)}`,
      mark,
      body: { sourceAccountId: operating, destinationAccountId, amountInCents, description: mark },
    });
  };
  return {
    inside: () => send(random(2_600, MAXIMUM_IN_CENTS)),
    tooLarge: () => send(random(MAXIMUM_IN_CENTS + 1, 2 * MAXIMUM_IN_CENTS)),
    elsewhere: () => send(random(100, MAXIMUM_IN_CENTS), reserve),
  };
}

/** As a person does who reads what it allows, and looks again where nothing is known. */
async function sign(options: MandateOptions, id: string): Promise<void> {
  const { dashboard, party } = options;
  const password = party.members[0]?.password;
  const path = `/mandates/${id}`;
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    const page = await dashboard.read(path);
    const hash = page?.match(/\\"hash\\":\\"([^"\\]+)\\"/)?.[1];
    if (hash === undefined) {
      await breathe();
      continue;
    }
    const input = { id, hash, confirmation: { kind: "PASSWORD", password } };
    const kind = await press(options, "signMandate", path, input, "IN_FORCE");
    // Refused: an attempt that was not answered, or answered that it failed, has signed it.
    if (kind === "IN_FORCE" || kind === "REFUSED") return;
    await breathe();
  }
}

async function end(options: MandateOptions, id: string): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if ((await press(options, "endMandate", `/mandates/${id}`, { id }, "ENDED")) !== null) return;
    await breathe();
  }
}

/** @returns the kind of the action's result; null: unclear */
async function press(
  { dashboard, history, party: { organizationId } }: MandateOptions,
  operation: Extract<Called["operation"], "signMandate" | "endMandate">,
  path: string,
  input: { id: string },
  done: string,
): Promise<string | null> {
  const call = history.nextCall();
  const body = { mandateId: input.id };
  const by = { organizationId, keyId: null, idempotencyKey: null, mark: null };
  history.record({ kind: "called", call, operation, body, ...by });
  const pressed = await dashboard.press(`${ACTIONS} ${operation}`, path, input);
  recordPressed(history, { call, pressed, done });
  return pressed.kind;
}
