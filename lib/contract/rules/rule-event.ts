/** What people, or a bank's return, did to a rule (`rule_events.kind`). */
export type RuleEventKind =
  | "ACTIVATED"
  /** One of several people that the policy asks for. */
  | "SIGNED"
  | "DEACTIVATED"
  | "DISCARDED"
  | "DELETED"
  | "PAUSED"
  | "RESUMED"
  | "HOOK_MADE"
  | "HOOK_REMOVED"
  | "HOOK_APPROVAL_ON"
  | "HOOK_APPROVAL_OFF";
