"use client";

import { RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { SelectField } from "@/components/ui/select-field";
import { ActRefusal } from "@/components/webhooks/act-refusal";
import type { EndpointActions } from "@/components/webhooks/endpoint-actions";
import { RefreshWhileUnderWay } from "@/components/webhooks/refresh-while-under-way";
import { useEndpointAct } from "@/components/webhooks/use-endpoint-act";
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
