import type { CoolOff, PayeeAccountKind, PayeeKind, PayeeState } from "@/lib/contract/payee";
import type { TimeContext } from "@/lib/contract/views/time-context";

export interface PayeeRowView {
  id: string;
  href: string;
  name: string;
  kind: PayeeKind;
  state: PayeeState;
  /** It can be paid, and another account of it waits for a member. */
  changeIsWaiting: boolean;
  coolsOffUntil: string | null;
  /** Of the account in force. */
  accountNumberLast4: string | null;
  lastPaidAt: string | null;
}

export interface PayeesView {
  payees: PayeeRowView[];
  coolOff: CoolOff;
  viewer: { canChange: boolean };
  time: TimeContext;
}

/** An account without its numbers. */
interface PayeeAccountView {
  holderName: string;
  accountKind: PayeeAccountKind;
  routingNumberLast4: string;
  accountNumberLast4: string;
}

export interface PayeeEventView {
  key: string;
  kind: "PROPOSED" | "DETAILS_GIVEN" | "CONFIRMED" | "DECLINED" | "REMOVED" | "INVITED";
  byKind: "MEMBER" | "API_KEY" | "PAYEE";
  byName: string;
  at: string;
  accountNumberLast4: string | null;
  note: string | null;
}

export interface PayeeView extends PayeeRowView {
  email: string | null;
  current: (PayeeAccountView & { confirmedAt: string }) | null;
  /** What a member must confirm or decline. */
  waiting:
    | (PayeeAccountView & {
        id: string;
        /** As it will be called. */
        name: string;
        givenByKind: "MEMBER" | "PAYEE";
        givenByName: string;
        givenAt: string;
        /** It names the account in force again: only the name or kind changes. */
        isSameAccount: boolean;
      })
    | null;
  /** A link that was sent and neither used nor expired. */
  link: { sentTo: string; expiresAt: string } | null;
  events: PayeeEventView[];
  coolOff: CoolOff;
  viewer: { canChange: boolean };
  time: TimeContext;
}

export interface ImportedLine {
  /** Of the file, from 1. */
  line: number;
  name: string;
  /** Null: added. */
  problem: string | null;
}
