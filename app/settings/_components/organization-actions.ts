import type { Refused } from "@/lib/contract/refused";

export type OrganizationResult = { kind: "DONE" } | Refused;

/** The server actions of the page. */
export interface OrganizationActions {
  renameOrganization: (input: { name: string }) => Promise<OrganizationResult>;
  changeTimeZone: (input: { timeZone: string }) => Promise<OrganizationResult>;
  /** As typed: empty or zero means none. */
  setNewPodFloor: (input: { amount: string }) => Promise<OrganizationResult>;
}
