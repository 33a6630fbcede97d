import type { Refused } from "@/lib/contract/refused";
import type { DisconnectionView } from "@/lib/views/keys/preview-revocation";

export interface DisconnectActions {
  previewDisconnection: (input: {
    assistantId: string;
  }) => Promise<{ kind: "PREVIEW"; view: DisconnectionView } | Refused>;
  disconnectAssistant: (input: { assistantId: string }) => Promise<{ kind: "DISCONNECTED" } | Refused>;
}
