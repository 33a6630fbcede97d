import type { Refused } from "@/lib/contract/refused";

/** The server's answer to a change of a member's own number or choices. */
export type NotificationResult = { kind: "DONE" } | Refused;
