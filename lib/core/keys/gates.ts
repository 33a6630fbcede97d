import { AppError } from "@/lib/contract/error";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** The refusal of every request that would move money while all gates are closed (docs/behavior/approvals.md). */
export function gatesClosed(): AppError {
  return new AppError(
    "ACCESS_DENIED",
    "All gates of this organization are closed: nothing moves until an owner or co-owner opens them. Nothing moved. Reading and dry runs still work.",
  );
}

/** The closing in effect. */
export interface ClosedGates {
  id: string;
  /** Business time. */
  closedAt: Date;
  /** Without an id: a restore closed them, not a member. */
  closedBy: { id: string | null; name: string };
}

/** The closing in effect; null: the gates are open. One indexed read, for every page. */
export async function readClosedGates(
  database: Queryable,
  organizationId: string,
): Promise<ClosedGates | null> {
  const { rows } = await database.query<{
    id: string;
    closedAt: Date;
    userId: string | null;
    name: string | null;
  }>({
    name: "read_closed_gates",
    text: `
      select g.id, g.closed_at as "closedAt", u.id as "userId",
          u.name from gate_closings g left join users u on u.id = g.closed_by
       where g.organization_id = $1 and g.opened_at is null`,
    values: [organizationId],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    closedAt: row.closedAt,
    closedBy: { id: row.userId, name: row.name ?? RESTORE_NAME },
  };
}

/** Whether money may move; holds until the caller's transaction commits. */
export async function areGatesOpen(client: Queryable, organizationId: string): Promise<boolean> {
  const { rows } = await client.query<{ isOpen: boolean }>({
    name: "are_gates_open",
    text: `select gates_are_open($1) as "isOpen"`,
    values: [organizationId],
  });
  return rows[0]?.isOpen === true;
}

/** @param at business time */
export async function wereGatesClosed(client: Queryable, organizationId: string, at: Date): Promise<boolean> {
  const { rows } = await client.query<{ wereClosed: boolean }>({
    name: "were_gates_closed",
    text: `select gates_were_closed($1, $2) as "wereClosed"`,
    values: [organizationId, at],
  });
  return rows[0]?.wereClosed === true;
}

/** Who closed the gates when it was not a member. */
export const RESTORE_NAME = "Sluice’s restore from a backup";

/**
 * Closes all gates of every organization in a database being restored: another Sluice may have sent the same transfers
 * since the backup. An owner or co-owner opens them.
 * @param owner in the restore's transaction, as the owner of the database
 * @param now real time
 * @returns how many were closed now
 */
export async function holdAfterRestore(owner: Queryable, now: Date): Promise<number> {
  const { rows } = await owner.query<{ count: number }>({
    name: "hold_after_restore",
    text: "select hold_after_restore($1) as count",
    values: [now],
  });
  return rows[0]?.count ?? 0;
}

/** How many organizations of this server have closed gates; for the metrics, which name none of them. */
export async function countClosedGates({ pool }: Pick<Services, "pool">): Promise<number> {
  const { rows } = await pool.query<{ closed: number }>({
    name: "count_closed_gates",
    text: "select count(*)::int as closed from gate_closings where opened_at is null",
  });
  return rows[0]?.closed ?? 0;
}
