"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useActionState, useEffect } from "react";
import { Button } from "@/components/ui/button";

export type Act = (previous: ActState, form: FormData) => Promise<ActState>;
export interface ActState {
  refusal: string | null;
  /** Increments, so that each success is distinct. */
  done: number;
}

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
  const [state, submit, isBusy] = useActionState(act, { refusal: null, done: 0 });
  useLookAgain(state.done);
  return (
    <li>
      <b>{title}</b>
      <form action={submit} className="does-f">
        <div className="say">{children}</div>
        {isOff ? null : (
          <Button kind="outlined" size="small" type="submit" busy={isBusy}>
            {isBusy ? busyLabel : label}
          </Button>
        )}
        <p role="status" className="does-s">
          {state.refusal}
        </p>
      </form>
    </li>
  );
}

export function useLookAgain(done: number): void {
  const router = useRouter();
  useEffect(() => {
    if (done === 0) return;
    const timers = LOOK_AGAIN_MS.map((ms) => setTimeout(() => router.refresh(), ms));
    return () => timers.forEach(clearTimeout);
  }, [done, router]);
}

/** The server actions behind the sandbox page. */
export interface SandboxActs {
  moveClock: Act;
  deposit: Act;
  sendBack: Act;
  silence: Act;
  purchase: Act;
  payToCard: Act;
  moveOutside: Act;
  changeConnection: Act;
  decidePending: Act;
  setReceiver: Act;
}
