import type { Random } from "@/proof/torture/actors/agent";
import { answerKind, type Dashboard } from "@/proof/torture/actors/dashboard";
import { breathe } from "@/proof/torture/actors/timed-fetch";
import type { Called } from "@/proof/torture/checker/history";
import type { History } from "@/proof/torture/record-history";
import type { Party } from "@/proof/torture/world";

export interface ClerkOptions {
  party: Party;
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

/**
 * The owner at work besides deciding: plays the world outside (deposits arrive, the clock jumps, the bank falls silent),
 * closes all gates for a while, and revokes a key that is in use.
 */
export async function runClerk(options: ClerkOptions): Promise<void> {
  const { random, signal } = options;
  let aheadMs = 0;
  while (!signal.aborted) {
    const dice = random(1, 22);
    if (dice <= 16) await deposit(options);
    else if (dice <= 19) {
      aheadMs += random(1, 9) * HOUR_MS;
      await moveClock(options, aheadMs);
    } else if (dice === 20) await silence(options);
    else if (dice === 21) await closeForAWhile(options);
    else await revoke(options);
    await breathe();
  }
}

async function deposit({ party, dashboard, random }: ClerkOptions): Promise<void> {
  await dashboard.submit(`${SANDBOX_ACTIONS} deposit`, SANDBOX, {
    accountId: party.accounts.income,
    amount: `$${random(10, 900)}.${String(random(10, 99))}`,
    origin: random(1, 2) === 1 ? "DIRECT_DEPOSIT" : "CHECK_DEPOSIT",
    payerName: "Halden Health",
  });
}

async function moveClock({ dashboard }: ClerkOptions, aheadMs: number): Promise<void> {
  const toAt = new Date(performance.timeOrigin + performance.now() + aheadMs).toISOString();
  await dashboard.submit(`${SANDBOX_ACTIONS} moveClock`, SANDBOX, { toAt });
}

async function silence({ dashboard, random }: ClerkOptions): Promise<void> {
  await dashboard.submit(`${SANDBOX_ACTIONS} silence`, SANDBOX, { minutes: String(random(1, 30)) });
}

/** Until they are open again, whatever breaks meanwhile: nothing would come to rest behind them. */
async function closeForAWhile(options: ClerkOptions): Promise<void> {
  const { dashboard, random } = options;
  await told(options, "closeGates", null, "CLOSED", () =>
    // Without an argument, as the button calls it.
    dashboard.press(`${GATES_ACTIONS} closeGates`, GATES),
  );
  for (let paused = random(2, 12); paused > 0; paused--) await breathe();
  for (;;) {
    const page = await dashboard.read(GATES);
    const closingId = page?.match(/\\"closingId\\":\\"([^"\\]+)\\"/)?.[1];
    if (page !== null && closingId === undefined) return;
    if (closingId !== undefined) {
      const input = { closingId, confirmation: { kind: "NONE" } };
      await told(options, "openGates", null, "OPENED", () =>
        dashboard.press(`${GATES_ACTIONS} openGates`, GATES, input),
      );
    }
    await breathe();
  }
}

/** A key that an agent is using at this moment; a second time does nothing. */
async function revoke(options: ClerkOptions): Promise<void> {
  const keyId = options.party.doomedKey.id;
  await told(options, "revokeKey", { keyId }, "REVOKED", () =>
    options.dashboard.press("app/settings/api-keys/actions.ts revokeKey", "/settings/api-keys", { keyId }),
  );
}

/** Writes down what is asked before it is asked, and whether it was told to be done. */
async function told(
  { history, party: { organizationId } }: ClerkOptions,
  operation: Called["operation"],
  body: unknown,
  done: string,
  press: () => Promise<unknown>,
): Promise<void> {
  const call = history.nextCall();
  const by = { organizationId, keyId: null, idempotencyKey: null, mark: null };
  history.record({ kind: "called", call, operation, body, ...by });
  const kind = answerKind(await press());
  if (kind === null) history.record({ kind: "unanswered", call });
  else {
    const status = kind === done ? 200 : 409;
    history.record({ kind: "answered", call, status, requestId: null, resource: null, refusal: kind });
  }
}
