import { NamedError } from "@/lib/contract/error";

/**
 * A service that verifies who owns an organization's money: the business, and each person who owns a quarter or more of
 * it (docs/behavior/organizations.md).
 *
 * The application's id is the idempotency key. The caller records that it is about to submit before it does; after an
 * unclear failure it asks with `find` and never resubmits blindly. The caller passes details and documents on without
 * storing them, so it cannot leak them.
 *
 * Every call answers or throws within MAXIMUM_ANSWER_MS. `businessNow` is the organization's business time; a real
 * service runs in real time and ignores it.
 */
export interface IdentityPort {
  /** True for the sandbox: pages then explain which entries lead to which outcome. */
  readonly isSandbox: boolean;
  readonly name: string;

  /**
   * Submits an application. A second submission of the same one gets the state of the first.
   * @throws IdentityUnavailable if the outcome is unknown: ask with `find`
   */
  submit(application: IdentityApplication, context: { businessNow: Date }): Promise<IdentityState>;

  /**
   * What the service knows of an application; null if it never received it.
   * @throws IdentityUnavailable
   */
  find(input: {
    organizationId: string;
    applicationId: string;
    businessNow: Date;
  }): Promise<IdentityState | null>;

  /**
   * Submits a document for one of its subjects. Repeating the same document changes nothing, nor does an unrequested
   * one.
   * @returns null if the service has no such application
   * @throws IdentityUnavailable if it may or may not have arrived: submit the same document again
   */
  addDocument(document: IdentityDocument, context: { businessNow: Date }): Promise<IdentityState | null>;
}

export const MAXIMUM_ANSWER_MS = 20_000;
/** A business and at most four people who own a quarter. */
export const MAXIMUM_SUBJECTS = 5;

export interface IdentityApplication {
  organizationId: string;
  applicationId: string;
  /** 1 to MAXIMUM_SUBJECTS; the business first, if there is one. */
  subjects: IdentitySubject[];
}

export interface IdentitySubject {
  kind: "BUSINESS" | "PERSON";
  name: string;
  /** The share of the business, 25 to 100; null for the business itself, and for a person who is the organization. */
  ownsPercent: number | null;
  /** Nine digits: a person's social security number, a business's EIN. */
  taxId: string;
  /** `YYYY-MM-DD`; null for a business. */
  bornOn: string | null;
  address: { street: string; city: string; state: string; postalCode: string };
}

export type DocumentKind = "PHOTO_ID" | "FORMATION";

export interface IdentityDocument {
  organizationId: string;
  applicationId: string;
  /** Which of the application's subjects, from 0. */
  subjectIndex: number;
  /** Idempotency key. */
  documentId: string;
  mediaType: "image/jpeg" | "image/png" | "application/pdf";
  content: Uint8Array;
}

export type SubjectState =
  | { state: "CHECKING" }
  | { state: "APPROVED" }
  /** `reason`: what is wrong, as a sentence. */
  | { state: "NEEDS_DOCUMENT"; document: DocumentKind; reason: string }
  | { state: "REFUSED"; reason: string };

export interface IdentityState {
  /** APPROVED and REFUSED are final. */
  state: SubjectState["state"];
  /** In the order of the application. */
  subjects: SubjectState[];
}

/** The service did not answer: it may or may not have received the call. */
export class IdentityUnavailable extends NamedError {
  static override readonly kind = "IdentityUnavailable";
}
