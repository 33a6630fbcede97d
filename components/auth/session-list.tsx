"use client";

import { CHANGE_UNKNOWN } from "@/components/actions/answer-lost";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
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
  const ending = useAction({ act: actions.endSession, whenLost: CHANGE_UNKNOWN });
  const endingOthers = useAction({ act: actions.endOtherSessions, whenLost: CHANGE_UNKNOWN });
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
                  busy={ending.isBusy && ending.input?.sessionId === id}
                  onClick={() => ending.run({ sessionId: id })}
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
          <Button kind="quiet" size="small" busy={endingOthers.isBusy} onClick={() => endingOthers.run()}>
            Sign out everywhere else
          </Button>
        </p>
      ) : (
        <p className="meta set-o">You are not signed in anywhere else.</p>
      )}
      <RefusalNote message={ending.message ?? endingOthers.message} />
    </>
  );
}
