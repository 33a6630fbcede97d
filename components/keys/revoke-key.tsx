"use client";

import { useState, useTransition } from "react";
import { EndCallerDialog } from "@/components/keys/end-caller-dialog";
import { effectWords } from "@/components/keys/revocation-effects";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { RevocationView } from "@/lib/contract/views/keys-view";

export interface RevokeActions {
  previewRevocation: (input: {
    keyId: string;
  }) => Promise<{ kind: "PREVIEW"; view: RevocationView } | Refused>;
  revokeKey: (input: { keyId: string }) => Promise<{ kind: "REVOKED" } | Refused>;
}

interface RevokeKeyProps {
  keyId: string;
  name: string;
  actions: RevokeActions;
}

const UNKNOWN = "We do not know yet whether it was revoked. Load this page again to see.";
const UNREACHABLE = "Sluice did not answer. Nothing was revoked. Try again.";

/** Ends a key for good, after saying what else that ends. */
export function RevokeKey({ keyId, name, actions }: RevokeKeyProps) {
  const [preview, setPreview] = useState<RevocationView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isLooking, startLooking] = useTransition();

  const open = () =>
    startLooking(async () => {
      setRefusal(null);
      const result = await actions
        .previewRevocation({ keyId })
        .catch((): Refused => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") setRefusal(result.message);
      else setPreview(result.view);
    });

  return (
    <>
      <Button kind="deny" busy={isLooking} onClick={open}>
        Revoke
      </Button>
      {refusal ? (
        <div role="status">
          <Note tone="red">{refusal}</Note>
        </div>
      ) : null}
      {preview ? (
        <EndCallerDialog
          title={`Revoke ${name}?`}
          lede={`It stops at once and cannot come back. ${effectWords(preview)}`}
          effects={preview}
          words={{ keep: "Keep the key", busy: "Revoking", act: "Revoke", actAlone: "Revoke key" }}
          end={async () => {
            const result = await actions
              .revokeKey({ keyId })
              .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
            return result.kind === "REFUSED" ? result.message : null;
          }}
          onClose={() => setPreview(null)}
        />
      ) : null}
    </>
  );
}
