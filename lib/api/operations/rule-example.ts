import type { z } from "zod";
import { EXAMPLE_IDS, EXAMPLE_TIMES } from "@/lib/api/operations/examples";
import type { Rule, RuleSummary, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

const action = {
  type: "PERCENTAGE",
  sourceAccountId: EXAMPLE_IDS.operating,
  destinationAccountId: EXAMPLE_IDS.taxes,
  group: 0,
  percentage: 25,
  of: "INCOMING_AMOUNT",
} as const;

/** A quarter of each payment from $1,000.00 on is set aside for taxes. */
export const EXAMPLE_DEFINITION: z.input<typeof ruleDefinitionSchema> = {
  name: "Set aside taxes",
  trigger: {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: EXAMPLE_IDS.operating,
    minimumAmountInCents: 100_000,
  },
  steps: [{ conditions: null, actions: [action] }],
};

export const EXAMPLE_RULE_SUMMARY: RuleSummary = {
  id: EXAMPLE_IDS.rule,
  name: "Set aside taxes",
  description: null,
  status: "INACTIVE",
  version: 1,
  activeVersion: null,
  activeName: null,
  activationUrl: `https://sluice.example/rules/${EXAMPLE_IDS.rule}`,
  trigger: {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: EXAMPLE_IDS.operating,
    minimumAmountInCents: 100_000,
  },
  limits: [],
  createdAt: EXAMPLE_TIMES.asked,
  updatedAt: EXAMPLE_TIMES.asked,
  deletedAt: null,
};

export const EXAMPLE_RULE: Rule = {
  ...EXAMPLE_RULE_SUMMARY,
  steps: [{ conditions: null, actions: [{ ...action, upTo: false, limitId: null, description: null }] }],
};
