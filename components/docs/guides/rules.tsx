import { Chapter, Facts, type Guide, GuideCode, Points } from "@/components/docs/guide";
import { Prose } from "@/components/docs/prose";

export const rules: Guide = {
  slug: "rules",
  title: "Rules",
  chapter: "Start",
  heading: "Write a rule, and let a person activate it",
  lede: "A rule has a trigger, conditions and actions. A program can write and try it; only a version that an owner or co-owner activated in the dashboard runs live.",
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
    "Is added to the base. For a rule that acts on arrivals, it is also the incoming amount: alone, it shows what happens if this much arrives now.",
  ],
  [
    "executeAmount",
    "That amount, as balance and as incoming amount, in place of the real balance: for what-if questions.",
  ],
  ["simulatedSourceBalance", "That amount as balance; takes precedence over `executeAmount`."],
] as const;

const STATUSES = [
  ["IN_PROGRESS", "Running, waiting for `nextAttemptAt`, or the bank has some of its transfers."],
  ["EXECUTED", "All its transfers completed, or none was needed (`conditionsNotMet`, or all too small)."],
  ["PARTIAL", "Some completed, some did not: `errorMessage` says why."],
  ["FAILED", "It stopped early, or none completed. Check `transfersCompleted` anyway."],
  ["APPROVAL_PENDING", "Waits at `approvalUrl`."],
  ["APPROVAL_DENIED", "Denied, or nobody decided within 24 hours."],
] as const;

function Content() {
  return (
    <>
      <Chapter title="How it works">
        <Points
          isOrdered
          items={[
            "You write it: `POST /rules`. A new rule is always inactive. The answer has an `activationUrl`, and `activation` lists what prevents activation.",
            "You try it: `POST /rules/{id}/trigger` with `simulation: true`. That works before activation, and with `version` (a number or `latest`) on the version that you just wrote. `ruleVersion` and `base` in the answer say what was tried, and on which base.",
            "A person opens the link, reads the rule as a sentence, tries it, sees what it would have done in the last 90 days, and activates it.",
            "It runs by its trigger, or you run it with the same call without `simulation`.",
            "Poll the run until its status is final, with growing intervals.",
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
        <Prose text="The first step whose conditions are met runs. Its actions run group by group; the percentages of a group divide one amount to the cent. A `limitId` caps an action; `upTo: true` lets it move less if money is short, otherwise it fails and the run ends. Amounts below 100 cents do not move." />
        <Facts caption="Actions" head={["Action", "Asks for"]} rows={ACTIONS} />
      </Chapter>
      <Chapter title="What a dry run is based on">
        <Facts caption="Bases of a dry run" head={["You give", "It is based on"]} rows={BASES} />
      </Chapter>
      <Chapter title="The statuses of a run">
        <Facts caption="Statuses of a run" head={["Status", "Means"]} rows={STATUSES} />
      </Chapter>
      <Chapter title="Good to know">
        <Points
          items={[
            "An edit is a new version. The active one runs until a person activates the new one.",
            "A live run of a rule that is not active, or is paused after a return, answers `RULE_DEACTIVATED`.",
            "An unknown balance is never treated as zero: the run waits 1, 5, 30 and 120 minutes, then fails.",
            "Money that a rule moves may trigger another rule. The dashboard says so before activation or approval.",
            "A rule can have its own secret: its page in the dashboard shows how a program starts it with `POST /hooks/rules/{id}`.",
          ]}
        />
      </Chapter>
    </>
  );
}
