"use client";

import { FingerprintPattern } from "lucide-react";
import { beginOpening, openGates } from "@/app/gates/actions";
import { Acting } from "@/components/act/acting";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { withMeans } from "@/components/act/confirming-means";
import { RefusalNote } from "@/components/act/refusal-note";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { Button } from "@/components/ui/button";

const UNKNOWN = outcomeUnknown("the gates may or may not be open. Reload the page to check.");

interface OpenGatesProps {
  closingId: string;
  hasPasskey: boolean;
  /** The panel has the page's primary button; the band is dark. */
  place: "panel" | "band";
}

/** Also on the approval page, whose frame has nothing to act with. */
export function OpenGates(props: OpenGatesProps) {
  return (
    <Acting>
      <OpenButton {...props} />
    </Acting>
  );
}

/** The proof (passkey, password or recovery code) is bound to this closing. */
function OpenButton({ closingId, hasPasskey, place }: OpenGatesProps) {
  const opening = useConfirmedAction({
    begin: (_subject, shown) => beginOpening({ closingId }, shown),
    act: (_subject, confirmation, shown) => openGates({ closingId, confirmation }, shown),
    whenLost: UNKNOWN,
    stepUp: { title: "Open the gates", confirmLabel: "Open the gates" },
    refreshesWhenRefused: true,
  });
  const isPanel = place === "panel";
  return (
    <>
      <Button
        kind={isPanel ? "primary" : "outlined"}
        size={isPanel ? "large" : undefined}
        wide={isPanel}
        busy={opening.isBusy}
        onClick={() => opening.run()}
      >
        {hasPasskey ? <FingerprintPattern /> : null}
        {opening.isBusy ? "Opening" : withMeans("Open", hasPasskey ? "PASSKEY" : "PASSWORD")}
      </Button>
      <RefusalNote
        message={opening.message?.replace("Nothing was changed", "They stay closed") ?? null}
        onRecoveryCode={hasPasskey ? () => opening.runWithRecoveryCode() : null}
      />
    </>
  );
}
