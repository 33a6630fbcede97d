import type { Refused } from "@/lib/contract/refused";

/** The only answer that ever contains a key's secret. */
export type NewKeyResult = { kind: "CREATED"; id: string; text: string } | Refused;
