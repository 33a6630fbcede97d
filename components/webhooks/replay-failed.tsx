"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { SelectField } from "@/components/ui/select-field";
import { ActRefusal, type EndpointActions, useEndpointAct } from "@/components/webhooks/use-endpoint-act";
import { type ReplaySince, replaySinceSchema } from "@/lib/contract/views/replay-since";
import type { ReplayResult } from "@/lib/contract/views/webhooks-view";

interface ReplayFailedProps {
  endpointId: string;
  /** Whether there is anything to send again. */
  isOffered: boolean;
  actions: Pick<EndpointActions, "replayFailed">;
  /** As a person knows it: the times of this page are of this zone. */
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

/**
 * Sends again what failed since a time, and says how many that are; also once nothing fails any more, which may be sooner
 * than a person has read it.
 */
export function ReplayFailed({ endpointId, isOffered, actions, timeZone }: ReplayFailedProps) {
  const router = useRouter();
  const [choice, setChoice] = useState("24");
  const [local, setLocal] = useState("");
  const [hasTried, setHasTried] = useState(false);
  const [told, setTold] = useState<{ words: string; turn: number } | null>(null);
  const since = readSince(choice, local);
  const replaying = useEndpointAct(
    async () => {
      if (!since) return { kind: "UNREADABLE" as const };
      return actions.replayFailed({ endpointId, since });
    },
    (result) => {
      setHasTried(result.kind === "UNREADABLE");
      if (result.kind === "UNREADABLE") return;
      setTold((before) => ({ words: replayedWords(result), turn: (before?.turn ?? 0) + 1 }));
      router.refresh();
    },
  );
  if (!isOffered && told === null) return null;
  return (
    <Section id="replay" title="Send again what failed">
      {isOffered ? (
        <>
          <p className="ink2 wh-l">
            What was given up is tried again for 24 hours; what waits for its next try leaves now.
          </p>
          <form
            method="post"
            className="wh-re"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!replaying.isBusy) replaying.act();
            }}
          >
            <SelectField
              label="Events of"
              options={CHOICES}
              value={choice}
              onChange={(event) => setChoice(event.target.value)}
            />
            {choice === MOMENT ? (
              <InputField
                label="Since"
                type="datetime-local"
                hint={`Time of ${timeZone.replaceAll("_", " ")}`}
                value={local}
                error={hasTried && !since ? "Pick a date and a time." : null}
                onChange={(event) => setLocal(event.target.value)}
              />
            ) : null}
            <Button kind="outlined" type="submit" busy={replaying.isBusy}>
              <RotateCw className="ic" />
              {replaying.isBusy ? "Sending again" : "Send again"}
            </Button>
          </form>
        </>
      ) : null}
      <div className="wh-re-t">
        <p className="ink2" role="status">
          {told?.words}
        </p>
        <ActRefusal message={replaying.refusal} />
      </div>
      {told ? <RefreshWhileUnderWay key={told.turn} /> : null}
    </Section>
  );
}

/** Null while no moment is picked. */
function readSince(choice: string, local: string): ReplaySince | null {
  const input = choice === MOMENT ? { kind: "LOCAL", local } : { kind: "HOURS", hours: Number(choice) };
  return replaySinceSchema.safeParse(input).data ?? null;
}

/** `12 deliveries are sent again.` */
function replayedWords({ count, hasMore }: Extract<ReplayResult, { kind: "REPLAYED" }>): string {
  if (count === 0) return "Nothing failed since then.";
  if (hasMore) {
    return `${count.toLocaleString("en-US")} deliveries are sent again, and there are more: send again for the next.`;
  }
  return count === 1
    ? "1 delivery is sent again."
    : `${count.toLocaleString("en-US")} deliveries are sent again.`;
}

interface RedeliverButtonProps {
  endpointId: string;
  eventId: string;
  /** It is being sent: the button stays, so that the focus does. */
  isUnderWay: boolean;
  actions: Pick<EndpointActions, "redeliver">;
}

/** Sends one event again, at once. */
export function RedeliverButton({ endpointId, eventId, isUnderWay, actions }: RedeliverButtonProps) {
  const router = useRouter();
  const sending = useEndpointAct(
    () => actions.redeliver({ endpointId, eventId }),
    () => router.refresh(),
  );
  const isBusy = sending.isBusy || isUnderWay;
  return (
    <div className="att-r">
      <Button kind="outlined" size="small" busy={isBusy} onClick={sending.act}>
        <RotateCw className="ic" />
        {isBusy ? "Sending" : "Redeliver now"}
      </Button>
      <ActRefusal message={sending.refusal} />
    </div>
  );
}

const INTERVAL_MS = 1_500;
/** Longer than an attempt may take and be recorded; then the page stays as it is. */
const MAXIMUM_TURNS = 20;

/** Loads the page again while somebody looks, until what is under way is recorded and this is no longer rendered. */
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
