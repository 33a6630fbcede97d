"use client";

import { type EditorSetting, useEditor } from "@/app/rules/_components/editor/editor-context";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import type { AccountKind } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import type { ActionType } from "@/lib/contract/rules/draft";
import type { EditorAccountView } from "@/lib/views/rules/read-rule-editor";
import { accountName } from "@/lib/words/rules/number-words";

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
