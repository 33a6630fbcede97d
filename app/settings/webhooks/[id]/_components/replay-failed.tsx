"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { redeliver, replayFailed } from "@/app/settings/webhooks/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { type ReplayResult, type ReplaySince, replaySinceSchema } from "@/lib/contract/webhooks";

interface ReplayFailedProps {
  endpointId: string;
  isOffered: boolean;
  /** The zone of the page's times. */
  timeZone: string;
}

const MOMENT = "MOMENT";
const CHOICES = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last 24 hours" },
  { value: "168", label: "The last 7 days" },
  { value: "720", label: "The last 30 days" },
  { value: MOMENT, label: "A date and time" },
];

/** Redelivers what failed since a time, and says how many, even if the failures were resolved since. */
export function ReplayFailed({ endpointId, isOffered, timeZone }: ReplayFailedProps) {
  const [choice, setChoice] = useState("24");
  const [local, setLocal] = useState("");
  const [hasTried, setHasTried] = useState(false);
  const [reported, setReported] = useState<{ words: string; turn: number } | null>(null);
  const since = readSince(choice, local);
  const replaying = useAction(replayFailed, {
    onDone: (result) =>
      setReported((before) => ({ words: replayedWords(result), turn: (before?.turn ?? 0) + 1 })),
  });
  if (!isOffered && reported === null) return null;
  return (
    <Section id="replay" title="Retry failed deliveries">
      {isOffered ? (
        <>
          <p className="max-w-[68ch] mx-0 mt-3.5 mb-3 text-ink-2">
            Failed deliveries are retried for 24 hours; queued ones are sent now.
          </p>
          <SendForm
            className="flex flex-wrap items-start gap-4 mt-4 [&>.button]:mt-6.5 max-sm:[&>.button]:mt-0 max-sm:[&_.input]:min-h-11 [&_.field]:flex-[0_1_200px] max-sm:[&_.field]:flex-[1_1_100%]"
            isBusy={replaying.isBusy}
            onSend={() => {
              setHasTried(since === null);
              if (since) replaying.run({ endpointId, since });
            }}
          >
            <SelectField
              label="Events since"
              options={CHOICES}
              value={choice}
              onChange={(event) => setChoice(event.target.value)}
            />
            {choice === MOMENT ? (
              <InputField
                label="Since"
                type="datetime-local"
                hint={`Time in ${timeZone.replaceAll("_", " ")}`}
                value={local}
                error={hasTried && !since ? "Pick a date and a time." : null}
                onChange={(event) => setLocal(event.target.value)}
              />
            ) : null}
            <Button kind="outlined" type="submit" busy={replaying.isBusy}>
              <RotateCw />
              {replaying.isBusy ? "Retrying" : "Retry"}
            </Button>
          </SendForm>
        </>
      ) : null}
      <div className="grid gap-2 mt-4">
        <p className="text-ink-2" role="status">
          {reported?.words}
        </p>
        <RefusalNote message={replaying.message} />
      </div>
      {reported ? <RefreshWhileUnderWay key={reported.turn} /> : null}
    </Section>
  );
}

function readSince(choice: string, local: string): ReplaySince | null {
  const input = choice === MOMENT ? { kind: "LOCAL", local } : { kind: "HOURS", hours: Number(choice) };
  return replaySinceSchema.safeParse(input).data ?? null;
}

/** `Retrying 12 deliveries.` */
function replayedWords({ count, hasMore }: Extract<ReplayResult, { kind: "REPLAYED" }>): string {
  if (count === 0) return "Nothing has failed since then.";
  if (hasMore) {
    return `Retrying ${count.toLocaleString("en-US")} deliveries. There are more; retry again for the next.`;
  }
  return count === 1 ? "Retrying 1 delivery." : `Retrying ${count.toLocaleString("en-US")} deliveries.`;
}

interface RedeliverButtonProps {
  endpointId: string;
  eventId: string;
  /** Stays while sending, to keep the focus. */
  isUnderWay: boolean;
}

export function RedeliverButton({ endpointId, eventId, isUnderWay }: RedeliverButtonProps) {
  const sending = useAction(redeliver);
  const isBusy = sending.isBusy || isUnderWay;
  return (
    <div className="[&_.notice]:mt-3">
      <Button kind="outlined" size="small" busy={isBusy} onClick={() => sending.run({ endpointId, eventId })}>
        <RotateCw />
        {isBusy ? "Sending" : "Redeliver now"}
      </Button>
      <RefusalNote message={sending.message} />
    </div>
  );
}

const INTERVAL_MS = 1_500;
/** Longer than an attempt can take. */
const MAXIMUM_TURNS = 20;

/** Refreshes the visible page until the attempt is recorded and this unmounts. */
export function RefreshWhileUnderWay() {
  const router = useRouter();
  useEffect(() => {
    let turns = 0;
    const timer = setInterval(() => {
      if (document.hidden) return;
      turns += 1;
      if (turns >= MAXIMUM_TURNS) clearInterval(timer);
      router.refresh();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
