import { TIME } from "@/app/design/_components/approval-examples";
import { Phrases } from "@/app/rules/_components/rule-sentence";
import { RuleNetwork } from "@/app/rules/[id]/_components/rule-network";
import { COLUMNS } from "@/components/layout/columns";
import type { DrawnRule } from "@/components/parts/rules/network-geometry";
import { SmallNetwork, WaitingNetwork } from "@/components/parts/rules/small-network";
import { PAGE_TITLE, WHOLE_SENTENCE } from "@/components/ui/text-styles";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { evaluate } from "@/lib/engine/evaluate";
import type { RulesView } from "@/lib/views/rules/read-rules-page";
import { ruleSentence } from "@/lib/words/rules/rule-sentence";

export const NO_RULES: RulesView = {
  rules: [],
  search: rulesSearchSchema.parse({}),
  firstPosition: 1,
  matchCount: 0,
  previousHref: null,
  nextHref: null,
  isLong: false,
  counts: { ACTIVE: 0, PAUSED: 0, INACTIVE: 0 },
  waiting: [],
  waitingCount: 0,
  paused: [],
  viewer: { canDecide: true },
  time: TIME,
};

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const [CLIENT, TAXES, PAYROLL, PROFIT, OWNER, OPERATING] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const pod = (name: string) => ({ name, kind: "POD" as const, isClosed: false });

const RULE_NAMES: AccountNames = {
  [CLIENT]: { name: "Client payments", kind: "INCOME_SOURCE", isClosed: false },
  [TAXES]: pod("Taxes"),
  [PAYROLL]: pod("Payroll"),
  [PROFIT]: pod("Profit"),
  [OWNER]: pod("Owner’s pay"),
  [OPERATING]: pod("Operating"),
};

const share = (percentage: number, destinationAccountId: string, limitId: string | null = null) => ({
  type: "PERCENTAGE",
  of: "INCOMING_AMOUNT",
  sourceAccountId: CLIENT,
  destinationAccountId,
  group: 0,
  percentage,
  limitId,
});
const rest = { type: "REMAINDER", sourceAccountId: CLIENT, destinationAccountId: OPERATING, group: 2 };
const atLeast = (value: number) => ({
  all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value }],
});

const SPLIT_RULE: RuleDefinition = ruleDefinitionSchema.parse({
  name: "Split client payments",
  trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: CLIENT },
  limits: [{ id: "payroll", period: "MONTH", amountInCents: 600_000 }],
  steps: [
    {
      conditions: atLeast(100_000),
      actions: [
        share(27, TAXES),
        share(30, PAYROLL, "payroll"),
        share(10, PROFIT),
        {
          type: "TOP_UP",
          sourceAccountId: CLIENT,
          destinationAccountId: OWNER,
          group: 1,
          amountInCents: 200_000,
        },
        rest,
      ],
    },
    { conditions: atLeast(10_000), actions: [share(27, TAXES), rest] },
  ],
});

/** What the example rule sees when this much arrives. */
function splitFacts(incomingAmountInCents: number): RuleFacts {
  const account = (name: string, heldInCents: number): RuleFacts["accounts"][string] => ({
    name,
    type: "POD",
    externalAccountType: null,
    isClosed: false,
    balanceInCents: heldInCents,
    availableInCents: heldInCents,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: null,
    lastStatementBalanceInCents: null,
    interestRatePercentage: null,
  });
  return {
    at: TIME.nowAt,
    date: TIME.nowAt.slice(0, 10),
    incomingAmountInCents,
    isApprovedByPerson: false,
    accounts: {
      ...Object.fromEntries(
        Object.entries(RULE_NAMES).map(([key, { name }]) => [key, account(name, 215_000)]),
      ),
      [CLIENT]: account("Client payments", incomingAmountInCents),
    },
    limitsUsedInCents: { payroll: 420_000 },
  };
}

const drawn = (incomingAmountInCents: number): DrawnRule => {
  const evaluation = evaluate(SPLIT_RULE, splitFacts(incomingAmountInCents));
  const plan = evaluation.kind === "PLANNED" ? evaluation.plan : null;
  return { rule: SPLIT_RULE, plan, names: RULE_NAMES, incomingAmountInCents };
};

/** The sentence of a rule and its drawings: a large deposit, a small one, one that moves nothing; small and waiting. */
export function RuleNetworkExamples() {
  return (
    <>
      <h1 className={PAGE_TITLE}>A rule in words and drawings</h1>
      <p className={WHOLE_SENTENCE}>
        <Phrases phrases={ruleSentence(SPLIT_RULE, RULE_NAMES)} />
      </p>
      {[620_000, 62_000, 6_200].map((amount) => (
        <RuleNetwork key={amount} {...drawn(amount)} />
      ))}
      <RuleNetwork {...drawn(620_000)} plan={null} incomingAmountInCents={null} />
      <div className={COLUMNS}>
        <WaitingNetwork {...drawn(620_000)} gate="WAITS" />
        <SmallNetwork {...drawn(620_000)} width={334} />
      </div>
    </>
  );
}
