import { valueAt } from "@/lib/core/shared/input-paths";

/** The fields of each action beside its type, accounts and group; `?` marks an optional one. */
export const ACTION_FIELDS = {
  FIXED: "amountInCents",
  PERCENTAGE: "percentage, of (INCOMING_AMOUNT or SOURCE_BALANCE)",
  TOP_UP: "amountInCents (that the destination reaches)",
  ROUND_DOWN: "amountInCents (the source keeps a multiple)",
  REMAINDER: "keepInCents?",
  NEXT_PAYMENT_MINIMUM: "",
  LAST_STATEMENT_BALANCE: "",
  TOTAL_AMOUNT_DUE: "",
  PERCENTAGE_OF_LIABILITY: "percentage",
  SNOWBALL: "destinationAccountIds, amountInCents (a budget)",
  AVALANCHE: "destinationAccountIds, amountInCents (a budget)",
} as const;

/** The fields of each trigger beside its type and account. */
const TRIGGER_FIELDS = {
  MANUAL: "",
  SCHEDULED: "schedule",
  ON_FUNDS_TRANSFERRED: "minimumAmountInCents?",
} as const;

const SCHEDULE =
  "frequency, startAt (date-time with a zone), timeZone (e.g. America/New_York), time? (HH:MM), onNonBankingDay? (SAME_DAY, NEXT_BANKING_DAY or PREVIOUS_BANKING_DAY), and dayOfWeek (1 Monday to 7) with WEEKLY and EVERY_OTHER_WEEK, daysOfMonth with MONTHLY (one; -1 is the last) and TWICE_A_MONTH (two), cron with CRON";
const CONDITIONS =
  "{ all: [...] } or { any: [...] }, at most three deep, of comparisons { fact, accountId (of an account's fact), operator, value (cents or a day) or valueFact }; null is always";
const LIMIT = "id, period, amountInCents, where an action names the id as limitId";

/** `SNOWBALL, AVALANCHE: destinationAccountIds, …`: types that take the same come together. */
const actionWords = [...new Set<string>(Object.values(ACTION_FIELDS))]
  .map((fields) => {
    const types = Object.entries(ACTION_FIELDS).flatMap(([type, own]) => (own === fields ? [type] : []));
    return fields === "" ? types.join(", ") : `${types.join(", ")}: ${fields}`;
  })
  .join("; ");

/** How a rule is written, for the description of the tools that take one. */
export const RULE_GRAMMAR = [
  "Triggers: SCHEDULED, ON_FUNDS_TRANSFERRED (settled money arrives), MANUAL.",
  "The first step that has no conditions, or whose conditions hold, runs.",
  "conditions is JSON: {all or any: [{fact: BALANCE, accountId, operator: GREATER_THAN, value: 100000}]}.",
  `Groups run in order, from 0. Action types: ${actionWords}.`,
  "WEEKLY takes dayOfWeek, MONTHLY one and TWICE_A_MONTH two daysOfMonth.",
  "All else, and ten examples: getRuleGuide.",
].join(" ");

/**
 * What would be right in the part of a rule that a field is in, e.g. the fields of an action of its type.
 * @param field as in a problem: `steps.0.actions.1.percentage`
 * @param rule as sent
 * @returns null for a field whose problem says it all
 */
export function describeRightShape(field: string, rule: unknown): string | null {
  const [part = ""] =
    /^(?:steps\.\d+\.(?:actions\.\d+|conditions)|trigger\.schedule|trigger|limits\.\d+)/.exec(field) ?? [];
  if (part === "") return null;
  if (part.includes(".actions.")) return shapeByType(part, rule, ACTION_FIELDS, actionFieldsOf);
  if (part.endsWith(".conditions")) return `${part} is ${CONDITIONS}.`;
  if (part === "trigger.schedule") return `${part} has ${SCHEDULE}.`;
  if (part === "trigger") return shapeByType(part, rule, TRIGGER_FIELDS, triggerFieldsOf);
  return `${part} has ${LIMIT}.`;
}

function shapeByType(
  part: string,
  rule: unknown,
  fieldsByType: Readonly<Record<string, string>>,
  fieldsOf: (own: string) => string,
): string {
  const type = valueAt(rule, [...part.split("."), "type"]);
  const own = typeof type === "string" && Object.hasOwn(fieldsByType, type) ? fieldsByType[type] : undefined;
  if (own === undefined) return `The type of ${part} is one of ${Object.keys(fieldsByType).join(", ")}.`;
  return `${part}, of type ${type}, has ${fieldsOf(own)}.`;
}

const actionFieldsOf = (own: string) => {
  const isOfDebts = own.startsWith("destinationAccountIds");
  const parts = [
    "sourceAccountId",
    ...(isOfDebts ? [] : ["destinationAccountId"]),
    "group",
    own,
    "upTo?, limitId?, description?",
  ];
  return parts.filter((part) => part !== "").join(", ");
};

const triggerFieldsOf = (own: string) => ["accountId", own].filter((part) => part !== "").join(", ");
