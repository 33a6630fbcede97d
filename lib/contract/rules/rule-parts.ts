import type { AccountKind } from "@/lib/contract/account";

/** Every account that a rule names, by its id, for describing the rule. */
export type AccountNames = Readonly<Record<string, { name: string; kind: AccountKind; isClosed: boolean }>>;

/** A piece of a sentence; key terms are what a reader must not miss (DESIGN.md, "Rule sentence"). */
export interface Phrase {
  text: string;
  isKey: boolean;
}
