"use client";

import { beginRun, runNow } from "@/app/rules/[id]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { RefusalNote } from "@/components/act/refusal-note";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { RunNowSubject } from "@/lib/contract/confirmation/decision";
import type { RunNowView } from "@/lib/views/rules/preview-run-now";

interface RunNowButtonProps {
  subject: RunNowSubject;
  /** `Run Payday with $500.00`. */
  title: string;
  label: string;
  confirms: Pick<RunNowView, "viewer" | "time">;
  cancelHref: string;
}

const UNKNOWN = outcomeUnknown(
  "we don’t know whether it is running. Try again: the same request never runs twice.",
);

/** Confirms this run, starts it, and opens its page. */
export function RunNowButton({ subject, title, label, confirms, cancelHref }: RunNowButtonProps) {
  const means = useMeans(confirms.viewer, confirms.time.nowAt);
  const running = useConfirmedAction({
    begin: (_subject, shown) => beginRun(subject, shown),
    act: (_subject, confirmation, shown) => runNow({ ...subject, confirmation }, shown),
    whenLost: UNKNOWN,
    // By the id of the request, one request runs once.
    isRepeatable: true,
    stepUp: { title, confirmLabel: "Run now" },
    afterwards: (router, { href }) => router.push(href),
  });
  return (
    <>
      <RefusalNote message={running.message} />
      <div className="mt-4">
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" busy={running.isBusy} onClick={() => running.run()}>
          {running.isBusy ? "Running" : withMeans(label, means)}
        </Button>
      </div>
    </>
  );
}
