import type { ReactNode } from "react";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { formatClock } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { type AccountFact, type DayFact, factsSeen } from "@/lib/engine/facts-seen";
import type { RunView } from "@/lib/views/rules/read-run";
import type { RunStarterView } from "@/lib/views/rules/read-run-starter";
import { accountName, dateWords, weekday } from "@/lib/words/rules/number-words";

/** All facts of an account are shown if it is unknown which ones mattered. */
const ALL_FACTS: AccountFact[] = [
  "BALANCE",
  "AVAILABLE_BALANCE",
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
];

/** The facts behind a run's plan: those it used first, the others behind a disclosure. */
export function RunFacts({ run }: { run: RunView }) {
  const { facts, definition, plan, accounts, time } = run;
  if (facts === null) {
    return (
      <Section id="saw" title="Facts used">
        <p className="text-sm text-ink-3 mt-3">
          {run.status === "IN_PROGRESS"
            ? "Not read yet."
            : "No facts stored: the run ended before reading them, or predates their storage."}
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
    <Section id="saw" title="Facts used" fact={`Facts at ${formatClock(facts.at, time)}`}>
      <DefinitionList columns="wideTerms" align="left" stacksOnPhones className="mt-3.5">
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
      </DefinitionList>
      {others.length > 0 ? (
        <details className="mt-3.5 [&_summary]:w-fit [&_summary]:min-h-6 [&_summary]:font-medium [&_summary]:text-teal [&_summary]:cursor-pointer max-sm:[&_summary]:list-item max-sm:[&_summary]:min-h-11 max-sm:[&_summary]:leading-11">
          <summary>
            {others.length === 1 ? "1 more account was read" : `${others.length} more accounts were read`}
          </summary>
          <DefinitionList columns="wideTerms" align="left" stacksOnPhones className="mt-3.5">
            {others.map((accountId) => (
              <AccountRow
                key={accountId}
                facts={facts}
                accountId={accountId}
                names={accounts}
                which={ALL_FACTS}
              />
            ))}
          </DefinitionList>
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
    return mode === "SIMULATION" ? "Incoming money" : "Deposit";
  }
  return "Starting amount";
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
      {isDry ? ", as set for the dry run" : null}
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
      {notes.length > 0 ? <span className={SUBLINE}>{notes.join(", ")}</span> : null}
    </Row>
  );
}

/** Details beside the balance: only if different or used. */
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
      notes.push(isApprovedByPerson ? `${floor}, which an approval can override` : floor);
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

/** Absent in runs that predate it. */
function paidNote(paidInCents = 0): string[] {
  return paidInCents > 0 ? [`${formatCents(paidInCents)} paid since or on its way`] : [];
}

function centsOrUnknown(cents: number | null): string {
  return cents === null ? "unknown" : formatCents(cents);
}

function NotKnown() {
  return <span className="text-ink-3">Unknown</span>;
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
