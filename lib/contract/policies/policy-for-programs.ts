import { z } from "zod";
import {
  policyKindSchema,
  policyRequesterKindSchema,
  policyWhenSchema,
  policyWindowSchema,
  signerRoleSchema,
} from "@/lib/contract/policies/policy";

/** Without people, accounts and keys by id: any key may read it, whatever else it may see. */
const requirementShape = {
  stages: z
    .array(z.object({ of: z.array(signerRoleSchema).nullable(), atLeast: z.int() }))
    .describe("One after the other; a person counts once. `of` null: people whom the policy names."),
  requesterCounts: z.boolean().describe("Whether who asked, or made the key, may sign."),
  expiresAfterHours: z.int(),
};

const whenSchema = z.object({
  kinds: z.array(policyKindSchema).nullable(),
  payee: policyWhenSchema.shape.payee.unwrap().nullable(),
  amountOver: z.int().nullable().describe("In cents, of the proposal or of the window."),
  window: policyWindowSchema.nullable(),
  onlySomeAccounts: z.boolean().describe("Only between accounts that the policy names."),
  requesterKinds: z.array(policyRequesterKindSchema).nullable(),
  onlySomeRequesters: z.boolean(),
  directions: policyWhenSchema.shape.directions.unwrap().nullable(),
});

export const approvalPolicySchema = z.object({
  version: z.int().describe("0: none was published, the default holds."),
  rules: z
    .array(z.object({ name: z.string(), when: whenSchema, ...requirementShape }))
    .describe("The first that matches a proposal decides; null conditions hold for everything."),
  otherwise: z.object(requirementShape),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;
