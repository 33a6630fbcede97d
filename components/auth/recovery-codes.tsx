"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { CHANGE_UNKNOWN } from "@/components/actions/answer-lost";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Refused } from "@/lib/contract/refused";
import type { SecurityActions, SecurityResult } from "@/lib/contract/views/auth-view";

interface RecoveryCodesProps {
  about: string;
  hasCodes: boolean;
  /** A passkey or app that they could replace. */
  canMake: boolean;
  makeRecoveryCodes: SecurityActions["makeRecoveryCodes"];
}

export function RecoveryCodes({ about, hasCodes, canMake, makeRecoveryCodes }: RecoveryCodesProps) {
  const making = useAction({
    act: makeRecoveryCodes,
    whenLost: CHANGE_UNKNOWN,
    afterwards: refreshUnlessCodes,
  });
  return (
    <>
      <li>
        <div>
          <b>Recovery codes</b>
          <p className="meta">{about}</p>
          <RefusalNote message={making.message} />
        </div>
        {canMake ? (
          <div className="acts-r">
            <Button kind="outlined" size="small" busy={making.isBusy} onClick={() => making.run()}>
              {hasCodes ? "Create new codes" : "Create codes"}
            </Button>
          </div>
        ) : null}
      </li>
      <NewCodes of={making} />
    </>
  );
}

type SecurityDone = Exclude<SecurityResult, Refused>;

/** While new codes are shown, the page waits until they are put away. */
export function refreshUnlessCodes(router: { refresh: () => void }, { kind }: SecurityDone): void {
  if (kind !== "CODES") router.refresh();
}

interface NewCodesProps {
  of: { result: SecurityDone | null; forget: () => void };
}

/** The codes that an action made, until they are put away. */
export function NewCodes({ of: { result, forget } }: NewCodesProps) {
  const router = useRouter();
  if (result?.kind !== "CODES") return null;
  const putAway = () => {
    forget();
    router.refresh();
  };
  return <CodesDialog codes={result.codes} onClose={putAway} />;
}

interface CodesDialogProps {
  codes: string[];
  onClose: () => void;
}

/**
 * Recovery codes, shown once. Esc does not close the dialog and leaving the page asks first: losing them can lock the
 * member out.
 */
function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const [isStored, setIsStored] = useState(false);
  const [copyState, setCopyState] = useState<"IDLE" | "COPIED" | "FAILED">("IDLE");
  useLeaveWarning(!isStored);

  const copy = () =>
    navigator.clipboard.writeText(codes.join("\n")).then(
      () => setCopyState("COPIED"),
      () => setCopyState("FAILED"),
    );

  return (
    <Dialog title="Store these recovery codes">
      <p className="ink2 dialog-l">
        Each works once in place of a lost passkey. They will not be shown again.
      </p>
      <ol className="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="codes-c">
        <Button kind="outlined" size="small" onClick={copy}>
          Copy all
        </Button>
        <span className="meta" role="status">
          {copyState === "COPIED" ? "Copied" : null}
          {copyState === "FAILED" ? "Could not copy. Write them down." : null}
        </span>
      </p>
      <label className="check">
        <input
          className="box"
          type="checkbox"
          checked={isStored}
          onChange={(event) => setIsStored(event.target.checked)}
        />
        I stored them where only I can read them
      </label>
      <div className="btns">
        <Button kind="primary" disabled={!isStored} onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isOn]);
}
