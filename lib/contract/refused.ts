import type { ErrorCode } from "@/lib/contract/error";

/** What a server action answers in place of its result. */
export interface Refused {
  kind: "REFUSED";
  /** Why, for the member to read. */
  message: string;
  /** By field, one sentence each; a form shows them beside its fields and leaves out the message. */
  problems?: Readonly<Record<string, string>>;
  code?: ErrorCode;
  /** The member must first prove that it is them. */
  needsProof?: true;
  /** Of an unexpected error, as in the log. */
  requestId?: string;
}

/** What a form says as a whole: nothing where its fields say it. */
export function formMessage(refused: Refused | null): string | null {
  return refused === null || refused.problems ? null : refused.message;
}
