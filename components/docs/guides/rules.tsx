import { Chapter, Facts, type Guide, GuideCode, Points, Prose } from "@/components/docs/guide";

export const rules: Guide = {
  slug: "rules",
  title: "Rules",
  chapter: "Start",
  heading: "Write a rule, and let a person activate it",
  lede: "A rule is a trigger, conditions and actions. A program writes and tries it; it runs live only in a version that an owner or co-owner has activated in the dashboard.",
  words:
    "trigger conditions actions steps groups limits activationUrl version ON_FUNDS_TRANSFERRED SCHEDULED MANUAL execution hook",
  Content,
};

const ACTIONS = [
  ["FIXED", "`amountInCents`."],
  [
    "PERCENTAGE",
    "`percentage` of what came in (`INCOMING_AMOUNT`) or of what the source has (`SOURCE_BALANCE`).",
  ],
  ["TOP_UP", "What the destination lacks up to `amountInCents`."],
  ["ROUND_DOWN", "What is above a multiple of `amountInCents`."],
  ["REMAINDER", "What is above `keepInCents`."],
  ["NEXT_PAYMENT_MINIMUM", "What is left of a debt's next minimum payment: once per due date."],
  ["LAST_STATEMENT_BALANCE", "What is left of a debt's last statement: once per statement."],
  ["TOTAL_AMOUNT_DUE", "All that is owed."],
  ["PERCENTAGE_OF_LIABILITY", "`percentage` of what is owed."],
  ["SNOWBALL", "A budget over several debts, the smallest first."],
  ["AVALANCHE", "A budget over several debts, the highest rate first."],
] as const;

const BASES = [
  ["nothing", "The real balance."],
  [
    "simulatedIncomingFunds",
    "Is added to the base, whichever it is. Of a rule that acts on arrivals it is the incoming amount too: alone, it says what happens if this much arrives now.",
  ],
  [
    "executeAmount",
    "That amount, as balance and as incoming amount. It replaces the real balance: for what-if questions.",
  ],
  ["simulatedSourceBalance", "That amount as balance; goes before `executeAmount`."],
] as const;

const STATUSES = [
  ["IN_PROGRESS", "At work, waiting for `nextAttemptAt`, or the bank has some of its transfers."],
  ["EXECUTED", "All its transfers completed; or none was called for (`conditionsNotMet`, or all too small)."],
  ["PARTIAL", "Some completed, some did not: `errorMessage` says why."],
  ["FAILED", "It broke off, or none completed. Look at `transfersCompleted` all the same."],
  ["APPROVAL_PENDING", "Waits at `approvalUrl`."],
  ["APPROVAL_DENIED", "Denied, or nobody decided within 24 hours."],
] as const;

function Content() {
  return (
    <>
      <Chapter title="How it goes">
        <Points
          isOrdered
          items={[
            "You write it: `POST /rules`. A new rule is always inactive. The answer has an `activationUrl`, and `activation` lists what would prevent a person from activating it.",
            "You try it: `POST /rules/{id}/trigger` with `simulation: true`. That works on a rule that nobody activated, and with `version` (a number or `latest`) on the version that you have just written. `ruleVersion` and `base` of the answer say what was tried, and from what.",
            "A person opens the address, reads it as a sentence, tries it, sees what it would have done in the last 90 days, and activates it.",
            "It runs by its trigger; or you run it: the same call without `simulation`.",
            "You ask for the run until its status is final, ever less often.",
          ]}
        />
        <GuideCode
          label="A quarter of each payment from $1,000.00 on"
          text={`{
  "name": "Set aside taxes",
  "trigger": { "type": "ON_FUNDS_TRANSFERRED", "accountId": "…", "minimumAmountInCents": 100000 },
  "steps": [{ "conditions": null, "actions": [
    { "type": "PERCENTAGE", "percentage": 25, "of": "INCOMING_AMOUNT", "group": 0,
      "sourceAccountId": "…", "destinationAccountId": "…" } ] }]
}`}
        />
      </Chapter>
      <Chapter title="What it moves">
        <Prose text="The first step whose conditions hold runs. Its actions run group by group; percentages of one group share out one amount to the cent. A `limitId` caps an action, `upTo: true` lets it move less where money is short; without, it fails and the run ends there. Below 100 cents nothing moves." />
        <Facts caption="Actions" head={["Action", "Asks for"]} rows={ACTIONS} />
      </Chapter>
      <Chapter title="What a dry run works from">
        <Facts caption="Bases of a dry run" head={["You give", "It works from"]} rows={BASES} />
      </Chapter>
      <Chapter title="The statuses of a run">
        <Facts caption="Statuses of a run" head={["Status", "Means"]} rows={STATUSES} />
      </Chapter>
      <Chapter title="Good to know">
        <Points
          items={[
            "An edit is a new version. The active one runs until a person activates the new one.",
            "A live run of a rule that is not active, or is paused after a return, answers `RULE_DEACTIVATED`.",
            "A balance that is not known is never taken for zero: the run waits 1, 5, 30 and 120 minutes, and then has failed.",
            "Money that a rule moves may set off another one. The dashboard says so before it is activated or approved.",
            "A rule can have a secret of its own: its page in the dashboard shows how a program starts it with `POST /hooks/rules/{id}`.",
          ]}
        />
      </Chapter>
    </>
  );
}
