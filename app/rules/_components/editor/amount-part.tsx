"use client";

import { useState } from "react";
import { takes } from "@/app/rules/_components/editor/account-choice";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { Part } from "@/components/parts/sentences/part";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import {
  ACTION_TYPES,
  type ActionDraft,
  type ActionType,
  type LimitDraft,
  type RuleDraft,
} from "@/lib/contract/rules/draft";
import { limitWords } from "@/lib/words/rules/action-words";
import { accountName, percentWords } from "@/lib/words/rules/number-words";

const TYPES = {
  FIXED: "A fixed amount",
  PERCENTAGE: "A share",
  TOP_UP: "Fill up to an amount",
  ROUND_DOWN: "Everything above a round amount",
  REMAINDER: "The rest",
  NEXT_PAYMENT_MINIMUM: "The next minimum payment",
  LAST_STATEMENT_BALANCE: "The last statement",
  TOTAL_AMOUNT_DUE: "The full amount owed",
  PERCENTAGE_OF_LIABILITY: "A percentage of the amount owed",
  SNOWBALL: "A budget, smallest debt first",
  AVALANCHE: "A budget, highest rate first",
} as const satisfies Record<ActionType, string>;

/** The label of the kind's amount field. */
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

/** How much an action moves: the kind, and its number. */
export function AmountPart({ action, number }: { action: ActionDraft; number: number }) {
  const { accounts, edit } = useEditor();
  const asks = ASKS[action.type];
  const set = (change: Partial<Omit<ActionDraft, "key" | "group" | "limitId">>) =>
    edit({ kind: "SET_ACTION", action: action.key, change });
  const setType = (type: ActionType) => {
    // Drops a destination that this kind cannot pay: the sentence would look right but never run.
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
      empty={asks?.field === "SHARE" ? "enter a percentage" : "enter an amount"}
      label={`Amount of action ${number}`}
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
        label="Amount"
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

/** Kinds that pay debts are offered only if there is a debt. */
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
      return percentage === null ? null : `${percentWords(percentage)} of the amount owed`;
    case "SNOWBALL":
      return amount && `${amount}, smallest debt first`;
    case "AVALANCHE":
      return amount && `${amount}, highest rate first`;
  }
}

const PERIODS = {
  TRANSFER: "transfer",
  DAY: "day",
  WEEK: "week",
  MONTH: "month",
  YEAR: "year",
} as const satisfies Record<LimitDraft["period"], string>;

/** The most that may move in a period, alone or shared with other actions. */
export function LimitPart({ action, number }: { action: ActionDraft; number: number }) {
  const { draft, edit, openPart, closePart, names, limitsUsed } = useEditor();
  const name = `a${action.key}.limit`;
  const limit = draft.limits.find(({ id }) => id === action.limitId);
  if (!limit && openPart !== name) return null;
  const [destination] = action.destinationAccountIds;
  const called = destination === undefined ? "limit" : accountName(names, destination);
  const set = (change: Partial<Omit<LimitDraft, "id">>) =>
    edit({ kind: "SET_LIMIT", action: action.key, called, change });
  const used = limit && limit.period !== "TRANSFER" ? limitsUsed[limit.period][limit.id] : undefined;
  return (
    <>
      {" "}
      with{" "}
      <Part
        name={name}
        text={limitText(limit)}
        empty="no limit"
        label={`Limit of action ${number}`}
        foot={
          <Button
            kind="quiet"
            size="small"
            onClick={() => {
              edit({ kind: "USE_LIMIT", action: action.key, limitId: null });
              closePart();
            }}
          >
            No limit
          </Button>
        }
      >
        <div className="grid grid-cols-2 items-start gap-2">
          <AmountField
            label="At most"
            valueInCents={limit?.amountInCents ?? null}
            onValue={(amountInCents) => set({ amountInCents })}
          />
          <SelectField
            label="Per"
            value={limit?.period ?? "MONTH"}
            options={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
            onChange={(event) => {
              if (isPeriod(event.target.value)) set({ period: event.target.value });
            }}
          />
        </div>
        <SharedLimit action={action} />
        {used === undefined ? null : (
          <p className="text-sm text-ink-3">
            {formatCents(used)} used this {limit ? PERIODS[limit.period] : "period"}, counted over every
            version.
          </p>
        )}
      </Part>
    </>
  );
}

function isPeriod(value: string): value is LimitDraft["period"] {
  return value in PERIODS;
}

function limitText(limit: LimitDraft | undefined): string | null {
  if (!limit || limit.amountInCents === null) return null;
  return `at most ${limitWords({ ...limit, amountInCents: limit.amountInCents })}`;
}

/** Whether the limit is shared with other actions. */
function SharedLimit({ action }: { action: ActionDraft }) {
  const { draft, edit } = useEditor();
  const others = draft.limits.filter(({ id }) => id !== action.limitId && isUsed(draft, id));
  const sharers = draft.steps
    .flatMap(({ actions }) => actions)
    .filter(({ limitId, key }) => limitId !== null && limitId === action.limitId && key !== action.key);
  if (sharers.length > 0) {
    const words = sharers.length === 1 ? "another action" : `${sharers.length} other actions`;
    return <p className="text-sm text-ink-3">Shared with {words}: their amounts count together.</p>;
  }
  if (others.length === 0) return null;
  return (
    <SelectField
      label="Share with another action"
      value=""
      options={[
        { value: "", label: "Its own limit" },
        ...others.map((limit) => ({
          value: limit.id,
          label: `${limit.id}: ${limitText(limit) ?? "no amount yet"}`,
        })),
      ]}
      onChange={(event) => {
        if (event.target.value !== "") {
          edit({ kind: "USE_LIMIT", action: action.key, limitId: event.target.value });
        }
      }}
    />
  );
}

function isUsed({ steps }: RuleDraft, limitId: string): boolean {
  return steps.some(({ actions }) => actions.some((action) => action.limitId === limitId));
}

interface ShareFieldProps {
  label: string;
  value: number | null;
  onValue: (percentage: number | null) => void;
}

const SHARE = /^(\d{1,3}(?:\.\d{1,4})?)\s*%?$/;

/** A percentage with up to four decimals. */
function ShareField({ label, value, onValue }: ShareFieldProps) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const isWrong = text.trim() !== "" && !SHARE.test(text.trim());
  return (
    <InputField
      label={label}
      error={isWrong ? "Enter a percentage like 27 or 33.3333." : null}
      inputMode="decimal"
      autoComplete="off"
      data-first
      maxLength={10}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const share = SHARE.exec(event.target.value.trim())?.[1];
        onValue(share === undefined ? null : Number(share));
      }}
    />
  );
}
