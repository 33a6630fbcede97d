import type { IssueCardInput } from "@/lib/contract/card";
import type { Refused } from "@/lib/contract/refused";

/** The server actions behind the list of cards. */
export interface CardActions {
  freezeCard: (input: { cardId: string }) => Promise<{ kind: "DONE" } | Refused>;
  thawCard: (input: { cardId: string }) => Promise<{ kind: "DONE" } | Refused>;
  closeCard: (input: { cardId: string }) => Promise<{ kind: "DONE" } | Refused>;
}

/** The server actions behind the page for a new card. */
export interface NewCardActions {
  issueCard: (input: IssueCardInput) => Promise<{ kind: "ISSUED"; cardId: string } | Refused>;
}
