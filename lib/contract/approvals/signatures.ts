import { z } from "zod";
import { signerRoleSchema } from "@/lib/contract/policies/policy";

/** Whose signatures a proposal needs, and how many it has; for programs, without names. */
export const approvalsSchema = z
  .strictObject({
    required: z
      .array(
        z.strictObject({
          policyVersion: z.int().min(0).describe("0: no policy was published."),
          rule: z.string().nullable().describe("The rule of the policy that matched; null: none."),
          stage: z.int().min(1).describe("Stages of one version are signed in their order."),
          of: z
            .array(signerRoleSchema)
            .nullable()
            .describe("Members with one of these roles; null: people whom the policy names."),
          atLeast: z.int().min(1),
          given: z.int().min(0).describe("How many signatures count in this stage now."),
        }),
      )
      .describe("All of them must be met. One signature may count in several versions."),
    given: z
      .array(z.strictObject({ signedAt: z.iso.datetime() }))
      .describe("The signatures that count, in their order."),
    expiresAt: z.iso.datetime().describe("Without all of them by then it counts as denied."),
  })
  .meta({ id: "Approvals", description: "The signatures that a policy of the organization asks for." });
export type Approvals = z.infer<typeof approvalsSchema>;

/** Where it is described with a transfer or run. */
export const APPROVALS_DESCRIPTION =
  "Whose signatures it needs, of one that waits or waited under a policy, read by itself. Null: one owner or co-owner decides within 24 hours, or it never waited.";
