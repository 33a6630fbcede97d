"use client";

import { CodesDialog } from "@/components/auth/codes-dialog";
import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

interface RecoveryCodesProps {
  about: string;
  hasCodes: boolean;
  /** There is something that they could stand in for. */
  canMake: boolean;
  makeRecoveryCodes: SecurityActions["makeRecoveryCodes"];
}

/** How many recovery codes are left, and new ones in their place. */
export function RecoveryCodes({ about, hasCodes, canMake, makeRecoveryCodes }: RecoveryCodesProps) {
  const change = useSecurityChange();
  return (
    <>
      <li>
        <div>
          <b>Recovery codes</b>
          <p className="meta">{about}</p>
          <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
        </div>
        {canMake ? (
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
        ) : null}
      </li>
      {change.codes ? <CodesDialog codes={change.codes} onClose={change.forgetCodes} /> : null}
    </>
  );
}
