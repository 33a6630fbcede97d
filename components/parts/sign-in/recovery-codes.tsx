"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { makeRecoveryCodes } from "@/app/settings/security/actions";
import type { SecurityResult } from "@/components/act/passkey-prompt";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { Dialog } from "@/components/ui/dialog";
import { SettingActions } from "@/components/ui/setting-list";
import { MONO } from "@/components/ui/text-styles";
import type { Refused } from "@/lib/contract/refused";

interface RecoveryCodesProps {
  about: string;
  hasCodes: boolean;
  /** A passkey or app that they could replace. */
  canMake: boolean;
}

export function RecoveryCodes({ about, hasCodes, canMake }: RecoveryCodesProps) {
  const making = useAction(makeRecoveryCodes, {
    proof: () => ({
      act: "MAKE_RECOVERY_CODES",
      title: "Create new recovery codes",
      confirmLabel: "Create codes",
    }),
    afterwards: refreshUnlessCodes,
  });
  return (
    <>
      <li>
        <div>
          <b>Recovery codes</b>
          <p className="text-sm text-ink-3">{about}</p>
          <RefusalNote
            message={making.message}
            onRecoveryCode={making.refusal ? () => making.runWithRecoveryCode() : null}
          />
        </div>
        {canMake ? (
          <SettingActions>
            <Button kind="outlined" size="small" busy={making.isBusy} onClick={() => making.run()}>
              {hasCodes ? "Create new codes" : "Create codes"}
            </Button>
          </SettingActions>
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
      <p className="mt-2 text-ink-2">
        Each works once in place of a lost passkey. They will not be shown again.
      </p>
      <ol className={`${MONO} mt-5 py-4 pr-5 pl-11 rounded-md bg-sunken leading-7 [columns:2] list-decimal`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p className="flex items-center gap-3 mx-0 mt-3 mb-5">
        <Button kind="outlined" size="small" onClick={copy}>
          Copy all
        </Button>
        <span className="mt-3.5 text-sm text-ink-3" role="status">
          {copyState === "COPIED" ? "Copied" : null}
          {copyState === "FAILED" ? "Could not copy. Write them down." : null}
        </span>
      </p>
      <label className={CHOICE_LABEL}>
        <input
          className={CHECKBOX}
          type="checkbox"
          checked={isStored}
          onChange={(event) => setIsStored(event.target.checked)}
        />
        I stored them where only I can read them
      </label>
      <div className={DIALOG_BUTTONS}>
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
