"use client";

import { accountChoices } from "@/app/rules/_components/editor/account-choice";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import { ACCOUNT_FACTS, type ComparisonDraft, RUN_FACTS, type RuleDraft } from "@/lib/contract/rules/draft";
import { isAccountFact } from "@/lib/contract/rules/draft-to-definition";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { accountName, dateWords, ordinal, weekday } from "@/lib/words/rules/number-words";

type Fact = ComparisonDraft["fact"];

/** A fact, the operator, and the value. */
export function ComparisonParts({ comparison }: { comparison: ComparisonDraft }) {
  return (
    <>
      <FactPart comparison={comparison} /> is <OperatorPart comparison={comparison} />{" "}
      <ValuePart comparison={comparison} />
    </>
  );
}

const isDay = (fact: Fact) => fact === "DAY_OF_MONTH" || fact === "DAY_OF_WEEK" || fact === "DATE";

function useComparison({ key }: ComparisonDraft) {
  const { edit } = useEditor();
  return (change: Partial<Omit<ComparisonDraft, "key" | "kind">>) =>
    edit({ kind: "SET_COMPARISON", comparison: key, change });
}

/** A fact's name without its account. */
function factName(fact: Fact, { trigger }: Pick<RuleDraft, "trigger">): string {
  switch (fact) {
    case "INCOMING_AMOUNT":
      return trigger.type === "ON_FUNDS_TRANSFERRED" ? "the deposit amount" : "the starting amount";
    case "BALANCE":
      return "the balance";
    case "AVAILABLE_BALANCE":
      return "the available balance";
    case "NEXT_PAYMENT_MINIMUM":
      return "the next minimum payment";
    case "LAST_STATEMENT_BALANCE":
      return "the last statement";
    case "DAY_OF_MONTH":
      return "the day of the month";
    case "DAY_OF_WEEK":
      return "the day of the week";
    case "DATE":
      return "the date";
  }
}

interface Reported {
  draft: RuleDraft;
  names: AccountNames;
}

function factText(fact: Fact, accountId: string | null, { draft, names }: Reported): string | null {
  if (!isAccountFact(fact)) return factName(fact, draft);
  return accountId === null ? null : `${factName(fact, draft)} of ${accountName(names, accountId)}`;
}

function FactPart({ comparison }: { comparison: ComparisonDraft }) {
  const setting = useEditor();
  const set = useComparison(comparison);
  const { fact, accountId } = comparison;
  return (
    <Part
      name={`c${comparison.key}.fact`}
      text={factText(fact, accountId, setting)}
      empty="choose an account"
      label="Fact"
    >
      <FactFields
        facts={[...RUN_FACTS, "DATE", ...ACCOUNT_FACTS]}
        fact={fact}
        accountId={accountId}
        onFact={(chosen) => set({ fact: chosen })}
        onAccount={(chosen) => set({ accountId: chosen })}
      />
    </Part>
  );
}

interface FactFieldsProps<Among extends Fact> {
  facts: readonly Among[];
  fact: Among;
  accountId: string | null;
  onFact: (fact: Among) => void;
  onAccount: (accountId: string | null) => void;
}

function FactFields<Among extends Fact>({
  facts,
  fact,
  accountId,
  onFact,
  onAccount,
}: FactFieldsProps<Among>) {
  const setting = useEditor();
  const isOfDebts = fact === "NEXT_PAYMENT_MINIMUM" || fact === "LAST_STATEMENT_BALANCE";
  const accounts = accountChoices(setting, ({ kind }) => !isOfDebts || kind === "LIABILITY");
  return (
    <>
      <SelectField
        label="What"
        data-first
        value={fact}
        options={facts.map((value) => ({ value, label: factName(value, setting.draft) }))}
        onChange={(event) => {
          const chosen = facts.find((value) => value === event.target.value);
          if (chosen) onFact(chosen);
        }}
      />
      {isAccountFact(fact) ? (
        <SelectField
          label="Of"
          value={accountId ?? ""}
          options={[
            { value: "", label: "Choose an account" },
            ...accounts.map(({ value, label }) => ({ value, label })),
          ]}
          onChange={(event) => onAccount(event.target.value || null)}
        />
      ) : null}
    </>
  );
}

