"use client";

import { useState } from "react";
import { useKeyMemory } from "@/components/docs/key-memory";
import { sendTrial } from "@/components/docs/send-trial";

export interface NamedAccount {
  id: string;
  name: string;
}

/** The accounts that the reader's own key lists, so that nobody copies ids by hand. Asked for once, when they say so. */
export function useAccounts(basePath: string) {
  const { key } = useKeyMemory();
  const [accounts, setAccounts] = useState<NamedAccount[] | null>(null);
  const [state, setState] = useState<"READY" | "LOADING" | "FAILED">("READY");
  const loadAccounts = async () => {
    setState("LOADING");
    try {
      const answer = await sendTrial({
        method: "GET",
        url: `${basePath}/accounts?pageSize=100&state=ACTIVE`,
        body: null,
        key,
        isIdempotent: false,
      });
      const listed = answer.errorCode === null ? readAccounts(JSON.parse(answer.text)) : null;
      setAccounts(listed);
      setState(listed ? "READY" : "FAILED");
    } catch {
      // No key, no permission, or no answer: ids can still be typed.
      setState("FAILED");
    }
  };
  return { accounts, loadAccounts, isLoading: state === "LOADING", hasFailed: state === "FAILED" };
}

interface AccountsAnswer {
  data?: { items?: NamedAccount[] };
}

/** By hand: a schema library would be most of what this page sends to the browser. */
function readAccounts(answer: AccountsAnswer): NamedAccount[] | null {
  return answer.data?.items?.map(({ id, name }) => ({ id: String(id), name: String(name) })) ?? null;
}
