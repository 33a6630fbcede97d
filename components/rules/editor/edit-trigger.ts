import { z } from "zod";
import type { DraftEdit, Edited } from "@/components/rules/editor/draft-edit";
import type { RuleDraft, ScheduleDraft } from "@/lib/contract/rules/draft";
import { calendarDate, dayOf } from "@/lib/engine/schedule/calendar-day";

import { instantsOn } from "@/lib/engine/schedule/wall-clock";

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

/**
 * The moment from which a schedule counts when it is to start on a calendar date of its zone: of one that runs once
 * its time on that date, else the date's beginning, so that a run on that date counts.
 * @param date `YYYY-MM-DD`
 * @returns ISO 8601 in UTC; null where date, time or zone is not one
 */
export function startOn(
  date: string,
  { frequency, time, timeZone }: Pick<ScheduleDraft, "frequency" | "time" | "timeZone">,
): string | null {
  const minutes = frequency === "ONE_TIME" ? minutesOf(time) : 0;
  if (minutes === null || !z.iso.date().safeParse(date).success || !isZone(timeZone)) return null;
  const [instant] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay: [minutes] }, timeZone);
  return instant === undefined ? null : new Date(instant).toISOString();
}

function minutesOf(time: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** The date of a schedule's start in its zone, `YYYY-MM-DD`; null where there is none, or no such zone. */
export function startDate({ startAt, timeZone }: Pick<ScheduleDraft, "startAt" | "timeZone">): string | null {
  const at = startAt === null ? Number.NaN : Date.parse(startAt);
  return Number.isNaN(at) || !isZone(timeZone) ? null : calendarDate(new Date(at), timeZone);
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone.length > 0;
  } catch {
    // Intl says so by throwing.
    return false;
  }
}
