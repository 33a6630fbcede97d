import { z } from "zod";

/** All resources of the organization, later ones included, or a list of ids. */
const resourceListSchema = z.union([z.literal("ALL"), z.array(z.uuid().toLowerCase()).min(1).max(1_000)]);
export type ResourceList = z.infer<typeof resourceListSchema>;

const approvalSchema = z.object({ required: z.boolean().default(true) }).default({ required: true });

const routeSchema = z.object({
  source: z.union([z.literal("ANY"), z.uuid().toLowerCase()]),
  target: z.union([z.literal("ANY"), z.uuid().toLowerCase()]),
  /** Cents; absent means no cap. */
  max_amount: z.int().positive().optional(),
});

/**
 * What a key may do (specification, Part 5, "Permissions"). `max_amount`, `source` and `target` are the
 * specification's own names. Fixed when the key is created.
 */
export const permissionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("READ_ACCOUNTS"), accounts: resourceListSchema }),
  z.object({ type: z.literal("CREATE_ACCOUNTS") }),
  z.object({ type: z.literal("READ_RULES"), rules: resourceListSchema }),
  z.object({ type: z.literal("TRIGGER_RULES"), rules: resourceListSchema, approval: approvalSchema }),
  z.object({ type: z.literal("CREATE_AND_EDIT_RULES"), rules: resourceListSchema }),
  z.object({ type: z.literal("READ_TRANSFERS"), accounts: resourceListSchema }),
  z.object({
    type: z.literal("MANUAL_TRANSFER"),
    entries: z.array(routeSchema).min(1).max(1_000),
    approval: approvalSchema,
  }),
  z.object({ type: z.literal("READ_AUDIT_LOGS") }),
  /** Beyond the specification; offered only where nothing is real. */
  z.object({ type: z.literal("CONTROL_SANDBOX") }),
]);

/** The permissions of one key: each type at most once. */
export const permissionsSchema = z
  .array(permissionSchema)
  .max(9)
  .refine((list) => new Set(list.map((permission) => permission.type)).size === list.length, {
    message: "each permission may be given once",
  });

export type Permission = z.infer<typeof permissionSchema>;
export type PermissionType = Permission["type"];
export type PermissionOf<T extends PermissionType> = Extract<Permission, { type: T }>;
/** As sent by a creator; `approval` may be omitted and is then required. */
export type PermissionInput = z.input<typeof permissionSchema>;

interface PermissionHelp {
  /** The scope it is given for. */
  resources: string;
  /** What a key with it may do. */
  grants: string;
}

/** The permissions in words (specification, Part 5, "Permissions"). */
export const PERMISSION_HELP: Record<PermissionType, PermissionHelp> = {
  READ_ACCOUNTS: {
    resources: "All accounts, or a list.",
    grants:
      "List all accounts without balances and numbers; read details and balance of the accounts in its list.",
  },
  CREATE_ACCOUNTS: {
    resources: "The organization.",
    grants:
      "Open pods and income sources under any beneficiary of the organization, and propose payees, which a person confirms.",
  },
  READ_RULES: {
    resources: "All rules, or a list.",
    grants: "List and read rules and their runs.",
  },
  TRIGGER_RULES: {
    resources: "All rules, or a list.",
    grants: "Run a rule on demand, and read those runs.",
  },
  CREATE_AND_EDIT_RULES: {
    resources: "All rules, or a list.",
    grants: "Create and change rules. They stay inactive until a person activates them.",
  },
  READ_TRANSFERS: {
    resources: "All accounts, or a list.",
    grants: "Read transfers, card transactions and external transactions of those accounts.",
  },
  MANUAL_TRANSFER: {
    resources: "Routes from source to destination, each with or without a limit.",
    grants: "Make a transfer on one of its routes, up to the route's limit, and read it.",
  },
  READ_AUDIT_LOGS: {
    resources: "The organization.",
    grants: "Read what API keys did.",
  },
  CONTROL_SANDBOX: {
    resources: "The organization, in a sandbox only.",
    grants:
      "Move the sandbox's clock, simulate deposits, purchases, outside transactions and returns, and decide proposals as a test person.",
  },
};

/** Only these two move money, and only they can require approval. */
export const APPROVABLE_PERMISSIONS: readonly PermissionType[] = ["TRIGGER_RULES", "MANUAL_TRANSFER"];
