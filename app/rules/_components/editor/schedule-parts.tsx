"use client";

import { useId, useState } from "react";
import { startDate, startOn } from "@/app/rules/_components/editor/edit-trigger";
import { useEditor } from "@/app/rules/_components/editor/editor-context";
import { ChoiceList } from "@/components/parts/sentences/choice-list";
import { Part } from "@/components/parts/sentences/part";
import { formatWeekdayMoment, inZone } from "@/components/time/format-instant";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import type { ScheduleDraft } from "@/lib/contract/rules/draft";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { upcoming } from "@/lib/engine/schedule/occurrences";
import { clockWords, dateWords, ordinal, weekday } from "@/lib/words/rules/number-words";
import { joinWords } from "@/lib/words/rules/phrases";
import { zoneWords } from "@/lib/words/rules/schedule-words";

const FREQUENCIES = {
  ONE_TIME: "Once",
  DAILY: "Every day",
  WEEKLY: "Every week",
  EVERY_OTHER_WEEK: "Every other week",
  TWICE_A_MONTH: "Twice a month",
  MONTHLY: "Every month",
  CRON: "Cron expression",
} as const satisfies Record<ScheduleDraft["frequency"], string>;

/** The parts of a schedule: frequency, time, start date, and bank holidays. */
export function ScheduleParts() {
  const { draft } = useEditor();
  const { frequency } = draft.trigger.schedule;
  return (
    <>
      : <FrequencyPart />
      {frequency === "CRON" ? null : (
        <>
          {" "}
          at <TimePart />
        </>
      )}{" "}
      in <ZonePart />, {frequency === "ONE_TIME" ? "on" : "from"} <StartPart />, <ShiftPart />
    </>
  );
}

function useSchedule() {
  const { draft, edit } = useEditor();
  const { schedule } = draft.trigger;
  const set = (change: Partial<ScheduleDraft>) => edit({ kind: "SET_SCHEDULE", change });
  return { schedule, set };
}

/** `every Friday`, `on the 1st and the last day of each month` */
function frequencyWords({ frequency, dayOfWeek, daysOfMonth, cron }: ScheduleDraft): string | null {
  switch (frequency) {
    case "ONE_TIME":
      return "once";
    case "DAILY":
      return "every day";
    case "WEEKLY":
      return `every ${weekday(dayOfWeek)}`;
    case "EVERY_OTHER_WEEK":
      return `every other ${weekday(dayOfWeek)}`;
    case "MONTHLY":
    case "TWICE_A_MONTH": {
      const days = daysOfMonth.slice(0, frequency === "MONTHLY" ? 1 : 2);
      if (days.length === 0) return null;
      return `on ${joinWords(days.map(dayWords))} of each month`;
    }
    case "CRON":
      return cron.trim() === "" ? null : `on cron ${cron}`;
  }
}

const dayWords = (day: number) => (day === -1 ? "the last day" : `the ${ordinal(day)}`);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: weekday(day) }));
const DAYS = [...Array.from({ length: 31 }, (_, index) => index + 1), -1].map((day) => ({
  value: String(day),
  label: day === -1 ? "The last day" : `The ${ordinal(day)}`,
}));

function FrequencyPart() {
  const { schedule, set } = useSchedule();
  const { frequency, dayOfWeek, daysOfMonth, cron } = schedule;
  const isWeekly = frequency === "WEEKLY" || frequency === "EVERY_OTHER_WEEK";
  const daysNamed = frequency === "MONTHLY" ? 1 : frequency === "TWICE_A_MONTH" ? 2 : 0;
  const setDay = (at: number, day: number) => {
    const days = [daysOfMonth[0] ?? 1, daysOfMonth[1] ?? 15];
    set({ daysOfMonth: days.with(at, day) });
  };
  return (
    <Part name="schedule.frequency" text={frequencyWords(schedule)} label="Frequency">
      <SelectField
        label="Frequency"
        data-first
        value={frequency}
        options={Object.entries(FREQUENCIES).map(([value, label]) => ({ value, label }))}
        onChange={(event) => {
          const chosen = isFrequency(event.target.value) ? event.target.value : frequency;
          const days =
            chosen === "TWICE_A_MONTH" && daysOfMonth.length < 2 ? [daysOfMonth[0] ?? 1, 15] : daysOfMonth;
          set({ frequency: chosen, daysOfMonth: days });
        }}
      />
      {isWeekly ? (
        <SelectField
          label="Day"
          value={String(dayOfWeek)}
          options={WEEKDAYS}
          onChange={(event) => set({ dayOfWeek: Number(event.target.value) })}
        />
      ) : null}
      {Array.from({ length: daysNamed }, (_, at) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: the days have no identity but their position
          key={at}
          label={daysNamed === 1 ? "Day of the month" : at === 0 ? "One day" : "Another day"}
          hint={at === daysNamed - 1 ? "Shorter months use their last day." : undefined}
          value={String(daysOfMonth[at] ?? (at === 0 ? 1 : 15))}
          options={DAYS}
          onChange={(event) => setDay(at, Number(event.target.value))}
        />
      ))}
      {frequency === "CRON" ? (
        <InputField
          label="Cron expression"
          hint="Minute, hour, day of month, month, day of week."
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={cron}
          onChange={(event) => set({ cron: event.target.value })}
        />
      ) : null}
    </Part>
  );
}

