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
