/** What "in" and "out" mean wherever they are shown (`border_flows`). */
export const BORDER_WORDS =
  "In and out count money that entered or left your accounts in Sluice, card payments included, less returns and refunds.";
