import type { RuleVersionView, RuleView } from "@/lib/contract/views/rule-view";

/** Where the shown version stands, in one sentence beside its status. */
export function standingWords(
  view: Pick<RuleView, "shown" | "activeVersion" | "latestVersion" | "pausedAt">,
): string {
  const { shown, activeVersion, latestVersion, pausedAt } = view;
  if (shown.state === "DISCARDED") return "It was thrown away and cannot be activated.";
  if (shown.state === "ACTIVE") {
    if (pausedAt !== null) return "Nothing runs until an owner or co-owner resumes it.";
    return latestVersion === shown.number
      ? "It acts without asking."
      : `It acts without asking. Version ${latestVersion} is newer and not active.`;
  }
  if (activeVersion === null) return "Nothing runs until an owner or co-owner activates it.";
  return `Version ${activeVersion} keeps running until you activate this one.`;
}

export const VERSION_STATE_WORDS = {
  ACTIVE: "Active",
  PROPOSED: "Not active",
  PAST: "Was active",
  DISCARDED: "Discarded",
} as const satisfies Record<RuleVersionView["state"], string>;
