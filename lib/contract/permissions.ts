import { z } from "zod";

/** All resources of the organization, also those made later, or a list of ids. */
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
]);

/** The permissions of one key: each type at most once. */
export const permissionsSchema = z
  .array(permissionSchema)
  .max(8)
  .refine((list) => new Set(list.map((permission) => permission.type)).size === list.length, {
    message: "each permission may be given once",
  });

export type Permission = z.infer<typeof permissionSchema>;
export type PermissionType = Permission["type"];
export type PermissionOf<T extends PermissionType> = Extract<Permission, { type: T }>;
/** What a creator writes; `approval` may be left out and is then required. */
export type PermissionInput = z.input<typeof permissionSchema>;
