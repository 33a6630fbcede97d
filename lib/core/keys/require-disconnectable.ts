import { AppError } from "@/lib/contract/error";
import { mayDisconnect } from "@/lib/core/keys/may-disconnect";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * @throws AppError `INVALID_PARAMETERS` when the organization has no such assistant; `ACCESS_DENIED` unless an owner, a
 * co-owner or whoever connected it asks.
 */
export async function requireDisconnectable(
  database: Queryable,
  { organizationId, actor }: Pick<Context<MemberActor>, "organizationId" | "actor">,
  assistantId: string,
): Promise<void> {
  const { rows } = await database.query<{ created_by: string }>({
    name: "find_assistant",
    text: "select created_by from api_keys where organization_id = $1 and id = $2 and client_id is not null",
    values: [organizationId, assistantId],
  });
  const found = rows[0];
  if (!found) throw new AppError("INVALID_PARAMETERS", "There is no such assistant in this organization.");
  if (mayDisconnect(actor, found.created_by)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner, a co-owner or who connected it may disconnect an assistant. Nothing was disconnected.",
  );
}
