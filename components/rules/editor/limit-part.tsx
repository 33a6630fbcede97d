"use client";

import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { AmountField } from "@/components/rules/editor/value-fields";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import type { ActionDraft, LimitDraft, RuleDraft } from "@/lib/contract/rules/draft";
import { accountName } from "@/lib/engine/words/account-name";
import { limitWords } from "@/lib/engine/words/limit-words";

const PERIODS = {
  TRANSFER: "transfer",
  DAY: "day",
  WEEK: "week",
  MONTH: "month",
  YEAR: "year",
} as const satisfies Record<LimitDraft["period"], string>;

/** The most that may move in a period, on its own or together with other actions. */
export function LimitPart({ action, number }: { action: ActionDraft; number: number }) {
  const { draft, edit, openPart, closePart, names, facts } = useEditor();
  const name = `a${action.key}.limit`;
  const limit = draft.limits.find(({ id }) => id === action.limitId);
  if (!limit && openPart !== name) return null;
  const [destination] = action.destinationAccountIds;
  const called = destination === undefined ? "limit" : accountName(names, destination);
  const set = (change: Partial<Omit<LimitDraft, "id">>) =>
    edit({ kind: "SET_LIMIT", action: action.key, called, change });
  const used = limit && limit.period !== "TRANSFER" ? facts.limitsUsedInCents[limit.id] : undefined;
  return (
    <>
      {" "}
      with{" "}
      <Part
        name={name}
        text={limitText(limit)}
        empty="no limit"
        label={`The limit of action ${number}`}
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
        <div className="row">
          <AmountField
            label="At most"
            valueInCents={limit?.amountInCents ?? null}
            onValue={(amountInCents) => set({ amountInCents })}
          />
          <SelectField
            label="In each"
            value={limit?.period ?? "MONTH"}
            options={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
            onChange={(event) => {
              if (isPeriod(event.target.value)) set({ period: event.target.value });
            }}
          />
        </div>
        <SharedLimit action={action} />
        {used === undefined ? null : (
          <p className="hint">
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

/** Whether it counts together with other actions. */
function SharedLimit({ action }: { action: ActionDraft }) {
  const { draft, edit } = useEditor();
  const others = draft.limits.filter(({ id }) => id !== action.limitId && isUsed(draft, id));
  const sharers = draft.steps
    .flatMap(({ actions }) => actions)
    .filter(({ limitId, key }) => limitId !== null && limitId === action.limitId && key !== action.key);
  if (sharers.length > 0) {
    const words = sharers.length === 1 ? "another action" : `${sharers.length} other actions`;
    return <p className="hint">Shared with {words}: what they move counts together.</p>;
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
