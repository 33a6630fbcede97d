import type { ConnectionDone } from "@/lib/contract/connections";
import type { Refused } from "@/lib/contract/refused";

export type ConnectResult = { kind: "CONNECTED"; connectionId: string } | Refused;

/** What a member chose at an institution. */
export interface ConnectInput {
  institutionId: string;
  templates: string[];
}

/** The server actions behind the page that banks redirect people to. */
export interface FinishLinkActions extends Pick<LinkActions, "completeLink"> {
  resumeLink: () => Promise<{ kind: "LINK"; linkToken: string; connectionId: string | null } | Refused>;
  finishSignIn: (connectionId: string) => Promise<ConnectionDone>;
}

/** The server actions behind the provider's dialog. */
export interface LinkActions {
  beginLink: () => Promise<{ kind: "LINK"; linkToken: string } | Refused>;
  completeLink: (input: {
    publicToken: string;
  }) => Promise<{ kind: "CONNECTED"; connectionId: string } | Refused>;
}
