"use client";

import { inputClass } from "@/components/ui/input-class";
import { DENIAL_REASON_WORDS, denialReasonKindSchema } from "@/lib/contract/approvals/denial";
import type { OneOfSeveral } from "@/lib/contract/confirmation/decide-together";
import { DENIAL_NOTE_LIMIT, DENIAL_TEXT_LIMIT, MAXIMUM_NOT_NOW_DAYS } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** What a member says with a denial. */
export type DenialWords = Pick<OneOfSeveral, "reason" | "note">;

export const NO_WORDS: DenialWords = { reason: null, note: null };

interface DenialReasonProps {
  /** What is denied, for the fields' names. */
  what: string;
  /** A key or an assistant, which reads the reason. */
  isProgram: boolean;
  words: DenialWords;
  time: TimeContext;
  onChange: (words: DenialWords) => void;
}

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
const FIELDS = "mt-2 flex max-w-115 flex-wrap gap-2 max-sm:[&>*]:min-h-11";

/** Why one proposal is denied, optional: for a program what it reads, for a member a note. */
export function DenialReason({ what, isProgram, words, time, onChange }: DenialReasonProps) {
  const { reason, note } = words;
  if (!isProgram) {
    return (
      <span className={FIELDS}>
        <input
          className={`${inputClass({ size: "small" })} w-full`}
          aria-label={`Note for members on ${what}`}
          placeholder="Note for members, optional"
          maxLength={DENIAL_NOTE_LIMIT}
          value={note ?? ""}
          onChange={(event) => onChange({ reason: null, note: event.target.value || null })}
        />
      </span>
    );
  }
  const dayIn = (days: number) =>
    calendarDate(new Date(Date.parse(time.nowAt) + days * DAY_MS), time.timeZone);
  const choose = (value: string) => {
    const kind = denialReasonKindSchema.safeParse(value).data;
    if (!kind) return onChange(NO_WORDS);
    const notBefore = kind === "NOT_NOW" ? dayIn(USUAL_DAYS) : null;
    onChange({ reason: { kind, text: reason?.text ?? null, notBefore }, note: null });
  };
  return (
    <span className={FIELDS}>
      <select
        className={`${inputClass({ of: "select", size: "small" })} ${reason ? "" : "text-ink-3"}`}
        aria-label={`Reason for denying ${what}`}
        value={reason?.kind ?? ""}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">Reason, optional</option>
        {denialReasonKindSchema.options.map((kind) => (
          <option key={kind} value={kind}>
            {DENIAL_REASON_WORDS[kind]}
          </option>
        ))}
      </select>
      {reason?.kind === "NOT_NOW" ? (
        <input
          className={inputClass({ size: "small" })}
          aria-label={`It may ask again from, for ${what}`}
          type="date"
          required
          min={dayIn(1)}
          max={dayIn(MAXIMUM_NOT_NOW_DAYS - 1)}
          value={reason.notBefore ?? ""}
          onChange={(event) =>
            onChange({ reason: { ...reason, notBefore: event.target.value || null }, note: null })
          }
        />
      ) : null}
      {reason ? (
        <input
          className={`${inputClass({ size: "small" })} min-w-40 flex-1`}
          aria-label={`In your words, for ${what}`}
          placeholder="In your words, optional"
          maxLength={DENIAL_TEXT_LIMIT}
          value={reason.text ?? ""}
          onChange={(event) =>
            onChange({ reason: { ...reason, text: event.target.value || null }, note: null })
          }
        />
      ) : null}
    </span>
  );
}
