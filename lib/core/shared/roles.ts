import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * In the transaction of a change: the member is an owner or co-owner, and stays so until the commit.
 * @param what completes "Only an owner or co-owner may …"
 * @throws AppError `ACCESS_DENIED`
 */
export async function requireDecider(
  client: Queryable,
  context: Context<MemberActor>,
  what: string,
): Promise<void> {
  const { rows } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2 for share",
    [context.organizationId, context.actor.id],
  );
  const role = rows[0]?.role;
  if (role === "OWNER" || role === "CO_OWNER") return;
  throw new AppError("ACCESS_DENIED", `Only an owner or co-owner may ${what}. Nothing was changed.`);
}

/** Owners, co-owners and accountants take records out of Sluice (decisions page, roles); a viewer reads them here. */
export function mayExport({ actor }: Context<MemberActor>): boolean {
  return actor.role !== "VIEWER";
}

/** @throws AppError `ACCESS_DENIED` for a viewer. */
export function requireAccountant(context: Context<MemberActor>): void {
  if (mayExport(context)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner, a co-owner or an accountant may take records out of Sluice. Ask one of them.",
  );
}

/** A role as the database holds it. */
export const memberRoleSchema: z.ZodType<MemberRole> = z.enum(["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"]);

const READING: readonly Permission[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "READ_AUDIT_LOGS" },
];

/** Approval is written here and nowhere else: no row of a table and no answer of a page can switch it off. */
const ASKING: readonly Permission[] = [
  { type: "CREATE_ACCOUNTS" },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: true } },
];

/** What an assistant may whose member has this role (specification, Part 5, "MCP server", OAuth). */
export function permissionsOfRole(role: MemberRole): readonly Permission[] {
  return role === "OWNER" || role === "CO_OWNER" ? [...READING, ...ASKING] : READING;
}
