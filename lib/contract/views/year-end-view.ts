/** A managed account's year. Amounts in cents. */
export interface YearAccountView {
  id: string;
  name: string;
  isClosed: boolean;
  openingInCents: number;
  /** Money in, from outside and from other pods. */
  inInCents: number;
  outInCents: number;
  closingInCents: number;
  /** Entries of the year. */
  count: number;
  /** Whether all its entries add up to the balance in its ledger. */
  addsUp: boolean;
}

/** Proof that a year adds up, from entries alone. Amounts in cents. */
export interface YearProofView {
  accounts: YearAccountView[];
  openingInCents: number;
  cameInInCents: number;
  cameInCount: number;
  wentOutInCents: number;
  wentOutCount: number;
  /** Between own pods and income sources: they cancel out. */
  movedInCents: number;
  movedCount: number;
  closingInCents: number;
  addsUp: boolean;
  /** ISO 8601: the moment of a cached sum, some minutes old, because adding it up takes long. */
  keptSince: string | null;
}

/** The page of the year's end. */
export interface YearEndView {
  year: number;
  /** Latest first. */
  years: { year: number; href: string; isSoFar: boolean }[];
  /** `YYYY-MM-DD`, first and last day; today for the current year. */
  firstDay: string;
  lastDay: string;
  /** ISO 8601: when it was read, for the current year. */
  readAt: string | null;
  timeZone: string;
  zipName: string;
  /** Null: this member may only read. */
  zipHref: string | null;
  outsideAccountCount: number;
}
