import type {
  ChangePayeeInput,
  CoolOff,
  NewPayeeInput,
  PayeeAccountKind,
  PayeeKind,
  PayeeState,
} from "@/lib/contract/payee";
import type { PayeeFileMatch, PayeeFilePreview } from "@/lib/contract/payees/payee-file";
import type { LookAlike } from "@/lib/contract/plain-text";
import type { Refused } from "@/lib/contract/refused";
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
  /** Another name that looks the same as this one, or as the one that waits. */
  lookAlike: LookAlike | null;
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
  /** As a member gave it, or sent a link to it. */
  email: string | null;
  /** As a program proposed it: nobody has checked whose it is. */
  proposedEmail: { email: string; byName: string } | null;
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

export type PayeeResult = { kind: "DONE" } | Refused;
export type NewPayeeResult = { kind: "ADDED"; href: string } | Refused;

export interface ImportedLine {
  /** Of the file, from 1. */
  line: number;
  name: string;
  /** Null: added. */
  problem: string | null;
}

export interface PayeeFileInput {
  text: string;
  /** Which column holds what; null: as the header says. */
  match?: PayeeFileMatch | null;
}

export interface ImportInput extends PayeeFileInput {
  /** Of the page from which it is sent. */
  formId?: string;
}

export type PreviewResult = PayeeFilePreview | Refused;
export type ImportResult = { kind: "IMPORTED"; lines: ImportedLine[] } | Refused;

export interface PayeeActions {
  addPayee: (input: NewPayeeInput) => Promise<NewPayeeResult>;
  previewPayees: (input: PayeeFileInput) => Promise<PreviewResult>;
  importPayees: (input: ImportInput) => Promise<ImportResult>;
  changePayee: (input: ChangePayeeInput) => Promise<PayeeResult>;
  confirmPayee: (input: {
    payeeId: string;
    detailsId: string;
    callBackNote: string | null;
  }) => Promise<PayeeResult>;
  declinePayee: (input: { payeeId: string; detailsId: string }) => Promise<PayeeResult>;
  sendPayeeLink: (input: { payeeId: string; email: string }) => Promise<PayeeResult>;
  removePayee: (input: { payeeId: string }) => Promise<PayeeResult>;
}
