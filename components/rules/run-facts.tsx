import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { formatClock } from "@/components/time/format-instant";
import { Section } from "@/components/ui/section";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { RunStarterView, RunView } from "@/lib/contract/views/run-view";
import { type AccountFact, type DayFact, factsSeen } from "@/lib/engine/facts-seen";
import { accountName, dateWords, weekday } from "@/lib/engine/words/number-words";

/** Every fact of an account is told where nothing says which of them mattered. */
const ALL_FACTS: AccountFact[] = [
  "BALANCE",
  "AVAILABLE_BALANCE",
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
];

/** What a run's plan rests on: what it looked at first, and everything else that was read behind a disclosure. */
export function RunFacts({ run }: { run: RunView }) {
  const { facts, definition, plan, accounts, time } = run;
  if (facts === null) {
    return (
      <Section id="saw" title="What it saw">
        <p className="meta run-n">
          {run.status === "IN_PROGRESS"
            ? "It has not looked yet."
            : "No facts are stored: it ended before it looked, or ran before facts were kept."}
        </p>
      </Section>
    );
  }
  const seen = definition && plan ? factsSeen(definition, plan) : null;
  const first = seen
    ? seen.accounts
    : Object.keys(facts.accounts).map((accountId) => ({ accountId, facts: ALL_FACTS }));
  const others = Object.keys(facts.accounts).filter((id) => !first.some(({ accountId }) => accountId === id));
  const isDry = run.mode === "SIMULATION";
  return (
    <Section id="saw" title="What it saw" fact={`Facts at ${formatClock(facts.at, time)}`}>
      <dl className="dl dl-l run-dl">
        {seen === null || seen.incomingAmount ? (
          <Row label={incomingLabel(run)}>
            <Incoming cents={facts.incomingAmountInCents} startedBy={run.startedBy} isDry={isDry} />
          </Row>
        ) : null}
        {first.map(({ accountId, facts: which }) => (
          <AccountRow key={accountId} facts={facts} accountId={accountId} names={accounts} which={which} />
        ))}
        {(seen?.days ?? []).map((day) => (
          <Row key={day} label={DAY_LABEL[day]}>
            {dayValue(day, facts.date)}
          </Row>
        ))}
      </dl>
      {others.length > 0 ? (
        <details className="run-more">
          <summary>
            {others.length === 1 ? "One more account was read" : `${others.length} more accounts were read`}
          </summary>
          <dl className="dl dl-l run-dl">
            {others.map((accountId) => (
              <AccountRow
                key={accountId}
                facts={facts}
                accountId={accountId}
                names={accounts}
                which={ALL_FACTS}
              />
            ))}
          </dl>
        </details>
      ) : null}
    </Section>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function incomingLabel({ definition, mode }: RunView): string {
  if (definition?.trigger.type === "ON_FUNDS_TRANSFERRED") {
    return mode === "SIMULATION" ? "Money that would arrive" : "Money that arrived";
  }
  return "Amount to start from";
}

function Incoming({
  cents,
  startedBy,
  isDry,
}: {
  cents: number | null;
  startedBy: RunStarterView;
  isDry: boolean;
}) {
  if (cents === null) return <NotKnown />;
  return (
    <>
      <Amount cents={cents} />
      {isDry ? ", as the dry run says" : null}
      {startedBy.kind === "TRANSFER" && startedBy.fromName ? ` from ${startedBy.fromName}` : null}
    </>
  );
}

interface AccountRowProps {
  facts: RuleFacts;
  accountId: string;
  names: AccountNames;
  which: readonly AccountFact[];
}

function AccountRow({ facts, accountId, names, which }: AccountRowProps) {
  const account = facts.accounts[accountId];
  if (!account) return null;
  const isDebt = account.externalAccountType === "LIABILITY";
  const name = accountName(names, accountId);
  const notes = accountNotes(account, which, facts.isApprovedByPerson);
  return (
    <Row label={isDebt ? `Owed on ${name}` : `${name} held`}>
      {account.balanceInCents === null ? <NotKnown /> : <Amount cents={account.balanceInCents} />}
      {notes.length > 0 ? <span className="meta blk">{notes.join(", ")}</span> : null}
    </Row>
  );
}

/** What it says beside the balance: only where it differs from it, or was looked at. */
function accountNotes(
  account: AccountFacts,
  which: readonly AccountFact[],
  isApprovedByPerson: boolean,
): string[] {
  const notes: string[] = [];
  const { availableInCents, floorInCents, onItsWayInCents } = account;
  if (which.includes("AVAILABLE_BALANCE")) {
    if (availableInCents !== account.balanceInCents)
      notes.push(`${centsOrUnknown(availableInCents)} available`);
    if (floorInCents) {
      const floor = `floor of ${formatCents(floorInCents)}`;
      notes.push(isApprovedByPerson ? `${floor}, which an approval may go below` : floor);
    }
  }
  if (onItsWayInCents > 0) notes.push(`${formatCents(onItsWayInCents)} on its way there`);
  if (which.includes("NEXT_PAYMENT_MINIMUM") && account.externalAccountType === "LIABILITY") {
    notes.push(`next minimum payment ${centsOrUnknown(account.nextPaymentMinimumInCents)}`);
    notes.push(...paidNote(account.paid?.ofMinimumInCents));
  }
  if (which.includes("LAST_STATEMENT_BALANCE") && account.externalAccountType === "LIABILITY") {
    notes.push(`last statement ${centsOrUnknown(account.lastStatementBalanceInCents)}`);
    notes.push(...paidNote(account.paid?.ofStatementInCents));
  }
  if (account.isClosed) notes.push("closed");
  return notes;
}

/** Absent in runs from before payments were counted. */
function paidNote(paidInCents = 0): string[] {
  return paidInCents > 0 ? [`${formatCents(paidInCents)} paid since or on its way`] : [];
}

function centsOrUnknown(cents: number | null): string {
  return cents === null ? "not known" : formatCents(cents);
}

/** Unknown is never zero. */
function NotKnown() {
  return <span className="ink3">Not known</span>;
}

const DAY_LABEL: Record<DayFact, string> = {
  DATE: "Date",
  DAY_OF_MONTH: "Day of the month",
  DAY_OF_WEEK: "Day of the week",
};

function dayValue(day: DayFact, date: string): string {
  switch (day) {
    case "DATE":
      return dateWords(date);
    case "DAY_OF_MONTH":
      return String(Number(date.slice(8, 10)));
    case "DAY_OF_WEEK":
      return weekday(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
  }
}
