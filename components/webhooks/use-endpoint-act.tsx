"use client";

import { type ReactNode, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type {
  EndpointChangeResult,
  NewEndpointResult,
  ReplayResult,
  TestEventResult,
} from "@/lib/contract/views/webhooks-view";
import type { ReplaySince } from "@/lib/contract/webhooks";

const UNKNOWN =
  "Sluice did not answer, so the change may or may not have happened. Reload the page to check.";

/**
 * One change to an endpoint.
 * @param run calls the server
 * @param onDone unless it was refused
 * @param prove step-up, where needed
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

interface ActDialogProps {
  title: string;
  children: ReactNode;
  /** The cancel button. */
  keepLabel: string;
  actLabel: string;
  busyLabel: string;
  kind: "primary" | "deny";
  act: { refusal: string | null; isBusy: boolean; act: () => void };
  onClose: () => void;
}

/** Confirms a change and states its consequences. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, keepLabel, actLabel, busyLabel, kind, act, onClose } = props;
  return (
    <Dialog title={title} onCancel={onClose}>
      <div className="ink2 dialog-l wh-say">{children}</div>
      <ActRefusal message={act.refusal} />
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind={kind} busy={act.isBusy} onClick={act.act}>
          {act.isBusy ? busyLabel : actLabel}
        </Button>
      </div>
    </Dialog>
  );
}

export function ActRefusal({ message }: { message: string | null }) {
  return <div role="status">{message ? <Note tone="red">{message}</Note> : null}</div>;
}

interface OfEndpoint {
  endpointId: string;
}

export interface EndpointActions extends PresenceActions {
  createEndpoint: (input: { url: string }) => Promise<NewEndpointResult>;
  recreateEndpoint: (input: OfEndpoint) => Promise<NewEndpointResult>;
  deleteEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOnEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  switchOffEndpoint: (input: OfEndpoint) => Promise<EndpointChangeResult>;
  sendTestEvent: (input: OfEndpoint) => Promise<TestEventResult>;
  redeliver: (input: OfEndpoint & { eventId: string }) => Promise<EndpointChangeResult>;
  replayFailed: (input: OfEndpoint & { since: ReplaySince }) => Promise<ReplayResult>;
}
