/** A managed account's year. Amounts in cents. */
export interface YearAccountView {
  id: string;
  name: string;
  isClosed: boolean;
  openingInCents: number;
  /** What came in, from outside and from other pods. */
  inInCents: number;
  outInCents: number;
  closingInCents: number;
  /** Entries of the year. */
  count: number;
  /** Whether its entries, all of them, give the balance that its ledger says. */
  addsUp: boolean;
}

/** The proof that a year adds up, from entries alone. Amounts in cents. */
export interface YearProofView {
  accounts: YearAccountView[];
  openingInCents: number;
  cameInInCents: number;
  cameInCount: number;
  wentOutInCents: number;
  wentOutCount: number;
  /** Between own pods and income sources: together nothing. */
  movedInCents: number;
  movedCount: number;
  closingInCents: number;
  addsUp: boolean;
  /** ISO 8601: the moment that it is of, where it was added up some minutes ago, because that takes long. */
  keptSince: string | null;
}

/** The page of the year's end. */
export interface YearEndView {
  year: number;
  /** Latest first. */
  years: { year: number; href: string; isSoFar: boolean }[];
  /** `YYYY-MM-DD`, its first and last day; of a year that goes on, today. */
  firstDay: string;
  lastDay: string;
  /** ISO 8601: when it was read, of a year that goes on. */
  readAt: string | null;
  timeZone: string;
  zipName: string;
  /** Null: this member only reads. */
  zipHref: string | null;
  outsideAccountCount: number;
}
