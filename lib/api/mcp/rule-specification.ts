import { describeInFull, type ObjectSchema } from "@/lib/api/mcp/input-schema";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** How a rule runs, where its fields do not say so themselves (docs/behavior/rules.md; docs/rules.md). */
const PROSE = `# How to write rules

A rule is a trigger, steps with conditions and actions, and limits. \`createRule\` writes one, \`updateRule\` replaces
the whole of one, or sets some of its fields by their paths, e.g. \`steps.0.actions.0.amountInCents\`. What is written is inactive until an owner or co-owner has read it in the dashboard and activated it
there: no program can. A version that is active keeps running until the next one is activated.

## How to go about it

1. \`listAccounts\` for the ids. \`canBeSource\` and \`canBeDestination\` say what rules may do with an account.
2. \`listRules\` with \`sourceAccountId\`: on arrivals at one account only one rule can be active.
3. Say the rule in words to the person, and write it with \`createRule\` after their yes.
4. Try it with \`triggerRule\`, \`simulation: true\` and \`version\`, the number that you were answered. Without
   \`version\` the active one is tried. Nothing moves. \`simulatedIncomingFunds\` says what happens when that much
   arrives on top of what is there. \`simulatedSourceBalance\` and \`executeAmount\` replace the real balance, for
   what-if questions; the answer names the version tried and the base used.
5. Give the person the \`activationUrl\`.

## How a run goes

- **Steps** are if, else if, else: the first step whose conditions hold runs, the others do not. \`conditions: null\`
  always holds. To \`createRule\`, conditions may be given as an object or as its JSON text.
- **Groups** run in the order of their numbers; in a group, actions run in the order in which they are listed. The
  percentages of a group are shares of one snapshot, taken before the group; at 100 percent no cent is left. Each
  action is then capped by what the source still has, and the next group sees what is left.
- **Too little money:** an action with \`upTo: true\` moves what is there; \`TOP_UP\`, \`ROUND_DOWN\` and
  \`REMAINDER\` always do. Any other fails, and the run ends with it.
- **Below $1.00** nothing moves: the action is skipped, and the run goes on.
- **Limits** cap what their actions move in a period; they fail nothing. Actions may share one.
- **The incoming amount** is what arrived, or \`executeAmount\`; without either, what the account of the trigger has.
  In a dry run of a rule that acts on arrivals, \`simulatedIncomingFunds\` is what arrived.
- **Debts** (credit cards, loans): \`NEXT_PAYMENT_MINIMUM\`, \`LAST_STATEMENT_BALANCE\`, \`TOTAL_AMOUNT_DUE\`,
  \`PERCENTAGE_OF_LIABILITY\`, \`SNOWBALL\` and \`AVALANCHE\` pay debts only, and never more than is owed.
  The first two pay what is left after what Sluice has paid since the statement's date, or for the due date, and what is
  on its way: a daily rule pays a statement once.
- **A balance that nobody knows** is never taken for zero: the run waits, tries again, and fails after some hours.
- **A floor** that an owner keeps in an account is not gone below by a rule, unless a person approves the run.
- **Arrivals** are settled money only, and set a rule off once. Rules may set each other off, ten deep at most; a circle
  of active rules cannot be activated.

## Refused beyond the fields

- A \`limitId\` that no limit has, or two limits of one id.
- A destination that is the source.
- Percentages of one group, source and base that come to more than 100.
- A schedule with a day or a cron expression that its frequency does not take, or without one that it needs; a cron
  expression that never comes.
- Fields that are not listed here.

Amounts are whole cents of US dollars: 100000 is $1,000.00. Each account is named by its id. Working examples:
\`sluice://rules/examples\`. The same as JSON Schema: \`sluice://rules/schema\`. Or call \`getRuleGuide\` with its topic.

## Fields`;

/** How rules run, without their fields. */
export function rulePrinciples(): string {
  return `${PROSE.replace(/\n\n## Fields$/, "")}\n`;
}

/** Every field of a rule. */
export function ruleFields(): string {
  return `${schemaMarkdown("The rule", describeInFull(ruleDefinitionSchema))}\n`;
}

/** The specification of rules for agents: prose, plus fields from the schema that checks them. */
export function ruleSpecification(): string {
  return `${PROSE}\n\n${ruleFields()}`;
}

