/** The other side of a movement that is neither an account nor named by the bank. */
export const OUTSIDE_SLUICE = "Outside Sluice";

/** Stands in for the name of someone who has left the organization. */
export const FORMER_MEMBER = "a former member";
