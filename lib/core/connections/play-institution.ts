import { AppError } from "@/lib/contract/error";
import { readAccess, requireConnector } from "@/lib/core/connections/begin-connecting";
import { refreshNow } from "@/lib/core/connections/refresh-now";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type {
  MemberMovement,
  PendingDecision,
  PendingMovement,
  SandboxFault,
  SandboxInstitutions,
} from "@/lib/ports/aggregator/sandbox/sandbox-institutions";

/** An event that a member simulates at a sandbox institution. */
export type InstitutionPlay =
  | { kind: "FAIL"; fault: SandboxFault }
  | { kind: "HEAL" }
  | { kind: "MOVE"; movement: MemberMovement }
  | { kind: "DECIDE_PENDING"; transactionId: string; decision: PendingDecision };

type PlayServices = Pick<Services, "pool" | "clock" | "wake">;

/**
 * Simulates an event at a sandbox institution, then refreshes the connection to show it.
 * @param institutions null where a real provider is configured
 * @returns false where the target does not exist or no longer exists.
 * @throws AppError `ACCESS_DENIED`, also with real institutions; `INVALID_PARAMETERS` for an invalid amount.
 */
export async function playInstitution(
  services: PlayServices,
  institutions: SandboxInstitutions | null,
  context: Context<MemberActor>,
  connectionId: string,
  play: InstitutionPlay,
): Promise<boolean> {
  const key = await requireKey(services, institutions, context, connectionId);
  if (!key) return false;
  const hasHappened = await perform(key.institutions, key.item, context.now, play);
  if (hasHappened && play.kind !== "HEAL") await refreshNow(services, context, connectionId);
  return hasHappened;
}

/**
 * The pending transactions at connected sandbox institutions, for a member to act on.
 * @returns them in the order of their connections
 */
export async function listInstitutionPending(
  services: PlayServices,
  institutions: SandboxInstitutions | null,
  context: Context<MemberActor>,
): Promise<(PendingMovement & { connectionId: string })[]> {
  requireConnector(context);
  const { organizationId, now } = context;
  const { rows } = await services.pool.query<{ id: string; itemId: string }>({
    name: "list_played_connections",
    text: `select id, provider_item_id as "itemId" from connections
            where organization_id = $1 and status <> 'DISCONNECTED' order by id limit ${MAXIMUM_PLAYED}`,
    values: [organizationId],
  });
  const itemIds = rows.map(({ itemId }) => itemId);
  const pending = await requireSandbox(institutions).listPending(organizationId, itemIds, now);
  return rows.flatMap(({ id, itemId }) =>
    pending
      .filter((movement) => movement.itemId === itemId)
      .map((movement) => ({ ...movement, connectionId: id })),
  );
}

/** Connections whose pending transactions are read. */
const MAXIMUM_PLAYED = 200;

function requireSandbox(institutions: SandboxInstitutions | null): SandboxInstitutions {
  if (institutions) return institutions;
  throw new AppError(
    "ACCESS_DENIED",
    "These institutions are real. Only sandbox institutions can be simulated.",
  );
}

async function requireKey(
  services: PlayServices,
  institutions: SandboxInstitutions | null,
  context: Context<MemberActor>,
  connectionId: string,
) {
  requireConnector(context);
  const sandbox = requireSandbox(institutions);
  const kept = await readAccess(services.pool, context, connectionId);
  if (!kept || kept.status === "DISCONNECTED") return null;
  return {
    institutions: sandbox,
    item: { organizationId: context.organizationId, itemId: kept.access.providerItemId },
  };
}

async function perform(
  institutions: SandboxInstitutions,
  item: { organizationId: string; itemId: string },
  now: Date,
  play: InstitutionPlay,
): Promise<boolean> {
  switch (play.kind) {
    case "FAIL":
      return await institutions.fail(item, play.fault, now);
    case "HEAL":
      return await institutions.heal(item);
    case "MOVE":
      requireAmount(play.movement.amountInCents);
      return (await institutions.move(item, play.movement, now)) !== null;
    case "DECIDE_PENDING":
      if (play.decision.kind === "SETTLE") requireAmount(play.decision.amountInCents);
      return await institutions.decidePending(item, play.transactionId, play.decision, now);
  }
}

/** A hundred million dollars: more than any simulation needs, and far from overflow. */
const MAXIMUM_PLAYED_IN_CENTS = 10_000_000_000;

function requireAmount(amountInCents: number): void {
  if (Number.isSafeInteger(amountInCents) && amountInCents >= 1 && amountInCents <= MAXIMUM_PLAYED_IN_CENTS)
    return;
  throw new AppError("INVALID_PARAMETERS", "amountInCents: must be a whole number of cents, at least 1.");
}