const OF_AMOUNTS = {
  GREATER_THAN_OR_EQUAL: "at least",
  GREATER_THAN: "more than",
  EQUAL: "exactly",
  NOT_EQUAL: "not",
  LESS_THAN: "less than",
  LESS_THAN_OR_EQUAL: "at most",
} as const satisfies Record<ComparisonDraft["operator"], string>;
const OF_DAYS = {
  EQUAL: "exactly",
  NOT_EQUAL: "not",
  LESS_THAN: "before",
  LESS_THAN_OR_EQUAL: "up to",
  GREATER_THAN_OR_EQUAL: "from",
  GREATER_THAN: "after",
} as const satisfies Record<ComparisonDraft["operator"], string>;
const OPERATORS = [
  "GREATER_THAN_OR_EQUAL",
  "GREATER_THAN",
  "EQUAL",
  "NOT_EQUAL",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL",
] as const;

function OperatorPart({ comparison }: { comparison: ComparisonDraft }) {
  const set = useComparison(comparison);
  const words = isDay(comparison.fact) ? OF_DAYS : OF_AMOUNTS;
  return (
    <Part name={`c${comparison.key}.operator`} text={words[comparison.operator]} label="Comparison">
      <ChoiceList
        label="Comparison"
        value={comparison.operator}
        choices={OPERATORS.map((value) => ({ value, label: words[value] }))}
        onChoose={(operator) => set({ operator })}
      />
    </Part>
  );
}

function valueText(comparison: ComparisonDraft, setting: Reported): string | null {
  const { fact, against, value, date } = comparison;
  if (fact === "DATE") return date && /^\d{4}-\d{2}-\d{2}$/.test(date) ? dateWords(date) : null;
  if (against === "FACT") return factText(comparison.otherFact, comparison.otherAccountId, setting);
  if (value === null) return null;
  if (fact === "DAY_OF_MONTH") return `the ${ordinal(value)}`;
  return fact === "DAY_OF_WEEK" ? weekday(value) : formatCents(value);
}

function ValuePart({ comparison }: { comparison: ComparisonDraft }) {
  const setting = useEditor();
  const set = useComparison(comparison);
  const { fact, against } = comparison;
  return (
    <Part
      name={`c${comparison.key}.value`}
      text={valueText(comparison, setting)}
      empty={isDay(fact) ? "choose a day" : "enter an amount"}
      label="Compare with"
    >
      {fact === "DATE" ? (
        <InputField
          label="Date"
          type="date"
          data-first
          value={comparison.date ?? ""}
          onChange={(event) => set({ date: event.target.value || null })}
        />
      ) : (
        <>
          <SelectField
            label="Compare with"
            value={against}
            options={[
              { value: "VALUE", label: isDay(fact) ? "A day" : "An amount" },
              { value: "FACT", label: isDay(fact) ? "Another value" : "Another balance" },
            ]}
            onChange={(event) => set({ against: event.target.value === "FACT" ? "FACT" : "VALUE" })}
          />
          {against === "FACT" ? (
            <FactFields
              facts={[...RUN_FACTS, ...ACCOUNT_FACTS]}
              fact={comparison.otherFact}
              accountId={comparison.otherAccountId}
              onFact={(otherFact) => set({ otherFact })}
              onAccount={(otherAccountId) => set({ otherAccountId })}
            />
          ) : (
            <ValueField comparison={comparison} />
          )}
        </>
      )}
    </Part>
  );
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: weekday(day) }));
const DAYS = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: `The ${ordinal(index + 1)}`,
}));

function ValueField({ comparison }: { comparison: ComparisonDraft }) {
  const set = useComparison(comparison);
  const { fact, value } = comparison;
  if (!isDay(fact)) {
    return <AmountField label="Amount" valueInCents={value} onValue={(cents) => set({ value: cents })} />;
  }
  return (
    <SelectField
      label="Day"
      data-first
      value={value === null ? "" : String(value)}
      options={[{ value: "", label: "Choose a day" }, ...(fact === "DAY_OF_WEEK" ? WEEKDAYS : DAYS)]}
      onChange={(event) => set({ value: event.target.value === "" ? null : Number(event.target.value) })}
    />
  );
}
