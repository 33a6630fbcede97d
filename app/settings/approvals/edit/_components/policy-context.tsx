"use client";

import { createContext, use } from "react";
import type { Policy } from "@/lib/contract/policies/policy";
import type { PolicyChoices } from "@/lib/views/policies/read-policy-page";
import type { PolicyNames } from "@/lib/words/policies/policy-names";

/** Shared by every part of the sentences. */
export interface PolicySetting {
  policy: Policy;
  edit: (next: Policy) => void;
  choices: PolicyChoices;
  names: PolicyNames;
  /** In the organization's time zone. */
  today: string;
}

const Setting = createContext<PolicySetting | null>(null);
export const PolicyProvider = Setting.Provider;

export function usePolicy(): PolicySetting {
  const setting = use(Setting);
  if (!setting) throw new Error("usePolicy was called outside of the policy editor");
  return setting;
}
