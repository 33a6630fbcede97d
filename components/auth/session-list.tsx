"use client";

import { useState } from "react";
import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

interface SessionRow {
  id: string;
  browser: string;
  /** `Network 203.0.113.x. Last seen today, 11:27.` */
  about: string;
  isThisOne: boolean;
}

interface SessionListProps {
  sessions: SessionRow[];
  actions: Pick<SecurityActions, "endSession" | "endOtherSessions">;
}

export function SessionList({ sessions, actions }: SessionListProps) {
  const change = useSecurityChange();
  const [ending, setEnding] = useState<string | null>(null);
  const end = (id: string) => {
    setEnding(id);
    change.run(
      () => actions.endSession({ sessionId: id }),
      () => setEnding(null),
    );
  };
  return (
    <>
      <ul className="setl">
        {sessions.map(({ id, browser, about, isThisOne }) => (
          <li key={id}>
            <div>
              <b>{browser}</b>
              <p className="meta">{about}</p>
            </div>
            <div className="acts-r">
              {isThisOne ? (
                <span className="meta">This browser</span>
              ) : (
                <Button
                  kind="quiet"
                  size="small"
                  busy={change.isBusy && ending === id}
                  onClick={() => end(id)}
                  aria-label={`End the session in ${browser}`}
                >
                  End
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <p className="set-a">
          <Button
            kind="quiet"
            size="small"
            busy={change.isBusy && ending === null}
            onClick={() => {
              setEnding(null);
              change.run(actions.endOtherSessions, () => undefined);
            }}
          >
            Sign out everywhere else
          </Button>
        </p>
      ) : (
        <p className="meta set-o">You are not signed in anywhere else.</p>
      )}
      <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
    </>
  );
}
