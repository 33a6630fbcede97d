import type { Refused } from "@/lib/contract/refused";

export type ConsentResult =
  /** The browser continues, finally to the program. */
  | { kind: "GO"; url: string }
  /** The request is over. */
  | { kind: "OVER" }
  | Refused;

/** The server actions behind the consent page. */
export interface ConsentActions {
  allow: (input: { uid: string }) => Promise<ConsentResult>;
  refuse: (input: { uid: string }) => Promise<ConsentResult>;
}
