import type { PermissionType } from "@/lib/contract/permissions";

export interface PermissionHelp {
  /** What it is given for. */
  resources: string;
  /** What a key that has it may do. */
  grants: string;
}

/** The permissions in words (specification, Part 5, "Permissions"). */
export const PERMISSION_HELP: Record<PermissionType, PermissionHelp> = {
  READ_ACCOUNTS: {
    resources: "All accounts, or a list.",
    grants:
      "List the summaries of all accounts, without balances and numbers; read detail and balance of the accounts in its list.",
  },
  CREATE_ACCOUNTS: {
    resources: "The organization.",
    grants: "Open pods and income sources under any beneficiary of the organization.",
  },
  READ_RULES: {
    resources: "All rules, or a list.",
    grants: "List rules, read them and their runs.",
  },
  TRIGGER_RULES: {
    resources: "All rules, or a list.",
    grants: "Run a rule on demand.",
  },
  CREATE_AND_EDIT_RULES: {
    resources: "All rules, or a list.",
    grants: "Create and change rules. What it writes stays inactive until a person activates it.",
  },
  READ_TRANSFERS: {
    resources: "All accounts, or a list.",
    grants: "Read transfers, card transactions and external transactions of those accounts.",
  },
  MANUAL_TRANSFER: {
    resources: "Routes from source to destination, each with or without a limit.",
    grants: "Make a transfer on one of its routes, up to the route's limit.",
  },
  READ_AUDIT_LOGS: {
    resources: "The organization.",
    grants: "Read what API keys did.",
  },
};

/** Only these two move money, and only they can require approval. */
export const APPROVABLE_PERMISSIONS: readonly PermissionType[] = ["TRIGGER_RULES", "MANUAL_TRANSFER"];
