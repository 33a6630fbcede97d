"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { RunNowActions, RunNowSubject } from "@/lib/contract/views/run-view";

interface RunNowButtonProps {
  subject: RunNowSubject;
  label: string;
  cancelHref: string;
  actions: RunNowActions;
}

const UNKNOWN =
  "Sluice did not answer, so we don’t know whether it is running. Try again: the same request never runs twice.";

/** Confirms this run, starts it, and opens its page. */
export function RunNowButton({ subject, label, cancelHref, actions }: RunNowButtonProps) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, start] = useTransition();
  const startedHref = useRef<string | null>(null);

  /** The proof is bound to this run and sent with it. */
  async function run(confirmation: Confirmation): Promise<{ kind: "DONE" } | Refused> {
    const result = await actions
      .runNow({ ...subject, confirmation })
      .catch(() => ({ kind: "REFUSED" as const, message: UNKNOWN }));
    if (result.kind === "REFUSED") return result;
    startedHref.current = result.href;
    return { kind: "DONE" };
  }

  const stepUp = useStepUp(
    { beginPresence: () => actions.beginRun(subject), confirmPresence: run },
    { title: "Confirm that it is you", confirmLabel: "Run now" },
  );

  const submit = () =>
    start(async () => {
      setRefusal(null);
      const proof = await stepUp.prove();
      // After a recent sign-in no confirmation was asked, so nothing has run yet.
      const outcome =
        proof.kind === "DONE" && startedHref.current === null ? await run({ kind: "NONE" }) : proof;
      if (outcome.kind === "REFUSED") setRefusal(outcome.message);
      else if (startedHref.current !== null) router.push(startedHref.current);
    });

  return (
    <>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" busy={isBusy} onClick={submit}>
          {isBusy ? "Running" : label}
        </Button>
      </div>
      {stepUp.dialog}
    </>
  );
}
