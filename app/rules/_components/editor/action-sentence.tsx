"use client";

import { AccountPart, accountChoices, takes } from "@/app/rules/_components/editor/account-choice";
import { AmountPart, LimitPart } from "@/app/rules/_components/editor/amount-part";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import { CHECKBOX } from "@/components/ui/choice-class";
import { InputField } from "@/components/ui/field";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_DESCRIPTION_LENGTH } from "@/lib/contract/limits";
import { type ActionDraft, MAXIMUM_DEBTS } from "@/lib/contract/rules/draft";
import { isStrict } from "@/lib/words/rules/action-words";
import { accountName, numberWords } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";

/** Up to this many are named; more are counted. */
const NAMED = 2;

export interface ActionProps {
  action: ActionDraft;
  number: number;
}

/** An action as a sentence with editable words. */
export function ActionSentence(props: ActionProps) {
  return (
    <>
      <MainWords {...props} />
      <SourcePart {...props} />
      <LimitPart {...props} />
      <ShortfallPart {...props} />
      <LabelPart {...props} />
    </>
  );
}

function MainWords(props: ActionProps) {
  const amount = <AmountPart {...props} />;
  const destination = <DestinationPart {...props} />;
  switch (props.action.type) {
    case "FIXED":
      return (
        <>
          send {amount} to {destination}
        </>
      );
    case "PERCENTAGE":
      return (
        <>
          send {amount} of <BasePart {...props} /> to {destination}
        </>
      );
    case "TOP_UP":
      return (
        <>
          fill {destination} up to {amount}
        </>
      );
    case "ROUND_DOWN":
      return (
        <>
          send {amount} to {destination}
        </>
      );
    case "REMAINDER":
      return (
        <>
          send {amount} above <KeepPart {...props} /> to {destination}
        </>
      );
    case "NEXT_PAYMENT_MINIMUM":
    case "LAST_STATEMENT_BALANCE":
      return (
        <>
          pay {amount} of {destination}
        </>
      );
    case "TOTAL_AMOUNT_DUE":
    case "PERCENTAGE_OF_LIABILITY":
      return (
        <>
          pay {amount} on {destination}
        </>
      );
    case "SNOWBALL":
    case "AVALANCHE":
      return (
        <>
          put {amount} towards <DebtsPart {...props} />
        </>
      );
  }
}

function DestinationPart({ action, number }: ActionProps) {
  const { edit } = useEditor();
  return (
    <AccountPart
      name={`a${action.key}.destination`}
      label={`Destination of action ${number}`}
      accountId={action.destinationAccountIds[0] ?? null}
      offers={(account) => takes(action.type, account) && account.id !== action.sourceAccountId}
      onChoose={(id) =>
        edit({ kind: "SET_ACTION", action: action.key, change: { destinationAccountIds: [id] } })
      }
    />
  );
}

/** Shown if it is not the account that the rule starts from. */
function SourcePart({ action, number }: ActionProps) {
  const { draft, edit, openPart } = useEditor();
  const name = `a${action.key}.source`;
  const isOther = action.sourceAccountId !== draft.trigger.accountId;
  if (!isOther && openPart !== name) return null;
  return (
    <>
      {" "}
      from{" "}
      <AccountPart
        name={name}
        label={`Source of action ${number}`}
        accountId={action.sourceAccountId}
        offers={(account) => account.canBeSource && !action.destinationAccountIds.includes(account.id)}
        onChoose={(sourceAccountId) =>
          edit({ kind: "SET_ACTION", action: action.key, change: { sourceAccountId } })
        }
      />
    </>
  );
}

function BasePart({ action, number }: ActionProps) {
  const { draft, edit, names } = useEditor();
  const arrived = draft.trigger.type === "ON_FUNDS_TRANSFERRED" ? "what arrived" : "the starting amount";
  const source = action.sourceAccountId === null ? "the source" : accountName(names, action.sourceAccountId);
  const words = { INCOMING_AMOUNT: arrived, SOURCE_BALANCE: `what is in ${source}` };
  return (
    <Part name={`a${action.key}.of`} text={words[action.of]} label={`Base of the share of action ${number}`}>
      <ChoiceList
        label="Percentage of"
        value={action.of}
        choices={[
          { value: "INCOMING_AMOUNT", label: words.INCOMING_AMOUNT },
          { value: "SOURCE_BALANCE", label: words.SOURCE_BALANCE },
        ]}
        onChoose={(of) => edit({ kind: "SET_ACTION", action: action.key, change: { of } })}
      />
    </Part>
  );
}

