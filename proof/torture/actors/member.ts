import type { Desk, Random } from "@/proof/torture/actors/agent";
import { type Dashboard, type Pressed, recordPressed } from "@/proof/torture/actors/dashboard";
import { breathe } from "@/proof/torture/actors/timed-fetch";
import type { Called } from "@/proof/torture/checker/history";
import type { History } from "@/proof/torture/record-history";
import type { Party, PartyMember } from "@/proof/torture/world";

interface MemberOptions {
  party: Party;
  member: PartyMember;
  desk: Desk;
  dashboard: Dashboard;
  history: History;
  random: Random;
  signal: AbortSignal;
}

const LOOKS = 3;

/**
 * A member who opens approvals and decides them, often the same one as another member at the same moment, and cancels
 * some transfers on their way.
 */
export async function runMember(options: MemberOptions): Promise<void> {
  const { desk, random, signal } = options;
  while (!signal.aborted) {
    if (random(1, 3) === 1 && desk.cancellable.length > 0) {
      // The latest: the others may have left.
      await cancelUntilClear(options, desk.cancellable.pop());
      continue;
    }
    // Both members pick from the same few, and the first does not remove them: they collide.
    const place = random(0, Math.min(3, desk.proposals.length - 1));
    const proposalId = desk.proposals[place];
    if (proposalId === undefined) {
      await breathe();
      continue;
    }
    await decide(options, proposalId, random(1, 10) <= 7 ? "APPROVE" : "DENY");
    desk.proposals = desk.proposals.filter((id) => id !== proposalId);
  }
}

