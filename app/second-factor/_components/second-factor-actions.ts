import type { PresenceActions } from "@/components/act/presence-actions";
import type { SecurityActions } from "@/components/act/security-actions";
import type { FactorStep } from "@/lib/views/members/list-security";

export interface SecondFactorView {
  /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
  shown: string;
  organizationName: string;
  /** Their other organizations, which stay accessible. */
  others: { id: string; name: string }[];
  email: string;
  step: FactorStep;
  isSandbox: boolean;
}

/** The server actions of the page for a second factor. */
export interface SecondFactorActions
  extends PresenceActions,
    Pick<
      SecurityActions,
      "beginEnrollment" | "finishEnrollment" | "beginAuthenticator" | "confirmAuthenticator"
    > {
  signOut: () => Promise<void>;
}
