"use client";

import { useState, useTransition } from "react";
import type { Refused } from "@/lib/contract/refused";

const UNKNOWN =
  "Sluice did not answer, so we do not know whether it took effect. Load this page again to see.";

/**
 * One act on an endpoint, from the button to the answer.
 * @param run calls the server
 * @param onDone what follows when it was not refused
 * @param prove asks first who sits here, for acts that take a proof
 */
export function useEndpointAct<Result extends { kind: string }>(
  run: () => Promise<Result>,
  onDone: (result: Exclude<Result, { kind: "REFUSED" }>) => void,
  prove?: () => Promise<{ kind: "DONE" } | Refused>,
) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startActing] = useTransition();
  const act = () =>
    startActing(async () => {
      setRefusal(null);
      const proof = prove ? await prove() : null;
      if (proof?.kind === "REFUSED") return setRefusal(proof.message);
      const result = await run().catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (isDone(result)) onDone(result);
      else setRefusal(isRefused(result) ? result.message : UNKNOWN);
    });
  return { refusal, isBusy, act };
}

function isDone<Result extends { kind: string }>(
  result: Result | Refused,
): result is Exclude<Result, { kind: "REFUSED" }> {
  return result.kind !== "REFUSED";
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === "REFUSED" && "message" in result;
}
