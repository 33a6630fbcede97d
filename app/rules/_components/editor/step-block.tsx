"use client";

import { ArrowDown, ArrowUp, Ellipsis, Plus, X } from "lucide-react";
import { Fragment } from "react";
import { ActionSentence } from "@/app/rules/_components/editor/action-sentence";
import { ConditionList } from "@/app/rules/_components/editor/condition-list";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import {
  ADD_LINE,
  EDITED_SENTENCE,
  EDITOR_BLOCK,
  EDITOR_BLOCK_HEAD,
} from "@/components/parts/rules/sentence-class";
import { focusSoon, keepFocus, Pop, partElementId } from "@/components/parts/sentences/part";
import { Button, buttonClass } from "@/components/ui/button";
import { LiveButton } from "@/components/ui/live-button";
import type { ActionDraft, StepDraft } from "@/lib/contract/rules/draft";
import { isStrict } from "@/lib/words/rules/action-words";

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
    <section className={EDITOR_BLOCK} aria-labelledby={`bl-${step.key}`}>
      <div className={EDITOR_BLOCK_HEAD}>
        <h2 id={`bl-${step.key}`}>
          <b>Step {number}</b>
          {openingOf(step, index)}
        </h2>
        {count > 1 ? <StepTools step={step} index={index} count={count} /> : null}
      </div>
      <div>
        <ConditionList step={step} />
        {step.actions.length > 0 ? (
          <ol className="mt-2.5 [&>li]:border-t [&>li]:border-rule [&>li:last-child]:border-b [&>li:last-child]:border-rule">
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
        {problem ? <p className="text-sm text-ink-3">{problem}</p> : null}
        <p className={ADD_LINE} id={partElementId(`s${step.key}`)} tabIndex={-1}>
          <Button
            kind="quiet"
            size="small"
            onClick={() => edit({ kind: "ADD_ACTION", step: step.key, inNewGroup: false })}
          >
            <Plus />
            Add action
          </Button>
          {step.actions.length > 0 ? (
            <Button
              kind="quiet"
              size="small"
              onClick={() => edit({ kind: "ADD_ACTION", step: step.key, inNewGroup: true })}
            >
              <Plus />
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

/** `First: each a share of what arrived`. */
function GroupHead({ group, actions, of }: { group: number; actions: readonly ActionDraft[]; of: number }) {
  const members = actions.filter((action) => action.group === of);
  const shares = members.filter(({ type }) => type === "PERCENTAGE");
  const areShares = members.length > 1 && shares.length === members.length;
  const ofArrival = shares.every((action) => action.of === "INCOMING_AMOUNT");
  const { draft } = useEditor();
  const base = draft.trigger.type === "ON_FUNDS_TRANSFERRED" ? "what arrived" : "the starting amount";
  const what = areShares
    ? `each a share of ${ofArrival ? base : "the balance"}`
    : members.length > 1
      ? "one after the other"
      : "";
  const from = group > 0 && !areShares ? "from what is left" : "";
  return (
    <li className="pt-3 pb-1.5 text-[13px] text-ink-3 first:pt-1 first:border-t-0 [&_b]:text-ink-2">
      <b>{group === 0 ? "First" : "Then"}:</b> {[what, from].filter(Boolean).join(", ")}
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
    <div className="[&_svg]:size-4 [&_.button_svg]:m-0 [&_svg]:text-ink-3 flex max-sm:col-2 max-sm:justify-self-end [&>.button]:w-7 [&>.button]:min-h-8.5 [&>.button]:p-0 max-sm:[&>.button]:min-h-11 max-sm:[&>.button]:w-11">
      {index > 0 ? (
        <Button kind="quiet" aria-label={`Move step ${number} up`} onClick={() => move(-1)}>
          <ArrowUp />
        </Button>
      ) : null}
      {index < count - 1 ? (
        <Button kind="quiet" aria-label={`Move step ${number} down`} onClick={() => move(1)}>
          <ArrowDown />
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
        <X />
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
      className="grid grid-cols-[22px_minmax(0,1fr)_auto] items-start gap-2 py-1.75 max-sm:grid-cols-[22px_minmax(0,1fr)]"
      onKeyDown={(event) => {
        // As in text editors, the focus moves with the line.
        const isInControl = event.target instanceof Element && event.target.closest("[data-pop]") !== null;
        if (isInControl || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        move(event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <span className="text-[13px]/8.5 text-ink-3 max-sm:leading-13">{number}</span>
      <div className={EDITED_SENTENCE}>
        <ActionSentence action={action} number={number} />
      </div>
      <div className="[&_svg]:size-4 [&_.button_svg]:m-0 [&_svg]:text-ink-3 flex max-sm:col-2 max-sm:justify-self-end [&>.button]:w-7 [&>.button]:min-h-8.5 [&>.button]:p-0 max-sm:[&>.button]:min-h-11 max-sm:[&>.button]:w-11">
        <Button kind="quiet" aria-label={`Move action ${number} up`} onClick={() => move(-1)}>
          <ArrowUp />
        </Button>
        <Button kind="quiet" aria-label={`Move action ${number} down`} onClick={() => move(1)}>
          <ArrowDown />
        </Button>
        <MoreMenu action={action} number={number} />
        <Button kind="quiet" aria-label={`Remove action ${number}`} onClick={remove}>
          <X />
        </Button>
      </div>
    </li>
  );
}

/** Optional parts of an action; each opens as a part of its sentence. */
function MoreMenu({ action, number }: Omit<ActionLineProps, "stepKey">) {
  const { setOpenPart } = useEditor();
  const name = `a${action.key}.more`;
  const offers = [
    { part: "source", label: "Use another source account" },
    { part: "limit", label: "Add a limit" },
    ...(isStrict(action.type) ? [{ part: "upTo", label: "If there isn’t enough money" }] : []),
    { part: "label", label: "Add an ACH label" },
  ];
  return (
    <Pop
      name={name}
      label={`More of action ${number}`}
      place="right"
      trigger={
        <LiveButton
          id={partElementId(name)}
          className={buttonClass({ kind: "quiet" })}
          aria-label={`More of action ${number}`}
        >
          <Ellipsis />
        </LiveButton>
      }
    >
      <div className="grid justify-items-start">
        {offers.map(({ part, label }) => (
          <Button key={part} kind="quiet" onClick={() => setOpenPart(`a${action.key}.${part}`)}>
            {label}
          </Button>
        ))}
      </div>
    </Pop>
  );
}
