import type { Refused } from "@/lib/contract/refused";

/** Why a signature was not given. */
export type NothingSigned =
  /** What the member saw has changed; each change is one sentence. */
  { kind: "CHANGED"; changes: string[] } | { kind: "NOT_CONFIRMED"; message: string } | Refused;
