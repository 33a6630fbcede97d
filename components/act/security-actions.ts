import type { Refused } from "@/lib/contract/refused";

/** Outcome of a change to a member's own ways to sign in. */
export type SecurityResult =
  | { kind: "DONE" }
  /** Shown once: only hashes are stored. */
  | { kind: "CODES"; codes: string[] }
  | Refused;
