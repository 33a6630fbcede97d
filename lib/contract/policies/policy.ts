import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { APPROVAL_EXPIRY_HOURS, MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";

export const MAXIMUM_POLICY_RULES = 30;
export const MAXIMUM_POLICY_RULE_NAME_LENGTH = 60;
export const MAXIMUM_STAGES = 5;
export const MAXIMUM_STAGE_MEMBERS = 20;
export const MAXIMUM_STAGE_SIGNATURES = 10;
export const MAXIMUM_DEPUTIES = 10;
export const MAXIMUM_POLICY_IDS = 50;
export const MAXIMUM_POLICY_WINDOW_DAYS = 90;
export const MAXIMUM_EXPIRY_HOURS = 168;

/** What a policy can ask signatures for. Only what is enforced. */
export const policyKindSchema = z.enum(["TRANSFER", "RUN", "PAYEE", "RULE", "LIMIT", "KEY", "POLICY"]);
export type PolicyKind = z.infer<typeof policyKindSchema>;
/** These let money move later, or say who approves it, and move none themselves: conditions on amounts never hold. */
export const MOVES_NOTHING: ReadonlySet<PolicyKind> = new Set(["PAYEE", "RULE", "LIMIT", "KEY", "POLICY"]);

/** Who proposes: a program, an assistant of a member, a member, or money that starts a rule. */
export const policyRequesterKindSchema = z.enum(["API_KEY", "ASSISTANT", "MEMBER", "RULE"]);
export type PolicyRequesterKind = z.infer<typeof policyRequesterKindSchema>;

const uuid = z.guid().toLowerCase();
const ids = (maximum: number) => z.array(uuid).min(1).max(maximum).refine(isSet, "must not repeat one");
const choices = <Choice extends z.ZodType<string>>(choice: Choice, maximum: number) =>
  z.array(choice).min(1).max(maximum).refine(isSet, "must not repeat one");

function isSet(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** What is added up: of the last days, by the same requester, to the same destination, or both. */
export const policyWindowSchema = z.strictObject({
  days: z.int().min(1).max(MAXIMUM_POLICY_WINDOW_DAYS),
  by: choices(z.enum(["requester", "destination"]), 2),
});
export type PolicyWindow = z.infer<typeof policyWindowSchema>;

/** All conditions that are given hold together. */
export const policyWhenSchema = z
  .strictObject({
    kinds: choices(policyKindSchema, policyKindSchema.options.length).optional(),
    /** A destination is a payee or registered account that was never paid, or not since it changed. */
    payee: choices(z.enum(["NEW", "CHANGED"]), 2).optional(),
    /** In cents. Without a window: what this proposal moves in all. */
    amountOver: z.int().min(0).max(MAXIMUM_TRANSFER_IN_CENTS).optional(),
    window: policyWindowSchema.optional(),
    sourceAccountIds: ids(MAXIMUM_POLICY_IDS).optional(),
    destinationAccountIds: ids(MAXIMUM_POLICY_IDS).optional(),
    requesters: z
      .strictObject({
        kinds: choices(policyRequesterKindSchema, policyRequesterKindSchema.options.length).optional(),
        /** Keys, connections of assistants, members or rules. */
        ids: ids(MAXIMUM_POLICY_IDS).optional(),
      })
      .refine(({ kinds, ids: some }) => kinds !== undefined || some !== undefined, "must name one")
      .optional(),
    directions: choices(z.enum(["INTERNAL", "MONEY_IN", "MONEY_OUT"]), 3).optional(),
  })
  .refine((when) => Object.values(when).some((condition) => condition !== undefined), "must have a condition")
  .refine((when) => when.window === undefined || when.amountOver !== undefined, {
    path: ["window"],
    message: "needs amountOver",
    when: onceReadable("window", "amountOver"),
  });
export type PolicyWhen = z.infer<typeof policyWhenSchema>;

/** May sign for a member of its stage until the end of that day in the organization's time zone. */
const deputySchema = z.strictObject({ member: uuid, until: z.iso.date() });

export const signerRoleSchema = z.enum(["OWNER", "CO_OWNER"]);
export type SignerRole = z.infer<typeof signerRoleSchema>;

/** At least so many of these people sign. A signer is always an owner or co-owner, also one who is named. */
export const stageSchema = z.strictObject({
  of: z.union([
    z.strictObject({ roles: choices(signerRoleSchema, 2) }),
    z.strictObject({ members: ids(MAXIMUM_STAGE_MEMBERS) }),
  ]),
  atLeast: z.int().min(1).max(MAXIMUM_STAGE_SIGNATURES),
  deputies: z.array(deputySchema).max(MAXIMUM_DEPUTIES),
});
export type Stage = z.infer<typeof stageSchema>;

const requirementShape = {
  /** One after the other; a person counts once over all of them. */
  stages: z.array(stageSchema).min(1).max(MAXIMUM_STAGES),
  /** Whether the member who asked, or who made the key that did, may sign. */
  requesterCounts: z.boolean(),
  expiresAfterHours: z.int().min(1).max(MAXIMUM_EXPIRY_HOURS),
};
export const requirementSchema = z.strictObject(requirementShape);
export type Requirement = z.infer<typeof requirementSchema>;

export const policyRuleSchema = z.strictObject({
  name: nameText(MAXIMUM_POLICY_RULE_NAME_LENGTH),
  when: policyWhenSchema,
  ...requirementShape,
});
export type PolicyRule = z.infer<typeof policyRuleSchema>;

/** Who must approve what: the first rule that matches, or `otherwise`. Its version is not part of it. */
export const policySchema = z.strictObject({
  rules: z
    .array(policyRuleSchema)
    .max(MAXIMUM_POLICY_RULES)
    .refine((rules) => isSet(rules.map(({ name }) => name)), "must have names of their own"),
  otherwise: requirementSchema,
});
export type Policy = z.infer<typeof policySchema>;

/** Without a policy in force: one owner or co-owner, perhaps the requester, within 24 hours. It has version 0. */
export const DEFAULT_POLICY: Policy = {
  rules: [],
  otherwise: {
    stages: [{ of: { roles: ["OWNER", "CO_OWNER"] }, atLeast: 1, deputies: [] }],
    requesterCounts: true,
    expiresAfterHours: APPROVAL_EXPIRY_HOURS,
  },
};
