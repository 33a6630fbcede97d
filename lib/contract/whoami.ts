import { z } from "zod";
import { type PermissionType, permissionSchema } from "@/lib/contract/permissions";

/** Of one permission: more are counted, not listed. A key may name a thousand. */
export const MAXIMUM_LISTED_RESOURCES = 100;

const permissionTypeSchema = z
  .enum(permissionSchema.options.map((option): PermissionType => option.shape.type.value))
  .meta({ id: "PermissionType" });

const cents = z.int().nullable();

const whoamiPermissionSchema = z
  .strictObject({
    permission: permissionTypeSchema,
    requiresApproval: z
      .boolean()
      .describe("Whether all that it starts waits for an owner or co-owner. False if it starts nothing."),
    reach: z
      .enum(["ALL", "LISTED"])
      .describe("`ALL`: everything of its kind, also what is added later. `LISTED`: only what it names."),
    accountIds: z.array(z.uuid()),
    ruleIds: z.array(z.uuid()),
    routes: z
      .array(
        z
          .strictObject({
            sourceAccountId: z.uuid().nullable().describe("Null: any account."),
            destinationAccountId: z.uuid().nullable().describe("Null: any account."),
            maximumAmountInCents: cents.describe("Per transfer; null: no limit."),
          })
          .meta({ id: "WhoamiRoute" }),
      )
      .describe(
        "`MANUAL_TRANSFER`: between which accounts. Of several that match, the highest limit counts.",
      ),
    count: z
      .int()
      .describe(
        `How many accounts, rules or routes it names; only the first ${MAXIMUM_LISTED_RESOURCES} are listed.`,
      ),
  })
  .meta({ id: "WhoamiPermission" });
export type WhoamiPermission = z.infer<typeof whoamiPermissionSchema>;

/** What a caller is and may do, for programs. */
export const whoamiSchema = z
  .strictObject({
    organization: z.strictObject({
      name: z.string(),
      timeZone: z.string().describe("IANA name. Its days begin in this zone."),
      now: z.iso.datetime().describe("The organization's time, which a sandbox may move ahead."),
      businessDate: z.iso.date().describe("Today, in its time zone."),
    }),
    caller: z.strictObject({
      kind: z
        .enum(["API_KEY", "ASSISTANT"])
        .describe("`ASSISTANT`: connected by a member, with that member's role."),
      id: z.uuid().describe("Also `apiKeyId` in the audit log."),
      name: z.string(),
      memberName: z.string().nullable().describe("The member who connected the assistant; null for a key."),
      role: z
        .enum(["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"])
        .nullable()
        .describe("That member's role; null for a key."),
    }),
    permissions: z.array(whoamiPermissionSchema),
    dailyCap: z
      .strictObject({
        capInCents: cents.describe("Null: no cap, or everything needs approval."),
        usedInCents: cents.describe("In the last 24 hours; null without a cap."),
        leftInCents: cents.describe("Null without a cap. Above it, transfers and runs wait for approval."),
      })
      .describe("What this key may move within 24 hours without approval."),
    outgoingCap: z
      .strictObject({
        capInCents: cents.describe("Null: no cap, or this caller moves no money."),
        usedInCents: cents.describe("Null like `capInCents`, or if not all transfers may be read."),
        leftInCents: cents.describe("Null like `usedInCents`. Transfers above it fail."),
      })
      .describe("What the whole organization may send out of Sluice within 24 hours."),
    proposals: z.strictObject({
      waiting: z.int().describe("Of this caller, now."),
      maximum: z.int().describe("With as many waiting, further ones are refused."),
    }),
    mandates: z.strictObject({
      inForce: z
        .int()
        .describe("Of this key, in force now: what they cover needs no person (`GET /mandates`)."),
    }),
    rateLimit: z.strictObject({
      limit: z.int().describe("Requests per window."),
      windowSeconds: z.int(),
      remaining: z.int().describe("After this request."),
      resetsInSeconds: z.int(),
    }),
    gates: z.strictObject({
      areOpen: z.boolean().describe("False: nothing moves until an owner or co-owner opens them."),
      closedAt: z.iso.datetime().nullable(),
    }),
    bank: z.strictObject({
      isSandbox: z.boolean().describe("True: no real money moves."),
      name: z.string().nullable().describe("Null: Sluice's own sandbox bank."),
    }),
  })
  .meta({ id: "Whoami", description: "The caller, its permissions, and what limits it now." });
export type Whoami = z.infer<typeof whoamiSchema>;
