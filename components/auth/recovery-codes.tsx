"use client";

import { CodesDialog } from "@/components/auth/codes-dialog";
import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

interface RecoveryCodesProps {
  about: string;
  hasCodes: boolean;
  makeRecoveryCodes: SecurityActions["makeRecoveryCodes"];
}

/** How many recovery codes are left, and new ones in their place. */
export function RecoveryCodes({ about, hasCodes, makeRecoveryCodes }: RecoveryCodesProps) {
  const change = useSecurityChange();
  return (
    <>
      <li>
        <div>
          <b>Recovery codes</b>
          <p className="meta">{about}</p>
          <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
        </div>
        <div className="acts-r">
          <Button
            kind="outlined"
            size="small"
            busy={change.isBusy}
            onClick={() => change.run(makeRecoveryCodes, () => undefined)}
          >
            {hasCodes ? "Make new codes" : "Make codes"}
          </Button>
        </div>
      </li>
      {change.codes ? <CodesDialog codes={change.codes} onClose={change.forgetCodes} /> : null}
    </>
  );
}
