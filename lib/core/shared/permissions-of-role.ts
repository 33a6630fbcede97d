import type { Permission } from "@/lib/contract/permissions";
import type { MemberRole } from "@/lib/contract/views/people";

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
