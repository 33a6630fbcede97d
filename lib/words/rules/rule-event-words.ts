import type { RuleEventKind } from "@/lib/contract/rules/rule-event";

/** What was done to a rule, as its history says it. */
export const RULE_EVENT_WORDS: Readonly<Record<RuleEventKind, (version: number | null) => string>> = {
  ACTIVATED: (version) => `Activated version ${version}`,
  SIGNED: (version) => `Signed for version ${version}`,
  DEACTIVATED: (version) => `Deactivated version ${version}`,
  DISCARDED: (version) => `Discarded version ${version}`,
  DELETED: () => "Deleted the rule",
  PAUSED: () => "Paused: money that it moved was returned",
  RESUMED: () => "Resumed the rule",
  HOOK_MADE: () => "Created the webhook secret",
  HOOK_REMOVED: () => "Revoked the webhook secret",
  HOOK_APPROVAL_ON: () => "Required approval for its webhook",
  HOOK_APPROVAL_OFF: () => "Let its webhook run it without approval",
};
