import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Requires, in the transaction of a change, that the member is an owner or co-owner, and locks that until the commit.
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

/** Owners, co-owners and accountants export records (docs/behavior/organizations.md, "Members"); viewers only read. */
export function mayExport({ actor }: Context<MemberActor>): boolean {
  return actor.role !== "VIEWER";
}

/** @throws AppError `ACCESS_DENIED` for a viewer. */
export function requireAccountant(context: Context<MemberActor>): void {
  if (mayExport(context)) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Only an owner, co-owner or accountant may export records. Ask one of them.",
  );
}

/** A role as stored in the database. */
export const memberRoleSchema: z.ZodType<MemberRole, MemberRole> = z.enum([
  "OWNER",
  "CO_OWNER",
  "ACCOUNTANT",
  "VIEWER",
]);

const READING: readonly Permission[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "READ_AUDIT_LOGS" },
];

/** Assistants always need approval: it is fixed here, so neither data nor a page can turn it off. */
const ASKING: readonly Permission[] = [
  { type: "CREATE_ACCOUNTS" },
  { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
  { type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } },
  { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: true } },
];

/** The permissions of an assistant whose member has this role (specification, Part 5, "MCP server", OAuth). */
export function permissionsOfRole(role: MemberRole): readonly Permission[] {
  return role === "OWNER" || role === "CO_OWNER" ? [...READING, ...ASKING] : READING;
}
