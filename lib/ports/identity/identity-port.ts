import { isErrorNamed } from "@/lib/platform/error-code";

/**
 * A service that checks who owns the money of an organization: the business, and each person who owns a quarter or more
 * of it (decisions page, "Onboarding").
 *
 * The application's id is the idempotency key. The caller records that it is about to submit before it does; after an
 * unclear failure it asks with `find` and never submits blindly again. Details and documents are handed over and not
 * kept by the caller, so that nothing of ours can leak them.
 *
 * Every call answers or throws within MAXIMUM_ANSWER_MS. `businessNow` is the organization's business time; a real
 * service lives in real time and ignores it.
 */
export interface IdentityPort {
  /** True for the sandbox: pages then say which entries lead to which outcome. */
  readonly isSandbox: boolean;
  readonly name: string;

  /**
   * Hands an application in. A second submission of the same one gets the first one's state.
   * @throws IdentityUnavailable when the outcome is unknown: ask with `find`
   */
  submit(application: IdentityApplication, context: { businessNow: Date }): Promise<IdentityState>;

  /**
   * What the service knows of an application; null when it never received it.
   * @throws IdentityUnavailable
   */
  find(input: {
    organizationId: string;
    applicationId: string;
    businessNow: Date;
  }): Promise<IdentityState | null>;

  /**
   * Hands over a document for one of its subjects. The same document a second time changes nothing, and so does one that
   * is not asked for.
   * @returns null where the service has no such application
   * @throws IdentityUnavailable when it may or may not have arrived: hand the same document over again
   */
  addDocument(document: IdentityDocument, context: { businessNow: Date }): Promise<IdentityState | null>;
}

export const MAXIMUM_ANSWER_MS = 20_000;
/** A business and at most four who own a quarter. */
export const MAXIMUM_SUBJECTS = 5;

export interface IdentityApplication {
  organizationId: string;
  applicationId: string;
  /** 1 to MAXIMUM_SUBJECTS; the business first, where there is one. */
  subjects: IdentitySubject[];
}

export interface IdentitySubject {
  kind: "BUSINESS" | "PERSON";
  name: string;
  /** Of the business, 25 to 100; null for the business, and for somebody who is the organization. */
  ownsPercent: number | null;
  /** Nine digits: of a person their social security number, of a business its EIN. */
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
  /** `reason`: what is wrong with what there is, as a sentence. */
  | { state: "NEEDS_DOCUMENT"; document: DocumentKind; reason: string }
  | { state: "REFUSED"; reason: string };

export interface IdentityState {
  /** APPROVED and REFUSED are final. */
  state: SubjectState["state"];
  /** In the order of the application. */
  subjects: SubjectState[];
}

/** The service did not answer: it may or may not have received what it was handed. */
export class IdentityUnavailable extends Error {
  override readonly name = "IdentityUnavailable";

  static override [Symbol.hasInstance](value: unknown): value is IdentityUnavailable {
    return isErrorNamed(value, "IdentityUnavailable");
  }
}
