"use client";

import { useState } from "react";
import { useKeyMemory } from "@/components/docs/key-memory";
import { sendTrial, type TrialAnswer } from "@/components/docs/send-trial";
import { buildTrialRequest } from "@/components/docs/trial-request";
import type { OperationView } from "@/lib/contract/views/reference-view";

export type TrialState =
  | { kind: "READY" }
  | { kind: "SENDING" }
  | { kind: "ANSWERED"; answer: TrialAnswer }
  | { kind: "NO_ANSWER" };

export interface TrialTarget extends Pick<OperationView, "method" | "path" | "trial"> {
  basePath: string;
}

/** What was typed, and what came of it. */
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
    // A header holds no other characters; what is no key at all, the API refuses better than we could.
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

/** Stands for the key among the fields. */
export const KEY_FIELD = "Authorization";
