import type { ConnectedAccountView, ConnectionView } from "@/lib/contract/connections";
import { AppError } from "@/lib/contract/error";
import { formatCents } from "@/lib/contract/format-cents";
import type { ConnectionChange, SandboxChoice } from "@/lib/contract/sandbox";
import type { FlowDirection } from "@/lib/contract/transactions";
import { signInAgain } from "@/lib/core/connections/begin-connecting";
import { listConnections } from "@/lib/core/connections/list-connections";
import {
  type InstitutionPlay,
  listInstitutionPending,
  playInstitution,
} from "@/lib/core/connections/play-institution";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

const MAXIMUM_PENDING = 30;
/** As a provider names them; see docs/connections.md. */
const FAULT_CODES = { SIGN_IN: "ITEM_LOGIN_REQUIRED", UNAVAILABLE: "INSTITUTION_DOWN" } as const;

export interface OutsideMovement {
  accountId: string;
  direction: FlowDirection;
  amountInCents: number;
  partyName: string;
  /** Whether it starts as pending and settles by itself in one to three days. */
  isPending: boolean;
}

/**
 * Simulates a transaction on a connected outside account, and refreshes the connection.
 * @throws AppError `ACCESS_DENIED`, `ACCOUNT_NOT_FOUND`, `INVALID_PARAMETERS`.
 */
export async function moveOutside(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  movement: OutsideMovement,
): Promise<void> {
  const { institutions } = requireDriver(context, sandbox);
  const { direction, amountInCents, partyName, isPending } = movement;
  const found = await findOutside(services, context, movement.accountId);
  const play: InstitutionPlay = {
    kind: "MOVE",
    movement: {
      providerAccountId: found.account.providerAccountId,
      direction,
      amountInCents,
      description: partyName.toUpperCase(),
      merchantName: partyName,
      providerCategory: null,
      as: isPending ? "PENDING" : "POSTED",
    },
  };
  requireDone(await playInstitution(services, institutions, context, found.connection.id, play));
  const accountName = found.account.name;
  await noteAction(services.pool, context, {
    kind: "MOVED_OUTSIDE",
    direction,
    amountInCents,
    accountName,
    partyName,
    isPending,
  });
}

/**
 * Makes a connection fail, or restores it.
 * @throws AppError `ACCESS_DENIED`, `ACCOUNT_NOT_FOUND`.
 */
export async function changeConnection(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  input: { connectionId: string; change: ConnectionChange },
): Promise<void> {
  const { institutions } = requireDriver(context, sandbox);
  const { connectionId, change } = input;
  const connection = (await listConnections(services, context)).find(({ id }) => id === connectionId);
  if (!connection) throw new AppError("ACCOUNT_NOT_FOUND", "There is no such connection.");
  requireDone(await playInstitution(services, institutions, context, connectionId, playOf(change)));
  if (change === "HEALED") {
    // The customer signs in again if that was required; otherwise the connection is refreshed.
    const wasWaiting = await signInAgain(services, context, connectionId);
    if (!wasWaiting) await refreshNow(services, context, connectionId);
  }
  const { institutionName } = connection;
  await noteAction(services.pool, context, { kind: "CONNECTION_CHANGED", institutionName, change });
}

function playOf(change: ConnectionChange): InstitutionPlay {
  if (change === "HEALED") return { kind: "HEAL" };
  if (change === "STALE") return { kind: "FAIL", fault: { kind: "STALE" } };
  return { kind: "FAIL", fault: { kind: change, code: FAULT_CODES[change] } };
}

/**
 * Settles a pending outside transaction, with the same or another amount, or makes it vanish.
 * @param input.pendingId from `listPendingOutside`
 * @param input.settledInCents null: it vanishes
 * @throws AppError `ACCESS_DENIED`, `EXTERNAL_TRANSACTION_NOT_FOUND`.
 */
export async function decidePending(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  input: { pendingId: string; settledInCents: number | null },
): Promise<void> {
  const { institutions } = requireDriver(context, sandbox);
  const { pendingId, settledInCents } = input;
  const pending = (await readPending(services, sandbox, context)).find(({ id }) => id === pendingId);
  const isDone =
    pending &&
    (await playInstitution(services, institutions, context, pending.connectionId, {
      kind: "DECIDE_PENDING",
      transactionId: pending.transactionId,
      decision:
        settledInCents === null ? { kind: "VANISH" } : { kind: "SETTLE", amountInCents: settledInCents },
    }));
  if (!pending || !isDone) {
    throw new AppError("EXTERNAL_TRANSACTION_NOT_FOUND", "The transaction is no longer pending.");
  }
  const { description } = pending;
  await noteAction(services.pool, context, { kind: "PENDING_DECIDED", description, settledInCents });
}

/** Pending transactions of connected outside accounts, for members who may settle them. */
export async function listPendingOutside(
  services: Services,
  sandbox: SandboxWorld,
  context: Context<MemberActor>,
): Promise<SandboxChoice[]> {
  const pending = await readPending(services, sandbox, context);
  return pending.map(({ id, description, amountInCents }) => ({
    id,
    label: `${description}, ${formatCents(amountInCents)}`,
  }));
}

async function readPending(services: Services, sandbox: SandboxWorld | null, context: Context<MemberActor>) {
  const { institutions } = requireDriver(context, sandbox);
  const found = await listInstitutionPending(services, institutions, context);
  return found
    .slice(0, MAXIMUM_PENDING)
    .map((one) => ({ ...one, id: `${one.connectionId}/${one.transactionId}` }));
}

async function findOutside(
  services: Services,
  context: Context<MemberActor>,
  accountId: string,
): Promise<{ connection: ConnectionView; account: ConnectedAccountView }> {
  for (const connection of await listConnections(services, context)) {
    const account = connection.accounts.find(({ id }) => id === accountId);
    if (account) return { connection, account };
  }
  throw new AppError("ACCOUNT_NOT_FOUND", "There is no such connected account.");
}

function requireDone(isDone: boolean): void {
  if (!isDone) throw new AppError("INVALID_PARAMETERS", "The institution rejected it.");
}
