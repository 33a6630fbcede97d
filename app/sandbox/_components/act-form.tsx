"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { PART_SENTENCE } from "@/components/parts/rules/sentence-class";
import { Button } from "@/components/ui/button";
import type { Refused } from "@/lib/contract/refused";

export type Act = (form: FormData, shown: string) => Promise<{ kind: "DONE" } | Refused>;

const UNKNOWN = outcomeUnknown("this may or may not have happened. Reload the page to check.");
/** The worker acts a moment later, so the page reloads after these. */
const LOOK_AGAIN_MS = [400, 1_500, 4_000];

/** A form that reads as a sentence. */
export function ActForm({
  title,
  label,
  busyLabel,
  act,
  isOff = false,
  children,
}: {
  title: string;
  label: string;
  busyLabel: string;
  act: Act;
  /** Nothing to act on. */
  isOff?: boolean;
  children: ReactNode;
}) {
  const acting = useSandboxAct(act);
  return (
    <li>
      <b>{title}</b>
      <SendForm
        browserChecks
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-y-0 gap-x-5 max-sm:grid-cols-1 max-sm:gap-2.5"
        isBusy={acting.isBusy}
        onSend={acting.send}
      >
        <div className={PART_SENTENCE}>{children}</div>
        {isOff ? null : (
          <Button kind="outlined" size="small" type="submit" busy={acting.isBusy}>
            {acting.isBusy ? busyLabel : label}
          </Button>
        )}
        <p role="status" className="col-span-full text-[13px] text-red">
          {acting.message}
        </p>
      </SendForm>
    </li>
  );
}

/** One form's action; afterwards the page follows what the worker makes of it. */
export function useSandboxAct(act: Act) {
  const router = useRouter();
  const { run, isBusy, message } = useAction(act, {
    whenLost: UNKNOWN,
    onDone: () => {
      for (const ms of LOOK_AGAIN_MS) setTimeout(() => router.refresh(), ms);
    },
    // The answer brings the page with it.
    afterwards: null,
  });
  return { send: (form: HTMLFormElement) => run(new FormData(form)), isBusy, message };
}
