"use client";

import { AskedEvents } from "@/app/settings/webhooks/_components/event-types";
import { chooseEndpointEvents } from "@/app/settings/webhooks/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import type { AskedEventType } from "@/lib/contract/webhooks";

interface ChooseEventsProps {
  endpointId: string;
  asked: readonly AskedEventType[];
}

/** Each change takes effect at once, for events from now on. */
export function ChooseEvents({ endpointId, asked }: ChooseEventsProps) {
  const choosing = useAction(chooseEndpointEvents);
  return (
    <>
      <AskedEvents
        asked={asked}
        busy={choosing.isBusy}
        onChange={(askedEvents) => choosing.run({ endpointId, askedEvents })}
      />
      <RefusalNote message={choosing.message} />
    </>
  );
}
