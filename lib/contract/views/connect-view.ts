import type { ExternalAccountType } from "@/lib/contract/account";
import type { Refused } from "@/lib/contract/refused";

/** An institution to connect. */
export interface InstitutionView {
  name: string;
  href: string;
  /** Accounts there that are connected already. */
  connectedNames: string[];
}

/** The page on which an institution is chosen. */
export type ConnectView =
  /** The member only reads. */
  | { kind: "FOR_OWNERS" }
  /** The provider signs people in through a dialog of its own. */
  | { kind: "PROVIDERS_DIALOG"; providerName: string }
  | {
      kind: "INSTITUTIONS";
      query: string;
      /** Best match first. */
      institutions: InstitutionView[];
      /** There may be more than are listed. */
      isTruncated: boolean;
    };

export interface OfferedAccountView {
  /** The institution's name for the choice. */
  template: string;
  name: string;
  externalAccountType: ExternalAccountType;
}

/** The page on which accounts at one institution are chosen. */
export type OfferView =
  | Exclude<ConnectView, { kind: "INSTITUTIONS" }>
  /** The institution is not there, or does not answer. */
  | Refused
  | {
      kind: "CHOOSE";
      institutionId: string;
      institutionName: string;
      accounts: OfferedAccountView[];
      connectedNames: string[];
    };

export type ConnectResult = { kind: "CONNECTED"; connectionId: string } | Refused;

/** What a member chose at an institution. */
export interface ConnectInput {
  institutionId: string;
  templates: string[];
}
