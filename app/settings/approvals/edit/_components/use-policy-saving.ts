"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { keepPolicyDraft } from "@/app/settings/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { shownByPage } from "@/components/act/shown-by-page";
import type { Policy } from "@/lib/contract/policies/policy";
import type { PolicyEditorView } from "@/lib/views/policies/read-policy-page";

export type PolicySaveState =
  | { kind: "UNTOUCHED" }
  | { kind: "SAVING" }
  | { kind: "KEPT"; at: string }
  | { kind: "FAILED"; message: string };

interface Saved {
  version: number | null;
  revision: number | null;
}

const PAUSE_MS = 700;
const UNKNOWN = outcomeUnknown("your changes may not be saved. They are still on this page.");

/** Saves the draft shortly after each change, one request at a time, and reads what it would ask. */
export function usePolicySaving(view: PolicyEditorView, policy: Policy, revision: number) {
  const [state, setState] = useState<PolicySaveState>(
    view.saved ? { kind: "KEPT", at: view.saved.at } : { kind: "UNTOUCHED" },
  );
  const [checked, setChecked] = useState(view.checked);
  const [endedSignatures, setEndedSignatures] = useState(false);
  const latest = useRef({ policy, revision });
  latest.current = { policy, revision };
  const saved = useRef<Saved>({
    version: view.saved?.version ?? null,
    revision: view.saved?.revision ?? null,
  });
  const kept = useRef(0);
  const busy = useRef<Promise<boolean> | null>(null);

  const sendAll = useCallback(async () => {
    while (kept.current < latest.current.revision) {
      const { policy: sent, revision: number } = latest.current;
      setState({ kind: "SAVING" });
      const result = await keepPolicyDraft({ ...saved.current, policy: sent }, shownByPage()).catch(
        () => UNKNOWN,
      );
      if (result.kind !== "KEPT") {
        setState({ kind: "FAILED", message: result.message });
        return false;
      }
      kept.current = number;
      saved.current = { version: result.version, revision: result.revision };
      setChecked(result.checked);
      if (result.endedSignatures) setEndedSignatures(true);
      setState({ kind: "KEPT", at: result.keptAt });
    }
    return true;
  }, []);

  /** @returns whether everything is saved */
  const save = useCallback(async () => {
    busy.current ??= sendAll().finally(() => {
      busy.current = null;
    });
    return busy.current;
  }, [sendAll]);

  useEffect(() => {
    if (kept.current >= revision) return;
    setState({ kind: "SAVING" });
    const timer = setTimeout(() => void save(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [revision, save]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (kept.current < latest.current.revision) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);

  return { state, checked, endedSignatures, save, savedVersion: () => saved.current.version };
}