function KeepPart({ action, number }: ActionProps) {
  const { edit } = useEditor();
  const { keepInCents } = action;
  return (
    <Part
      name={`a${action.key}.keep`}
      text={keepInCents === null ? null : formatCents(keepInCents)}
      empty="enter an amount"
      label={`Amount that action ${number} leaves in the account`}
    >
      <AmountField
        label="Keep"
        hint="This amount stays; $0.00 keeps nothing."
        valueInCents={keepInCents}
        onValue={(cents) => edit({ kind: "SET_ACTION", action: action.key, change: { keepInCents: cents } })}
      />
    </Part>
  );
}

/** Filling up and sending the rest always take what is available; for others, it is a choice. */
function ShortfallPart({ action, number }: ActionProps) {
  const { edit, openPart } = useEditor();
  const name = `a${action.key}.upTo`;
  if (!isStrict(action.type) || (!action.upTo && openPart !== name)) return null;
  return (
    <>
      ,{" "}
      <Part
        name={name}
        text={action.upTo ? "or what is available" : "or stop"}
        label={`Action ${number} if there isn’t enough money`}
      >
        <ChoiceList
          label="If there isn’t enough money"
          value={action.upTo ? "LESS" : "STOP"}
          choices={[
            { value: "STOP", label: "Move nothing and stop the run" },
            { value: "LESS", label: "Move what is available" },
          ]}
          onChoose={(chosen) =>
            edit({ kind: "SET_ACTION", action: action.key, change: { upTo: chosen === "LESS" } })
          }
        />
      </Part>
    </>
  );
}

function LabelPart({ action, number }: ActionProps) {
  const { edit, openPart } = useEditor();
  const name = `a${action.key}.label`;
  const text = action.description ?? "";
  if (text === "" && openPart !== name) return null;
  const count = `${text.length} of ${MAXIMUM_DESCRIPTION_LENGTH}`;
  return (
    <>
      , labeled{" "}
      <Part name={name} text={text || null} empty="no label" label={`ACH label of action ${number}`}>
        <InputField
          label="ACH label"
          hint={`${count} letters, digits and spaces. Shown on the bank statement.`}
          autoComplete="off"
          data-first
          maxLength={MAXIMUM_DESCRIPTION_LENGTH}
          value={text}
          onChange={(event) =>
            edit({
              kind: "SET_ACTION",
              action: action.key,
              change: { description: event.target.value || null },
            })
          }
        />
      </Part>
    </>
  );
}

/** The debts that a budget pays. */
function DebtsPart({ action, number }: { action: ActionDraft; number: number }) {
  const setting = useEditor();
  const { destinationAccountIds: chosen } = action;
  const names = chosen.map((id) => accountName(setting.names, id));
  const text = names.length > NAMED ? `${numberWords(names.length)} debts` : joinWords(names);
  const toggle = (id: string, isOn: boolean) => {
    const rest = chosen.filter((other) => other !== id);
    const next = isOn ? [...rest, id].slice(0, MAXIMUM_DEBTS) : rest;
    setting.edit({ kind: "SET_ACTION", action: action.key, change: { destinationAccountIds: next } });
  };
  return (
    <Part
      name={`a${action.key}.destination`}
      text={text || null}
      empty="choose the debts"
      label={`Debts of action ${number}`}
    >
      <fieldset className="min-w-0 max-h-80 my-0 -mx-2 p-0 border-0 overflow-y-auto">
        <legend className="sr-only">Debts of action {number}</legend>
        {accountChoices(setting, ({ kind }) => kind === "LIABILITY").map(({ value, label, note }) => (
          <label
            className="grid grid-cols-[18px_minmax(0,1fr)_auto] items-center gap-2.5 min-h-8.5 py-1.5 px-2 rounded-md wrap-anywhere cursor-pointer hover:bg-hover max-sm:min-h-11"
            key={value}
          >
            <input
              type="checkbox"
              className={CHECKBOX}
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            <span>{label}</span>
            {note ? <span className="text-right whitespace-nowrap text-ink-3">{note}</span> : null}
          </label>
        ))}
      </fieldset>
      {chosen.length >= MAXIMUM_DEBTS ? (
        <p className="text-sm text-ink-3">A budget can pay up to {MAXIMUM_DEBTS} debts.</p>
      ) : null}
    </Part>
  );
}
