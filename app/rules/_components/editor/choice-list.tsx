"use client";

import { type ReactNode, useId } from "react";
import { type EditorSetting, useEditor } from "@/app/rules/_components/editor/editor-context";
import { Part } from "@/app/rules/_components/editor/part";
import { RADIO } from "@/components/ui/choice-class";
import type { AccountKind } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import type { ActionType } from "@/lib/contract/rules/draft";
import type { EditorAccountView } from "@/lib/views/rules/read-rule-editor";
import { accountName } from "@/lib/words/rules/number-words";

interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** On the right, e.g. an account's balance. */
  note?: ReactNode;
  /** The group heading, shown when it differs from the previous choice's. */
  under?: string;
}

interface ChoiceListProps<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChoose: (value: Value) => void;
  /** If the choice is the only input, clicking it closes the control. */
  closes?: boolean;
}

/** One of several: arrow keys choose, a click chooses and closes. */
export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { label, choices, value, onChoose, closes = true } = props;
  const { closePart } = useEditor();
  const name = useId();
  return (
    <fieldset className="min-w-0 max-h-80 my-0 -mx-2 p-0 border-0 overflow-y-auto">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice, index) => (
        <div key={choice.value}>
          {choice.under && choice.under !== choices[index - 1]?.under ? (
            <p className="px-2 pt-2 pb-0.5 text-[13px] text-ink-3">{choice.under}</p>
          ) : null}
          <label className="grid grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-2.5 min-h-8.5 py-1.5 px-2 rounded-md wrap-anywhere cursor-pointer hover:bg-hover max-sm:min-h-11">
            <input
              type="radio"
              className={RADIO}
              name={name}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              onClick={(event) => {
                // Keyboard clicks have a detail of 0: they only choose.
                if (closes && event.detail > 0) closePart();
              }}
            />
            <span>{choice.label}</span>
            {choice.note ? (
              <span className="text-right whitespace-nowrap text-ink-3">{choice.note}</span>
            ) : null}
          </label>
        </div>
      ))}
      {choices.length === 0 ? <p className="text-sm text-ink-3">None available.</p> : null}
    </fieldset>
  );
}

interface AccountPartProps {
  name: string;
  label: string;
  accountId: string | null;
  offers: (account: EditorAccountView) => boolean;
  onChoose: (accountId: string) => void;
}

/** An editable word that is an account. */
export function AccountPart({ name, label, accountId, offers, onChoose }: AccountPartProps) {
  const { names } = useEditor();
  const text = accountId === null ? null : accountName(names, accountId);
  return (
    <Part name={name} text={text} empty="choose an account" label={label}>
      <AccountChoice label={label} accountId={accountId} offers={offers} onChoose={onChoose} />
    </Part>
  );
}

function AccountChoice({ label, accountId, offers, onChoose }: Omit<AccountPartProps, "name">) {
  const setting = useEditor();
  return (
    <ChoiceList
      label={label}
      choices={accountChoices(setting, offers)}
      value={accountId}
      onChoose={onChoose}
    />
  );
}

const UNDER: Record<AccountKind, string> = {
  INCOME_SOURCE: "Income sources",
  POD: "Pods",
  EXTERNAL_ACCOUNT: "Outside Sluice",
  LIABILITY: "Owed",
  EXTERNAL_ENTITY: "Others",
};

/** The open accounts that fit, with their balances. */
export function accountChoices(
  { accounts, facts }: Pick<EditorSetting, "accounts" | "facts">,
  offers: (account: EditorAccountView) => boolean,
) {
  return accounts
    .filter((account) => !account.isClosed && offers(account))
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map(({ id, nameToChoose, kind }) => {
      const balance = facts.accounts[id]?.balanceInCents ?? null;
      return {
        value: id,
        label: nameToChoose,
        note: balance === null ? null : formatCents(balance),
        under: UNDER[kind],
      };
    });
}

const KINDS: readonly AccountKind[] = ["INCOME_SOURCE", "POD", "EXTERNAL_ACCOUNT", "LIABILITY"];

const PAYS_DEBTS: ReadonlySet<ActionType> = new Set([
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
  "SNOWBALL",
  "AVALANCHE",
]);

/** Whether an action of this kind can pay this account. */
export function takes(type: ActionType, { kind }: Pick<EditorAccountView, "kind">): boolean {
  if (PAYS_DEBTS.has(type)) return kind === "LIABILITY";
  // Income sources only receive from outside, and filling up a debt would increase it.
  return kind !== "INCOME_SOURCE" && !(type === "TOP_UP" && kind === "LIABILITY");
}
