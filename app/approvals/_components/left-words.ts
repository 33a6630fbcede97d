import type { OneOutcome } from "@/lib/contract/confirmation/decide-together";

export type NotDecided = Exclude<OneOutcome["result"], { kind: "DECIDED" | "SIGNED" }>;

/** What became of one that was not decided together with others. */
export function leftWords(result: NotDecided): string {
  if (result.kind === "ALREADY_DECIDED") {
    return `${result.byName} has ${result.decision === "APPROVED" ? "approved" : "denied"} it already.`;
  }
  if (result.kind === "EXPIRED") return "It has expired. It counts as denied.";
  return result.kind === "CHANGED" ? result.changes.join(" ") : result.message;
}
