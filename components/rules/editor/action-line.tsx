"use client";

import { ArrowDown, ArrowUp, Ellipsis, X } from "lucide-react";
import { ActionSentence } from "@/components/rules/editor/action-sentence";
import { useEditor } from "@/components/rules/editor/editor-context";
import { focusSoon, keepFocus } from "@/components/rules/editor/keep-focus";
import { Pop, partElementId } from "@/components/rules/editor/part";
import { Button } from "@/components/ui/button";
import type { ActionDraft } from "@/lib/contract/rules/draft";
import { isStrict } from "@/lib/engine/words/action-words";

interface ActionLineProps {
  stepKey: number;
  action: ActionDraft;
  /** Its place in the step, from 1. */
  number: number;
}

/** One action in its place, with what can be done with it. */
export function ActionLine({ stepKey, action, number }: ActionLineProps) {
  const { edit } = useEditor();
  const move = (way: -1 | 1) => {
    keepFocus();
    edit({ kind: "MOVE_ACTION", action: action.key, way });
  };
  const remove = () => {
    focusSoon(partElementId(`s${stepKey}`));
    edit({ kind: "REMOVE_ACTION", action: action.key });
  };
  return (
    <li
      onKeyDown={(event) => {
        // As in editors of text: the line moves, the focus stays on it.
        const isInControl = event.target instanceof Element && event.target.closest(".pop") !== null;
        if (isInControl || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        move(event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <span className="n">{number}</span>
      <div className="say">
        <ActionSentence action={action} number={number} />
      </div>
      <div className="act-t">
        <Button kind="quiet" aria-label={`Move action ${number} up`} onClick={() => move(-1)}>
          <ArrowUp className="ic" />
        </Button>
        <Button kind="quiet" aria-label={`Move action ${number} down`} onClick={() => move(1)}>
          <ArrowDown className="ic" />
        </Button>
        <MoreMenu action={action} number={number} />
        <Button kind="quiet" aria-label={`Remove action ${number}`} onClick={remove}>
          <X className="ic" />
        </Button>
      </div>
    </li>
  );
}

/** What an action can have besides; each opens as a part of its sentence. */
function MoreMenu({ action, number }: Omit<ActionLineProps, "stepKey">) {
  const { openPart, setOpenPart, closePart } = useEditor();
  const name = `a${action.key}.more`;
  const isOpen = openPart === name;
  const offers = [
    { part: "source", label: "Take it from another account" },
    { part: "limit", label: "Limit how much may move" },
    ...(isStrict(action.type) ? [{ part: "upTo", label: "If there is too little" }] : []),
    { part: "label", label: "Give it an ACH label" },
  ];
  return (
    <div className="part-w">
      <button
        type="button"
        id={partElementId(name)}
        className="btn btn-q"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={`More of action ${number}`}
        onClick={() => setOpenPart(isOpen ? null : name)}
      >
        <Ellipsis className="ic" />
      </button>
      {isOpen ? (
        <Pop label={`More of action ${number}`} onClose={closePart} onLeave={() => setOpenPart(null)}>
          <div className="pop-m">
            {offers.map(({ part, label }) => (
              <Button key={part} kind="quiet" onClick={() => setOpenPart(`a${action.key}.${part}`)}>
                {label}
              </Button>
            ))}
          </div>
        </Pop>
      ) : null}
    </div>
  );
}
