"use client";

import { ChoiceList } from "@/components/rules/editor/choice-list";
import { type EditorSetting, useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountKind } from "@/lib/contract/views/account-ref-view";
import type { EditorAccountView } from "@/lib/contract/views/rule-editor-view";
import { accountName } from "@/lib/engine/words/account-name";

interface AccountPartProps {
  name: string;
  label: string;
  accountId: string | null;
  offers: (account: EditorAccountView) => boolean;
  onChoose: (accountId: string) => void;
}

/** A word that is an account. */
export function AccountPart({ name, label, accountId, offers, onChoose }: AccountPartProps) {
  const { names } = useEditor();
  const text = accountId === null ? null : accountName(names, accountId);
  return (
    <Part name={name} text={text} empty="choose an account" label={label}>
      <AccountChoice label={label} accountId={accountId} offers={offers} onChoose={onChoose} />
    </Part>
  );
}

export function AccountChoice({ label, accountId, offers, onChoose }: Omit<AccountPartProps, "name">) {
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

/** The open accounts that fit, with what each has. */
export function accountChoices(
  { accounts, facts }: Pick<EditorSetting, "accounts" | "facts">,
  offers: (account: EditorAccountView) => boolean,
) {
  return accounts
    .filter((account) => !account.isClosed && offers(account))
    .toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))
    .map(({ id, name, kind }) => {
      const balance = facts.accounts[id]?.balanceInCents ?? null;
      return {
        value: id,
        label: name,
        note: balance === null ? null : formatCents(balance),
        under: UNDER[kind],
      };
    });
}

const KINDS: readonly AccountKind[] = ["INCOME_SOURCE", "POD", "EXTERNAL_ACCOUNT", "LIABILITY"];
