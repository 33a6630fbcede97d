"use client";

import { ArrowDown, ArrowUp, Ellipsis, Plus, X } from "lucide-react";
import { Fragment } from "react";
import { ActionSentence } from "@/components/rules/editor/action-sentence";
import { ConditionList } from "@/components/rules/editor/condition-list";
import { useEditor } from "@/components/rules/editor/editor-context";
import { focusSoon, keepFocus, Pop, partElementId } from "@/components/rules/editor/part";
import { Button } from "@/components/ui/button";
import type { ActionDraft, StepDraft } from "@/lib/contract/rules/draft";
import { isStrict } from "@/lib/engine/words/action-words";

interface StepBlockProps {
  step: StepDraft;
  /** Zero-based. */
  index: number;
  count: number;
}

/** One step: conditions, and actions in run order. */
export function StepBlock({ step, index, count }: StepBlockProps) {
  const { edit, problems } = useEditor();
  const number = index + 1;
  const problem = problems.get(`s${step.key}`);
  const groups = [...new Set(step.actions.map(({ group }) => group))];
  return (
    <section className="bl" aria-labelledby={`bl-${step.key}`}>
      <div className="bl-k">
        <h2 id={`bl-${step.key}`}>
          <b>Step {number}</b>
          {openingOf(step, index)}
        </h2>
        {count > 1 ? <StepTools step={step} index={index} count={count} /> : null}
      </div>
      <div>
        <ConditionList step={step} />
        {step.actions.length > 0 ? (
          <ol className="acts">
            {step.actions.map((action, at) => (
              <Fragment key={action.key}>
                {groups.length > 1 && action.group !== step.actions[at - 1]?.group ? (
                  <GroupHead group={groups.indexOf(action.group)} actions={step.actions} of={action.group} />
                ) : null}
                <ActionLine stepKey={step.key} action={action} number={at + 1} />
              </Fragment>
            ))}
          </ol>
        ) : null}
        {problem ? <p className="hint">{problem}</p> : null}
        <p className="add-r" id={partElementId(`s${step.key}`)} tabIndex={-1}>
          <Button
            kind="quiet"
            size="small"
            onClick={() => edit({ kind: "ADD_ACTION", step: step.key, inNewGroup: false })}
          >
            <Plus className="ic" />
            Add action
          </Button>
          {step.actions.length > 0 ? (
            <Button
              kind="quiet"
              size="small"
              onClick={() => edit({ kind: "ADD_ACTION", step: step.key, inNewGroup: true })}
            >
              <Plus className="ic" />
              New group
            </Button>
          ) : null}
        </p>
      </div>
    </section>
  );
}

function openingOf({ conditions }: StepDraft, index: number): string {
  if (index === 0) return conditions ? "if" : "always";
  return conditions ? "otherwise, if" : "otherwise";
}

function GroupHead({ group, actions, of }: { group: number; actions: readonly ActionDraft[]; of: number }) {
  const members = actions.filter((action) => action.group === of);
  const areShares = members.length > 1 && members.every(({ type }) => type === "PERCENTAGE");
  return (
    <li className="grp">
      <b>
        {group === 0 ? "First" : "Then"}, group {group + 1}.
      </b>{" "}
      {areShares ? "Shares of the same amount" : group > 0 ? "From what is left" : ""}
    </li>
  );
}

function StepTools({ step, index, count }: StepBlockProps) {
  const { edit } = useEditor();
  const number = index + 1;
  const move = (way: -1 | 1) => {
    keepFocus();
    edit({ kind: "MOVE_STEP", step: step.key, way });
  };
  return (
    <div className="act-t">
      {index > 0 ? (
        <Button kind="quiet" aria-label={`Move step ${number} up`} onClick={() => move(-1)}>
          <ArrowUp className="ic" />
        </Button>
      ) : null}
      {index < count - 1 ? (
        <Button kind="quiet" aria-label={`Move step ${number} down`} onClick={() => move(1)}>
          <ArrowDown className="ic" />
        </Button>
      ) : null}
      <Button
        kind="quiet"
        aria-label={`Remove step ${number}`}
        onClick={() => {
          focusSoon(partElementId("name"));
          edit({ kind: "REMOVE_STEP", step: step.key });
        }}
      >
        <X className="ic" />
      </Button>
    </div>
  );
}

interface ActionLineProps {
  stepKey: number;
  action: ActionDraft;
  /** Its position in the step, from 1. */
  number: number;
}

/** One action with its controls. */
function ActionLine({ stepKey, action, number }: ActionLineProps) {
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
        // As in text editors, the focus moves with the line.
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

/** Optional parts of an action; each opens as a part of its sentence. */
function MoreMenu({ action, number }: Omit<ActionLineProps, "stepKey">) {
  const { openPart, setOpenPart, closePart } = useEditor();
  const name = `a${action.key}.more`;
  const isOpen = openPart === name;
  const offers = [
    { part: "source", label: "Use another source account" },
    { part: "limit", label: "Add a limit" },
    ...(isStrict(action.type) ? [{ part: "upTo", label: "If there isn’t enough money" }] : []),
    { part: "label", label: "Add an ACH label" },
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
