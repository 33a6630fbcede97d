import type { ConnectionDone } from "@/lib/contract/connections";
import type { BeginMoveResult, MoveDraft, MoveInput, MoveResult, MoveSubject } from "@/lib/contract/move";
import type { Refused } from "@/lib/contract/refused";
import type { MovePreview } from "@/lib/views/transfers/read-move-page";

export type PreviewMoveResult = { kind: "PREVIEWED"; preview: MovePreview } | Refused;

/** The server actions behind *Move money*. */
export interface MoveActions {
  preview: (draft: MoveDraft) => Promise<PreviewMoveResult>;
  begin: (subject: MoveSubject) => Promise<BeginMoveResult>;
  move: (input: MoveInput) => Promise<MoveResult>;
  /** Requests a refresh of a connection. Done: the bank is asked a moment later, and the next page has its answer. */
  refresh: (connectionId: string) => Promise<ConnectionDone>;
}
