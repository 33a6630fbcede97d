import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { lookAlikeSchema } from "@/lib/contract/input/look-alike";
import { nameText, plainText } from "@/lib/contract/plain-text";
import { ruleActionSchema, ruleLimitId, storedRuleActionSchema } from "@/lib/contract/rules/action";
import { MAXIMUM_COMPARISONS } from "@/lib/contract/rules/comparison-count";
import { ruleConditionsSchema, storedRuleConditionsSchema } from "@/lib/contract/rules/condition";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import { percentagesOf } from "@/lib/contract/rules/percentages-of";
import {
  ruleCents,
  ruleTriggerSchema,
  ruleVersionNumber,
  storedRuleTriggerSchema,
} from "@/lib/contract/rules/trigger";

const MAXIMUM_STEPS = 20;
const MAXIMUM_ACTIONS = 50;
const MAXIMUM_LIMITS = 20;

const stepOf = (conditions: typeof ruleConditionsSchema, action: typeof ruleActionSchema) =>
  z
    .strictObject({
      conditions: conditions.nullable().default(null).describe("Null: always."),
      actions: z.array(action).min(1).max(MAXIMUM_ACTIONS),
    })
    .meta({ id: "RuleStep" });
const stepSchema = stepOf(ruleConditionsSchema, ruleActionSchema);
const storedStepSchema = stepOf(storedRuleConditionsSchema, storedRuleActionSchema);

const limitSchema = z
  .strictObject({
    id: ruleLimitId.describe("Stable across versions, and different for each limit; actions may share one."),
    period: z
      .enum(["TRANSFER", "DAY", "WEEK", "MONTH", "YEAR"])
      .describe("In the organization's time zone; with `TRANSFER`, each transfer on its own."),
    amountInCents: ruleCents(1).describe("Caps what is moved in the period; the action does not fail."),
  })
  .meta({ id: "RuleLimit" });

const definitionShape = {
  name: nameText(60).describe("The name that people know it by."),
  description: plainText(500).nullable().default(null).describe("Its purpose, for people."),
  trigger: ruleTriggerSchema,
  steps: z
    .array(stepSchema)
    .min(1)
    .max(MAXIMUM_STEPS)
    .describe(
      `If, else if, else: the first whose conditions are met runs. At most ${MAXIMUM_COMPARISONS} comparisons in all of them together.`,
    ),
  limits: z
    .array(limitSchema)
    .max(MAXIMUM_LIMITS)
    .default([])
    .describe("Caps on what its actions may move in a period; an action names one by `limitId`."),
};

/** A rule as a caller writes it. */
export const ruleDefinitionSchema = z
  .strictObject(definitionShape)
  .superRefine(refuseContradictions, { when: onceReadable("steps", "limits") });
export type RuleDefinition = z.output<typeof ruleDefinitionSchema>;

const storedShape = {
  ...definitionShape,
  name: z.string(),
  description: z.string().nullable().default(null),
  trigger: storedRuleTriggerSchema,
  steps: z.array(storedStepSchema).min(1),
};

/**
 * A definition as stored. Bounds tightened since it was written do not bind it: it keeps running, and can be read and
 * edited. Whatever reads a stored definition uses this schema.
 */
export const storedRuleDefinitionSchema: z.ZodType<RuleDefinition> = z
  .strictObject(storedShape)
  .superRefine(refuseContradictions, { when: onceReadable("steps", "limits") });

/** The same without its steps, which are most of it: a page of rules would take a quarter of a second to read with them. */
export const storedRuleOutlineSchema = z.strictObject(storedShape).omit({ steps: true });

/** Body of `PUT /rules/{id}`: the whole definition, and the version that the caller has seen. */
export const updateRuleBodySchema = z
  .strictObject({
    ...definitionShape,
    expectedVersion: ruleVersionNumber
      .optional()
      .describe("The version that you have read: refused if someone else has changed it since."),
  })
  .superRefine(refuseContradictions, { when: onceReadable("steps", "limits") });

function refuseContradictions(rule: Pick<RuleDefinition, "steps" | "limits">, issues: z.RefinementCtx): void {
  const limitIds = new Set(rule.limits.map((limit) => limit.id));
  if (limitIds.size !== rule.limits.length) {
    issues.addIssue({ code: "custom", path: ["limits"], message: "must not contain two limits with one id" });
  }
  for (const [stepIndex, step] of rule.steps.entries()) {
    for (const [actionIndex, action] of step.actions.entries()) {
      const path = ["steps", stepIndex, "actions", actionIndex];
      if (action.limitId !== null && !limitIds.has(action.limitId)) {
        issues.addIssue({ code: "custom", path: [...path, "limitId"], message: "must be the id of a limit" });
      }
      if (destinationsOf(action).includes(action.sourceAccountId)) {
        const message = "must be another account than sourceAccountId";
        issues.addIssue({ code: "custom", path: [...path, "destinationAccountId"], message });
      }
    }
    for (const { group, sourceAccountId, total } of percentagesOf(step.actions)) {
      if (total <= 100) continue;
      const message = `shares out ${total} percent of ${sourceAccountId} in group ${group}; the maximum is 100`;
      issues.addIssue({ code: "custom", path: ["steps", stepIndex, "actions"], message });
    }
  }
}

export const ruleStatusSchema = z.enum(["ACTIVE", "INACTIVE"]);

const summaryShape = {
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  status: ruleStatusSchema.describe(
    "`INACTIVE` also while it is paused: a person resumes it at `activationUrl`.",
  ),
  version: z.int().min(1).describe("The latest version."),
  activeVersion: z.int().min(1).nullable().describe("The one that runs live; null without one."),
  activeName: z
    .string()
    .nullable()
    .describe("The name of `activeVersion`, which may differ from `name`, that of `version`."),
  activationUrl: z
    .url()
    .nullable()
    .describe(
      "Where a person activates the latest version, or resumes a paused rule; null when there is nothing to do.",
    ),
  trigger: storedRuleTriggerSchema,
  limits: z.array(limitSchema),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  lookAlike: lookAlikeSchema
    .nullable()
    .describe(
      "Another rule that you may read whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none.",
    ),
};

/** For lists: without steps. */
export const ruleSummarySchema = z
  .strictObject(summaryShape)
  .meta({ id: "RuleSummary", description: "A rule without its steps." });
export type RuleSummary = z.infer<typeof ruleSummarySchema>;

export const ruleSchema = z
  .strictObject({ ...summaryShape, steps: z.array(storedStepSchema) })
  .meta({ id: "Rule" });
export type Rule = z.infer<typeof ruleSchema>;

/** The activation checks, run when a version is written (docs/behavior/rules.md). */
const ruleActivationSchema = z
  .strictObject({
    canActivate: z.boolean().describe("Whether a person could activate this version as things are now."),
    problems: z
      .array(
        z.strictObject({
          code: z.string().describe("Names the check, e.g. `ONLY_ARRIVAL_RULE`, `SCHEDULE`, `DEBTS`."),
          message: z.string(),
        }),
      )
      .describe("What prevents activation; empty when nothing does. Fix each and write the rule again."),
  })
  .meta({ id: "RuleActivation", description: "Whether the version just written could be activated." });
export type RuleActivation = z.infer<typeof ruleActivationSchema>;

/** A rule as returned by the call that wrote it. */
export const writtenRuleSchema = ruleSchema
  .extend({ activation: ruleActivationSchema })
  .meta({ id: "WrittenRule", description: "A rule in the version just written." });
export type WrittenRule = z.infer<typeof writtenRuleSchema>;
