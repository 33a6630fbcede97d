import type { ChangePayeeInput, NewPayeeInput } from "@/lib/contract/payee";
import type { ImportedLine, PayeeFileMatch, PayeeFilePreview } from "@/lib/contract/payees/payee-file";
import type { Refused } from "@/lib/contract/refused";

export type PayeeResult = { kind: "DONE" } | Refused;

export type NewPayeeResult = { kind: "ADDED"; href: string } | Refused;

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
