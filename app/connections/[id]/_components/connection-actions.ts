import type { ConnectionDone } from "@/lib/contract/connections";
import type { Refused } from "@/lib/contract/refused";

/** The server actions behind one connection's page. */
export interface ConnectionActions {
  refresh: () => Promise<ConnectionDone>;
  beginSignIn: () => Promise<{ kind: "SIGNED_IN" } | { kind: "LINK"; linkToken: string } | Refused>;
  finishSignIn: () => Promise<ConnectionDone>;
  disconnect: () => Promise<ConnectionDone>;
}
