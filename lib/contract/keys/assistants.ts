/** What an assistant may do with its member's current role. `NOTHING`: the member has left. */
export type AssistantPower = "ASKS" | "READS" | "NOTHING";