async function decide(
  options: MemberOptions,
  proposalId: string,
  decision: "APPROVE" | "DENY",
): Promise<void> {
  const { dashboard, history, party, member } = options;
  const path = `/?approvalTransferId=${proposalId}`;
  for (let look = 0; look < LOOKS; look++) {
    const page = await dashboard.read(path);
    const digest = page?.match(/\\"digest\\":\\"([^"\\]+)\\"/)?.[1];
    // The page did not come, or there is nothing left to decide on it.
    if (digest === undefined) continue;
    const call = history.nextCall();
    const { organizationId } = party;
    history.record({ kind: "decided", call, organizationId, memberId: member.id, proposalId, decision });
    const pressed = await dashboard.press("app/approvals/actions.ts decide", path, {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
    const { kind: result, says, because } = pressed;
    history.record({ kind: "verdict", call, result, refusal: result === "DECIDED" ? null : says, because });
    if (pressed.kind !== null && pressed.kind !== "CHANGED") return;
  }
}

/** As a person does whose page says that nothing is known. */
async function cancelUntilClear(options: MemberOptions, transferId: string | undefined): Promise<void> {
  if (transferId === undefined) return;
  for (let look = 0; look < LOOKS; look++) {
    if (await cancel(options, transferId)) return;
    await breathe();
  }
}

/** @returns whether the outcome is clear */
async function cancel({ dashboard, history, party }: MemberOptions, transferId: string): Promise<boolean> {
  const call = history.nextCall();
  const { organizationId } = party;
  history.record({
    kind: "called",
    call,
    organizationId,
    keyId: null,
    operation: "cancelTransfer",
    idempotencyKey: null,
    mark: null,
    body: { transferId },
  });
  const path = `/transfers/${transferId}`;
  const pressed = await dashboard.press("app/approvals/actions.ts cancel", path, { transferId });
  recordPressed(history, { call, pressed, done: "CANCELLED", id: transferId });
  return pressed.kind !== null;
}

interface ClerkOptions {
  party: Party;
  /** A bank outside of the product: its time is real, and nobody here can silence it. */
  isBankOutside: boolean;
  dashboard: Dashboard;
  history: History;
  random: Random;
  signal: AbortSignal;
}

const HOUR_MS = 3_600_000;
const SANDBOX = "/sandbox";
const SANDBOX_ACTIONS = "app/sandbox/actions.ts";
const GATES = "/gates";
const GATES_ACTIONS = "app/gates/actions.ts";

/** Payers: one deposit after the other arrives, whatever else their organization does. */
export async function runPayers(options: ClerkOptions): Promise<void> {
  while (!options.signal.aborted) {
    await deposit(options);
    await breathe();
  }
}

/**
 * The owner at work besides deciding: moves the clock, silences the bank, closes all gates for a while, and revokes a key
 * in use. Deposits do not wait for this: a move of the clock takes up to 25 seconds where much is due.
 */
export async function runClerk(options: ClerkOptions): Promise<void> {
  const { random, signal, isBankOutside } = options;
  let aheadMs = 0;
  while (!signal.aborted) {
    // Others need the processes too.
    for (let paused = random(4, 16); paused > 0 && !signal.aborted; paused -= 1) await breathe();
    const dice = random(1, 6);
    if (isBankOutside && dice <= 4) continue;
    if (dice <= 3) {
      aheadMs += random(1, 9) * HOUR_MS;
      await moveClock(options, aheadMs);
    } else if (dice === 4) await silence(options);
    else if (dice === 5) await closeForAWhile(options);
    else await revoke(options);
  }
}

async function deposit(options: ClerkOptions): Promise<void> {
  const { party, random } = options;
  await play(options, "deposit", {
    accountId: party.accounts.income,
    amount: `$${random(10, 900)}.${String(random(10, 99))}`,
    origin: random(1, 2) === 1 ? "DIRECT_DEPOSIT" : "CHECK_DEPOSIT",
    payerName: "Halden Health",
  });
}

async function moveClock(options: ClerkOptions, aheadMs: number): Promise<void> {
  const toAt = new Date(performance.timeOrigin + performance.now() + aheadMs).toISOString();
  await play(options, "moveClock", { toAt });
}

async function silence(options: ClerkOptions): Promise<void> {
  await play(options, "silence", { minutes: String(options.random(1, 30)) });
}

/** Sends a form of the sandbox's page. */
async function play(
  options: ClerkOptions,
  operation: "deposit" | "moveClock" | "silence",
  fields: Record<string, string>,
): Promise<void> {
  await reported(options, operation, fields, "DONE", () =>
    options.dashboard.submit(`${SANDBOX_ACTIONS} ${operation}`, SANDBOX, fields),
  );
}

/** More than the faults of a seed can answer with. */
const MOST_OPENINGS = 300;

/**
 * Retries until they are open again, whatever breaks: behind closed gates nothing would come to rest.
 * @throws Error when they stay closed, because nothing else would end the seed
 */
async function closeForAWhile(options: ClerkOptions): Promise<void> {
  const { dashboard, random, party } = options;
  const password = party.members[0]?.password;
  await reported(options, "closeGates", null, "CLOSED", () =>
    // As the button calls it: with a form that carries what the page shows.
    dashboard.press(`${GATES_ACTIONS} closeGates`, GATES, null, new FormData()),
  );
  for (let paused = random(2, 12); paused > 0; paused--) await breathe();
  for (let tries = 0; tries < MOST_OPENINGS; tries++) {
    const page = await dashboard.read(GATES);
    const closingId = page?.match(/\\"closingId\\":\\"([^"\\]+)\\"/)?.[1];
    if (page !== null && closingId === undefined) return;
    if (closingId !== undefined) {
      const input = { closingId, confirmation: { kind: "PASSWORD", password } };
      await reported(options, "openGates", null, "OPENED", () =>
        dashboard.press(`${GATES_ACTIONS} openGates`, GATES, input),
      );
    }
    await breathe();
  }
  throw new Error(`The gates of ${party.organizationId} stay closed after ${MOST_OPENINGS} tries`);
}

/** A key that an agent is using at this moment; a second time does nothing. */
async function revoke(options: ClerkOptions): Promise<void> {
  const keyId = options.party.doomedKey.id;
  await reported(options, "revokeKey", { keyId }, "REVOKED", () =>
    options.dashboard.press("app/settings/api-keys/actions.ts revokeKey", "/settings/api-keys", { keyId }),
  );
}

/** Records the request before it is sent, and whether it was confirmed. */
async function reported(
  { history, party: { organizationId } }: ClerkOptions,
  operation: Called["operation"],
  body: unknown,
  done: string,
  press: () => Promise<Pressed>,
): Promise<void> {
  const call = history.nextCall();
  const by = { organizationId, keyId: null, idempotencyKey: null, mark: null };
  history.record({ kind: "called", call, operation, body, ...by });
  recordPressed(history, { call, pressed: await press(), done });
}
