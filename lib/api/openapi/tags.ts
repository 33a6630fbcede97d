import type { OperationTag } from "@/lib/api/operations/operation";

/** The chapters of the reference. */
export const TAG_DESCRIPTIONS: Record<OperationTag, string> = {
  Accounts: "Pods and income sources that Sluice manages, and accounts elsewhere that it only sees.",
  Transfers: "Movements of which a managed account is a party.",
  Transactions: "What cards paid and received, and what happened on connected accounts.",
  Rules: "Triggers, conditions and actions that move money by themselves once a person has activated them.",
  "Financial profile": "Income, bills, fees, savings and spending, summed up and never as raw transactions.",
  "Audit log": "What API keys did, and why they said they did it.",
};
