import { describeWhole } from "@/lib/api/mcp/input-schema";
import { schemaMarkdown } from "@/lib/api/mcp/resources/schema-markdown";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** How a rule runs: what its fields do not say by themselves (decisions page, "Rule"; docs/rules.md). */
const PROSE = `# How rules are written

A rule is a trigger, steps with conditions and actions, and limits. \`createRule\` writes one, \`updateRule\` replaces
the whole of one. What is written is inactive until an owner or co-owner has read it in the dashboard and activated it
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
  always holds.
- **Groups** run in the order of their numbers; in a group, actions run in the order in which they stand. The
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
\`sluice://rules/examples\`. The same as JSON Schema: \`sluice://rules/schema\`.

## Fields`;

/** The specification of rules for agents: prose, and fields out of the schema that checks them. */
export function ruleSpecification(): string {
  return `${PROSE}\n\n${schemaMarkdown("The rule", describeWhole(ruleDefinitionSchema))}\n`;
}

/** What `createRule` takes, as JSON Schema 2020-12. */
export function ruleSchemaText(): string {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A rule as createRule takes it",
    ...describeWhole(ruleDefinitionSchema),
  };
  return JSON.stringify(schema);
}
