"use client";

import { AmountField, AmountPart, LimitPart } from "@/components/rules/editor/amount-part";
import { AccountPart, accountChoices, ChoiceList, takes } from "@/components/rules/editor/choice-list";

import { useEditor } from "@/components/rules/editor/editor-context";

import { Part } from "@/components/rules/editor/part";

import { InputField } from "@/components/ui/field";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_DESCRIPTION_LENGTH } from "@/lib/contract/limits";
import { type ActionDraft, MAXIMUM_DEBTS } from "@/lib/contract/rules/draft";
import { isStrict } from "@/lib/engine/words/action-words";
import { accountName, numberWords } from "@/lib/engine/words/number-words";

import { joinWords } from "@/lib/engine/words/phrases";

/** Names up to this many; more are counted. */
const NAMED = 2;

export interface ActionProps {
  action: ActionDraft;
  number: number;
}

/** What an action does, as a sentence whose words can be changed. */
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
      label={`Where action ${number} sends it`}
      accountId={action.destinationAccountIds[0] ?? null}
      offers={(account) => takes(action.type, account) && account.id !== action.sourceAccountId}
      onChoose={(id) =>
        edit({ kind: "SET_ACTION", action: action.key, change: { destinationAccountIds: [id] } })
      }
    />
  );
}

/** Named where it is not the account that the rule starts from. */
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
        label={`Where action ${number} takes it from`}
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
  const arrived =
    draft.trigger.type === "ON_FUNDS_TRANSFERRED" ? "what arrived" : "the amount that it starts from";
  const source = action.sourceAccountId === null ? "the source" : accountName(names, action.sourceAccountId);
  const words = { INCOMING_AMOUNT: arrived, SOURCE_BALANCE: `what is in ${source}` };
  return (
    <Part
      name={`a${action.key}.of`}
      text={words[action.of]}
      label={`What the share of action ${number} is of`}
    >
      <ChoiceList
        label="What the share is of"
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
      empty="write an amount"
      label={`What action ${number} leaves in the account`}
    >
      <AmountField
        label="Keep"
        hint="This much stays; $0.00 keeps nothing."
        valueInCents={keepInCents}
        onValue={(cents) => edit({ kind: "SET_ACTION", action: action.key, change: { keepInCents: cents } })}
      />
    </Part>
  );
}

/** Filling up and sending the rest always take what is there; for the others it is a choice. */
function ShortfallPart({ action, number }: ActionProps) {
  const { edit, openPart } = useEditor();
  const name = `a${action.key}.upTo`;
  if (!isStrict(action.type) || (!action.upTo && openPart !== name)) return null;
  return (
    <>
      ,{" "}
      <Part
        name={name}
        text={action.upTo ? "or what is there" : "or stop"}
        label={`What action ${number} does where there is too little`}
      >
        <ChoiceList
          label="If there is too little"
          value={action.upTo ? "LESS" : "STOP"}
          choices={[
            { value: "STOP", label: "Move nothing and stop the run there" },
            { value: "LESS", label: "Move what is there" },
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
      , labelled{" "}
      <Part name={name} text={text || null} empty="no label" label={`The ACH label of action ${number}`}>
        <InputField
          label="ACH label"
          hint={`${count} letters, digits and spaces. The bank statement shows it.`}
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

/** The debts that a budget goes to. */
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
      label={`The debts of action ${number}`}
    >
      <fieldset className="choices">
        <legend className="vh">The debts of action {number}</legend>
        {accountChoices(setting, ({ kind }) => kind === "LIABILITY").map(({ value, label, note }) => (
          <label className="choice" key={value}>
            <input
              type="checkbox"
              className="box"
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.target.checked)}
            />
            <span>{label}</span>
            {note ? <span className="num dim">{note}</span> : null}
          </label>
        ))}
      </fieldset>
      {chosen.length >= MAXIMUM_DEBTS ? (
        <p className="hint">One budget goes to at most {MAXIMUM_DEBTS} debts.</p>
      ) : null}
    </Part>
  );
}