function isFrequency(value: string): value is ScheduleDraft["frequency"] {
  return value in FREQUENCIES;
}

function TimePart() {
  const { schedule, set } = useSchedule();
  return (
    <Part
      name="schedule.time"
      text={schedule.time ? clockWords(schedule.time) : null}
      empty="choose a time"
      label="Time of day"
    >
      <InputField
        label="Time"
        type="time"
        data-first
        value={schedule.time}
        onChange={(event) => set({ time: event.target.value.slice(0, 5) })}
      />
    </Part>
  );
}

/** No browser lists more zones. */
const MAXIMUM_ZONES = 1_000;

function ZonePart() {
  const { time } = useEditor();
  const { schedule, set } = useSchedule();
  return (
    <Part name="schedule.zone" text={zoneWords(schedule.timeZone)} label="Time zone">
      <SelectField
        label="Time zone"
        data-first
        value={schedule.timeZone}
        options={zoneOptions([schedule.timeZone, time.timeZone])}
        onChange={(event) => set({ timeZone: event.target.value })}
      />
    </Part>
  );
}

function zoneOptions(wanted: readonly string[]) {
  const known = Intl.supportedValuesOf("timeZone").slice(0, MAXIMUM_ZONES);
  return [...new Set([...wanted, "UTC", ...known])].map((zone) => ({
    value: zone,
    label: zone.replaceAll("_", " "),
  }));
}

function StartPart() {
  const { time } = useEditor();
  const { schedule, set } = useSchedule();
  const date = startDate(schedule);
  const [text, setText] = useState(date ?? calendarDate(new Date(time.nowAt), time.timeZone));
  return (
    <Part
      name="schedule.start"
      text={date && dateWords(date)}
      empty="choose a day"
      label={schedule.frequency === "ONE_TIME" ? "Date" : "Start date"}
    >
      <InputField
        label={schedule.frequency === "ONE_TIME" ? "Day" : "From"}
        type="date"
        data-first
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          set({ startAt: startOn(event.target.value, schedule) });
        }}
      />
    </Part>
  );
}

const SHIFTS = {
  SAME_DAY: "even when banks are closed",
  NEXT_BANKING_DAY: "on the next banking day when banks are closed",
  PREVIOUS_BANKING_DAY: "on the banking day before when banks are closed",
} as const satisfies Record<ScheduleDraft["onNonBankingDay"], string>;

function ShiftPart() {
  const { schedule, set } = useSchedule();
  const noteId = useId();
  return (
    <Part name="schedule.shift" text={SHIFTS[schedule.onNonBankingDay]} label="On weekends and bank holidays">
      <ChoiceList
        label="When banks are closed"
        value={schedule.onNonBankingDay}
        choices={[
          { value: "SAME_DAY", label: "Run anyway" },
          { value: "NEXT_BANKING_DAY", label: "Run on the next banking day" },
          { value: "PREVIOUS_BANKING_DAY", label: "Run on the banking day before" },
        ]}
        onChoose={(onNonBankingDay) => set({ onNonBankingDay })}
      />
      <p className="text-sm text-ink-3" id={noteId}>
        Transfers between your pods settle on any day; transfers to and from banks only on banking days.
      </p>
    </Part>
  );
}

const SHOWN_RUNS = 3;

/** The next runs, calculated like actual runs. */
export function NextRuns({ trigger }: { trigger: RuleDefinition["trigger"] }) {
  const { time } = useEditor();
  if (trigger.type !== "SCHEDULED") return null;
  const { schedule } = trigger;
  const runs = upcoming(schedule, new Date(time.nowAt), SHOWN_RUNS);
  if (runs.length === 0)
    return <p className="text-sm text-ink-3">It would never run. Choose a later date.</p>;
  const words = runs.map((at) => formatWeekdayMoment(at.toISOString(), inZone(time, schedule.timeZone)));
  return (
    <p className="text-sm text-ink-3">
      {runs.length === 1 ? "It runs" : "It runs next"} {joinWords(words)}.
    </p>
  );
}
