import type { PermissionInput } from "@/lib/contract/permissions";
import type { Ids } from "@/lib/testing/api-proof/organization-with-everything";

/** A key's only permission, in one of the three reaches of the matrix; null where it has no list. */
export function permissionOf(
  type: PermissionInput["type"],
  reach: "all" | "listed" | "unlisted",
  ids: Ids,
): PermissionInput | null {
  const accounts = { all: "ALL" as const, listed: [ids.operating, ids.checking], unlisted: [ids.income] }[
    reach
  ];
  const rules = { all: "ALL" as const, listed: [ids.rule], unlisted: [ids.otherRule] }[reach];
  const approval = { required: false };
  const entries = {
    all: [{ source: "ANY" as const, target: "ANY" as const }],
    listed: [{ source: ids.operating, target: ids.taxes }],
    // The way back is another route.
    unlisted: [{ source: ids.taxes, target: ids.operating }],
  }[reach];
  switch (type) {
    case "READ_ACCOUNTS":
    case "READ_TRANSFERS":
      return { type, accounts };
    case "READ_RULES":
    case "CREATE_AND_EDIT_RULES":
      return { type, rules };
    case "TRIGGER_RULES":
      return { type, rules, approval };
    case "MANUAL_TRANSFER":
      return { type, entries, approval };
    case "CREATE_ACCOUNTS":
    case "READ_AUDIT_LOGS":
      return reach === "all" ? { type } : null;
  }
}
