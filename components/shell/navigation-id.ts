/** The list pages in the navigation. */
export type NavigationId =
  | "OVERVIEW"
  | "APPROVALS"
  | "ACCOUNTS"
  | "MOVEMENTS"
  | "PAYEES"
  | "RULES"
  | "CARDS"
  | "PROFILE"
  | "API_KEYS"
  | "ASSISTANTS"
  | "WEBHOOKS"
  | "AUDIT"
  | "REFERENCE"
  | "SANDBOX"
  | "MEMBERS"
  | "SETTINGS";
