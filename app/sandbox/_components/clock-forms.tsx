"use client";

import { useSandboxAct } from "@/app/sandbox/_components/act-form";
import { moveClock } from "@/app/sandbox/actions";
import { SendForm } from "@/components/act/send-form";
import { Button } from "@/components/ui/button";
import { inputClass } from "@/components/ui/input-class";
import type { SandboxJump } from "@/lib/views/sandbox/read-sandbox-page";

const JUMP_WORDS: Record<SandboxJump["kind"], string> = {
  THIS_AFTERNOON: "To 13:00 today",
  NEXT_BANKING_DAY: "To the next banking day",
  NEXT_WEEK: "One week ahead",
};

export function ClockForms({ jumps, dates }: { jumps: SandboxJump[]; dates: Dates }) {
  const { send, isBusy, message } = useSandboxAct(moveClock);
  return (
    <div className="flex flex-wrap gap-2 mt-4">
      {jumps.map((jump) => (
        <SendForm key={jump.kind} isBusy={isBusy} onSend={send}>
          <input type="hidden" name="toAt" value={jump.toAt} />
          <Button kind="outlined" size="small" type="submit" busy={isBusy}>
            {JUMP_WORDS[jump.kind]}
          </Button>
        </SendForm>
      ))}
      <SendForm browserChecks isBusy={isBusy} onSend={send} className="flex gap-1">
        <label className="sr-only" htmlFor="clock-date">
          Date
        </label>
        <input
          id="clock-date"
          className={inputClass({ size: "small" })}
          type="date"
          name="toDate"
          required
          {...dates}
        />
        <Button kind="quiet" size="small" type="submit" busy={isBusy}>
          To this date
        </Button>
      </SendForm>
      <p role="status" className="col-span-full text-[13px] text-red">
        {message}
      </p>
    </div>
  );
}

interface Dates {
  min: string;
  max: string;
}
