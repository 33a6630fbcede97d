/** The kinds of account that a transfer can touch; `EXTERNAL_ENTITY` is a counterparty outside the organization. */
export type AccountKind = "INCOME_SOURCE" | "POD" | "EXTERNAL_ACCOUNT" | "LIABILITY" | "EXTERNAL_ENTITY";

/** One end of a movement, named. */
export interface AccountRefView {
  /** Null for a counterparty outside the organization. */
  id: string | null;
  name: string;
  kind: AccountKind;
}
