import { RESTORE_NAME } from "@/lib/core/keys/hold-after-restore";
import type { Queryable } from "@/lib/db/transaction";

/** A closing that nobody has opened yet. */
export interface ClosedGates {
  id: string;
  /** Business time. */
  closedAt: Date;
  /** Without an id: no member did it, but a restore. */
  closedBy: { id: string | null; name: string };
}

/** The closing that holds at this moment; null: the gates are open. One indexed read, for every page. */
export async function readClosedGates(
  database: Queryable,
  organizationId: string,
): Promise<ClosedGates | null> {
  const { rows } = await database.query<{
    id: string;
    closed_at: Date;
    user_id: string | null;
    name: string | null;
  }>({
    name: "read_closed_gates",
    text: `
      select g.id, g.closed_at, u.id as user_id, u.name from gate_closings g left join users u on u.id = g.closed_by
       where g.organization_id = $1 and g.opened_at is null`,
    values: [organizationId],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    closedAt: row.closed_at,
    closedBy: { id: row.user_id, name: row.name ?? RESTORE_NAME },
  };
}

/** Whether money may move, from here to the commit of the caller's transaction. */
export async function areGatesOpen(client: Queryable, organizationId: string): Promise<boolean> {
  const { rows } = await client.query<{ is_open: boolean }>({
    name: "are_gates_open",
    text: "select gates_are_open($1) as is_open",
    values: [organizationId],
  });
  return rows[0]?.is_open === true;
}

/** @param at business time */
export async function wereGatesClosed(client: Queryable, organizationId: string, at: Date): Promise<boolean> {
  const { rows } = await client.query<{ were_closed: boolean }>({
    name: "were_gates_closed",
    text: "select gates_were_closed($1, $2) as were_closed",
    values: [organizationId, at],
  });
  return rows[0]?.were_closed === true;
}