/** What `createRule` takes, as JSON Schema 2020-12. */
export function ruleSchemaText(): string {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A rule as createRule takes it",
    ...describeInFull(ruleDefinitionSchema),
  };
  return JSON.stringify(schema);
}

/** A JSON Schema as Markdown for agents: a section per shape, each described once, so that the text stays short. */
function schemaMarkdown(title: string, { $defs = {}, ...schema }: ObjectSchema): string {
  const sections = [[title, schema] as const, ...Object.entries($defs)];
  return sections.map(([name, shape]) => section(name, shape)).join("\n\n");
}

function section(name: string, schema: JsonSchema): string {
  const shapes = schema.oneOf ?? schema.anyOf ?? [];
  return [
    `### ${name}`,
    ...(schema.description ? [schema.description] : []),
    ...(shapes.length > 0 ? shapesLines(shapes) : fieldLines(schema)),
  ].join("\n\n");
}

/** Fields shared by all shapes come once, before the differences. */
function shapesLines(shapes: readonly JsonSchema[]): string[] {
  const [first, ...others] = shapes;
  const shared = Object.keys(first?.properties ?? {}).filter((name) =>
    others.every((shape) => isSame(shape.properties?.[name], first?.properties?.[name])),
  );
  return [
    ...(shared.length > 0 && first
      ? ["Each shape has:", ...fieldLines(first, (name) => shared.includes(name))]
      : []),
    "One of these shapes:",
    ...shapes.map((shape) =>
      [
        `**${shapeName(shape)}**${shape.description ? `: ${shape.description}` : ""}`,
        ...fieldLines(shape, (name) => !shared.includes(name)),
      ].join("\n\n"),
    ),
  ];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** `FIXED`, by its one constant field; otherwise by the names of its fields. */
function shapeName({ properties = {} }: JsonSchema): string {
  const constant = Object.values(properties).find((field) => typeof field.const === "string")?.const;
  return `\`${typeof constant === "string" ? constant : Object.keys(properties).join(", ")}\``;
}

/** The fields of an object as one list; empty without fields, or when the names say it all. */
function fieldLines(schema: JsonSchema, isReported: (name: string) => boolean = () => true): string[] {
  const lines = Object.entries(schema.properties ?? {})
    .filter(([name]) => isReported(name))
    .map(([name, field]) => fieldLine(name, field, schema.required?.includes(name) ?? false));
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function fieldLine(name: string, field: JsonSchema, isRequired: boolean): string {
  const otherwise = field.default === undefined ? "" : `; default ${JSON.stringify(field.default)}`;
  const description = field.description ? ` ${field.description}` : "";
  return `- \`${name}\` (${isRequired ? "required" : "optional"}): ${typeWords(field)}${otherwise}.${description}`;
}

/** The allowed values, in a few words. */
function typeWords(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace("#/$defs/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(alternativeWords).join(" or ");
  if (schema.type === "array") return listWords(schema);
  if (schema.type === "integer") return `whole number ${numbers(schema)}`.trim();
  if (schema.type === "number") return `number ${numbers(schema)}`.trim();
  if (schema.type === "string") return stringWords(schema);
  return String(schema.type ?? "any value");
}

function listWords({ items = {}, minItems, maxItems }: JsonSchema): string {
  const count = range(minItems, maxItems).trim();
  return `list of ${typeWords(items)}${count ? ` (${count})` : ""}`;
}

/** An unnamed object is described by its fields. */
function alternativeWords(schema: JsonSchema): string {
  if (!schema.properties) return typeWords(schema);
  const fields = Object.entries(schema.properties).map(([name, field]) => `${name}: ${typeWords(field)}`);
  return `{ ${fields.join(", ")} }`;
}

function stringWords({ format, minLength, maxLength, pattern }: JsonSchema): string {
  if (format) return format;
  if (pattern) return `text that matches ${pattern}`;
  return `text of ${range(minLength, maxLength)}characters`;
}

const numbers = ({ minimum, exclusiveMinimum, maximum }: JsonSchema) =>
  exclusiveMinimum === undefined
    ? range(minimum, maximum).trim()
    : `above ${exclusiveMinimum}, at most ${maximum ?? "any"}`;

function range(from: number | undefined, to: number | undefined): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to} `;
  if (from !== undefined) return `${from} or more `;
  return to === undefined ? "" : `up to ${to} `;
}
