"use client";

import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

interface OtherSessionsProps {
  /** Besides this one. */
  count: number;
  endOtherSessions: SecurityActions["endOtherSessions"];
}

/** Where else a member is signed in, and the way to end it. */
export function OtherSessions({ count, endOtherSessions }: OtherSessionsProps) {
  const change = useSecurityChange();
  return (
    <>
      <ul className="setl">
        <li>
          <div>
            <b>Signed in elsewhere</b>
            <p className="meta">{aboutOthers(count)}</p>
          </div>
          {count === 0 ? null : (
            <div className="acts-r">
              <Button
                kind="outlined"
                size="small"
                busy={change.isBusy}
                onClick={() => change.run(endOtherSessions, () => undefined)}
              >
                Sign out everywhere else
              </Button>
            </div>
          )}
        </li>
      </ul>
      <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
    </>
  );
}

function aboutOthers(count: number): string {
  if (count === 0) return "Only in this browser.";
  return count === 1 ? "In 1 other browser." : `In ${count} other browsers.`;
}
