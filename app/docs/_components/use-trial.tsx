"use client";

import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { buildTrialRequest, sendTrial, type TrialAnswer } from "@/app/docs/_components/trial-request";
import type { OperationView } from "@/lib/contract/reference";

export type TrialState =
  | { kind: "READY" }
  | { kind: "SENDING" }
  | { kind: "ANSWERED"; answer: TrialAnswer }
  | { kind: "NO_ANSWER" };

export interface TrialTarget extends Pick<OperationView, "method" | "path" | "trial"> {
  basePath: string;
}

export function useTrial({ method, path, basePath, trial }: TrialTarget) {
  const { key } = useKeyMemory();
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(trial.fields.map(({ name, initial }) => [name, initial])),
  );
  const [isDryRun, setDryRun] = useState(true);
  const [problem, setProblem] = useState<{ field: string; problem: string } | null>(null);
  const [state, setState] = useState<TrialState>({ kind: "READY" });

  const send = async () => {
    if (state.kind === "SENDING") return;
    // Headers allow no other characters; the API itself refuses an invalid key.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      setProblem({ field: KEY_FIELD, problem: "Paste a key first." });
      return;
    }
    const request = buildTrialRequest({ method, basePath, path, trial, values, isDryRun });
    if ("problem" in request) {
      setProblem(request);
      return;
    }
    setProblem(null);
    setState({ kind: "SENDING" });
    try {
      const { isIdempotent } = trial;
      setState({ kind: "ANSWERED", answer: await sendTrial({ method, ...request, key, isIdempotent }) });
    } catch {
      setState({ kind: "NO_ANSWER" });
    }
  };

  const setValue = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  return { values, setValue, isDryRun, setDryRun, problem, state, send };
}

export const KEY_FIELD = "Authorization";

export interface NamedAccount {
  id: string;
  name: string;
}

/** The accounts that the reader's key lists, loaded once on request. */
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
      // No key, permission or answer: IDs can still be typed.
      setState("FAILED");
    }
  };
  return { accounts, loadAccounts, isLoading: state === "LOADING", hasFailed: state === "FAILED" };
}

interface AccountsAnswer {
  data?: { items?: NamedAccount[] };
}

/** By hand: a schema library would dominate this page's script size. */
function readAccounts(answer: AccountsAnswer): NamedAccount[] | null {
  return answer.data?.items?.map(({ id, name }) => ({ id: String(id), name: String(name) })) ?? null;
}

interface KeyMemory {
  key: string;
  setKey: (key: string) => void;
}

const KeyContext = createContext<KeyMemory>({ key: "", setKey: () => {} });

/** Keeps the reader's API key in memory while the reference is open: never in a URL, storage or form history. */
export function KeyMemoryProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState("");
  const memory = useMemo(() => ({ key, setKey }), [key]);
  return <KeyContext value={memory}>{children}</KeyContext>;
}

export function useKeyMemory(): KeyMemory {
  return useContext(KeyContext);
}
