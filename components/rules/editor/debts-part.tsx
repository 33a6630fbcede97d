"use client";

import { accountChoices } from "@/components/rules/editor/account-part";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Part } from "@/components/rules/editor/part";
import { type ActionDraft, MAXIMUM_DEBTS } from "@/lib/contract/rules/draft";
import { accountName } from "@/lib/engine/words/account-name";
import { numberWords } from "@/lib/engine/words/number-words";
import { joinWords } from "@/lib/engine/words/phrases";

/** Names up to this many; more are counted. */
const NAMED = 2;

/** The debts that a budget goes to. */
export function DebtsPart({ action, number }: { action: ActionDraft; number: number }) {
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
