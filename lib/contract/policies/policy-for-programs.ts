import { z } from "zod";

/**
 * Who must approve, in sentences without the people, accounts and keys that it names: any key may read it. Short, since it is
 * part of every list of tools.
 */
export const approvalPolicySchema = z.object({
  version: z.int(),
  rules: z.array(z.string()),
  otherwise: z.string(),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;
