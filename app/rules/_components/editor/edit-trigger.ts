import type { DraftEdit, Edited } from "@/app/rules/_components/editor/draft-edit";
import { dateText } from "@/lib/contract/input/instants";
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

/** Actions that take from the trigger's account follow when it changes. */
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

/** Keeps the start date when the zone or time changes. */
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
 * The start instant of a schedule for a calendar date in its zone: its time on that date if it runs once, otherwise the
 * start of that day, so that a run on that date counts.
 * @param date `YYYY-MM-DD`
 * @returns ISO 8601 in UTC; null if date, time or zone is invalid
 */
export function startOn(
  date: string,
  { frequency, time, timeZone }: Pick<ScheduleDraft, "frequency" | "time" | "timeZone">,
): string | null {
  const minutes = frequency === "ONE_TIME" ? minutesOf(time) : 0;
  if (minutes === null || !dateText.safeParse(date).success || !isZone(timeZone)) return null;
  const [instant] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay: [minutes] }, timeZone);
  return instant === undefined ? null : new Date(instant).toISOString();
}

function minutesOf(time: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
}

/** The date of a schedule's start in its zone, `YYYY-MM-DD`; null without a start or with an invalid zone. */
export function startDate({ startAt, timeZone }: Pick<ScheduleDraft, "startAt" | "timeZone">): string | null {
  const at = startAt === null ? Number.NaN : Date.parse(startAt);
  return Number.isNaN(at) || !isZone(timeZone) ? null : calendarDate(new Date(at), timeZone);
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone.length > 0;
  } catch {
    // Intl throws for unknown zones.
    return false;
  }
}
