import type { DraftEdit, Edited } from "@/components/rules/editor/editor-state";
import { startDate, startOn } from "@/components/rules/editor/schedule-start";
import type { RuleDraft } from "@/lib/contract/rules/draft";

type TriggerEdit = Extract<DraftEdit, { kind: "SET_TRIGGER" | "SET_SCHEDULE" }>;

export function editTrigger(draft: RuleDraft, edit: TriggerEdit): Edited {
  return {
    draft: edit.kind === "SET_TRIGGER" ? setTrigger(draft, edit.change) : setSchedule(draft, edit.change),
    notice: null,
  };
}

/** Actions that take from the trigger's account follow it to another one. */
function setTrigger(
  draft: RuleDraft,
  change: Extract<TriggerEdit, { kind: "SET_TRIGGER" }>["change"],
): RuleDraft {
  const trigger = { ...draft.trigger, ...change };
  const before = draft.trigger.accountId;
  if (trigger.accountId === before) return { ...draft, trigger };
  const steps = draft.steps.map((step) => ({
    ...step,
    actions: step.actions.map((action) =>
      action.sourceAccountId === before || action.sourceAccountId === null
        ? { ...action, sourceAccountId: trigger.accountId }
        : action,
    ),
  }));
  return { ...draft, trigger, steps };
}

/** The day of the start stays the same day, whatever the zone and the hour become. */
function setSchedule(
  draft: RuleDraft,
  change: Extract<TriggerEdit, { kind: "SET_SCHEDULE" }>["change"],
): RuleDraft {
  const before = draft.trigger.schedule;
  const schedule = { ...before, ...change };
  const movesStart = ["time", "timeZone", "frequency"].some((field) => field in change);
  const date = startDate(before);
  if (date !== null && !("startAt" in change) && movesStart)
    schedule.startAt = startOn(date, schedule) ?? before.startAt;
  return { ...draft, trigger: { ...draft.trigger, schedule } };
}
