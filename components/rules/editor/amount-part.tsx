"use client";

import { takes } from "@/components/rules/editor/account-fits";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { AmountField, ShareField } from "@/components/rules/editor/value-fields";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import { ACTION_TYPES, type ActionDraft, type ActionType } from "@/lib/contract/rules/draft";
import { percentWords } from "@/lib/engine/words/number-words";

const TYPES = {
  FIXED: "A fixed amount",
  PERCENTAGE: "A share",
  TOP_UP: "As much as fills it up",
  ROUND_DOWN: "What is above a round number",
  REMAINDER: "The rest",
  NEXT_PAYMENT_MINIMUM: "The next minimum payment",
  LAST_STATEMENT_BALANCE: "The last statement",
  TOTAL_AMOUNT_DUE: "Everything that is owed",
  PERCENTAGE_OF_LIABILITY: "A share of what is owed",
  SNOWBALL: "A budget, smallest debt first",
  AVALANCHE: "A budget, highest rate first",
} as const satisfies Record<ActionType, string>;

/** What the control asks for besides the kind. */
const ASKS = {
  FIXED: { field: "AMOUNT", label: "Amount" },
  PERCENTAGE: { field: "SHARE", label: "Percent" },
  TOP_UP: { field: "AMOUNT", label: "Fill up to" },
  ROUND_DOWN: { field: "AMOUNT", label: "Leave a multiple of" },
  REMAINDER: null,
  NEXT_PAYMENT_MINIMUM: null,
  LAST_STATEMENT_BALANCE: null,
  TOTAL_AMOUNT_DUE: null,
  PERCENTAGE_OF_LIABILITY: { field: "SHARE", label: "Percent" },
  SNOWBALL: { field: "AMOUNT", label: "Budget" },
  AVALANCHE: { field: "AMOUNT", label: "Budget" },
} as const satisfies Record<ActionType, { field: "AMOUNT" | "SHARE"; label: string } | null>;

/** How much an action moves: its kind, and the number that it needs. */
export function AmountPart({ action, number }: { action: ActionDraft; number: number }) {
  const { accounts, edit } = useEditor();
  const asks = ASKS[action.type];
  const set = (change: Partial<Omit<ActionDraft, "key" | "group" | "limitId">>) =>
    edit({ kind: "SET_ACTION", action: action.key, change });
  const setType = (type: ActionType) => {
    // An account that this kind cannot pay is not kept: the sentence would read well and never run.
    const kept = action.destinationAccountIds.filter((id) => {
      const account = accounts.find((candidate) => candidate.id === id);
      return account !== undefined && takes(type, account);
    });
    set({ type, destinationAccountIds: kept });
  };
  return (
    <Part
      name={`a${action.key}.amount`}
      text={amountText(action)}
      empty={asks?.field === "SHARE" ? "write a share" : "write an amount"}
      label={`What action ${number} moves`}
    >
      {asks?.field === "AMOUNT" ? (
        <AmountField
          key={action.type}
          label={asks.label}
          valueInCents={action.amountInCents}
          onValue={(amountInCents) => set({ amountInCents })}
        />
      ) : null}
      {asks?.field === "SHARE" ? (
        <ShareField
          key={action.type}
          label={asks.label}
          value={action.percentage}
          onValue={(percentage) => set({ percentage })}
        />
      ) : null}
      <SelectField
        label="What moves"
        value={action.type}
        options={offered(accounts, action.type).map((type) => ({ value: type, label: TYPES[type] }))}
        onChange={(event) => {
          const type = ACTION_TYPES.find((candidate) => candidate === event.target.value);
          if (type) setType(type);
        }}
      />
    </Part>
  );
}

/** What pays debts is offered where there is a debt. */
function offered(accounts: readonly Parameters<typeof takes>[1][], current: ActionType): ActionType[] {
  return ACTION_TYPES.filter((type) => type === current || accounts.some((account) => takes(type, account)));
}

function amountText(action: ActionDraft): string | null {
  const { amountInCents: cents, percentage } = action;
  const amount = cents === null ? null : formatCents(cents);
  switch (action.type) {
    case "FIXED":
    case "TOP_UP":
      return amount;
    case "PERCENTAGE":
      return percentage === null ? null : percentWords(percentage);
    case "ROUND_DOWN":
      return amount && `what is above a multiple of ${amount}`;
    case "REMAINDER":
      return "the rest";
    case "NEXT_PAYMENT_MINIMUM":
      return "the next minimum payment";
    case "LAST_STATEMENT_BALANCE":
      return "the last statement";
    case "TOTAL_AMOUNT_DUE":
      return "everything that is owed";
    case "PERCENTAGE_OF_LIABILITY":
      return percentage === null ? null : `${percentWords(percentage)} of what is owed`;
    case "SNOWBALL":
      return amount && `${amount}, smallest debt first`;
    case "AVALANCHE":
      return amount && `${amount}, highest rate first`;
  }
}
