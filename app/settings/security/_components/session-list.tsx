"use client";

import { endOtherSessions, endSession } from "@/app/settings/security/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { SettingActions, SettingList } from "@/components/ui/setting-list";

interface SessionRow {
  id: string;
  browser: string;
  /** `Network 203.0.113.x. Last seen today, 11:27.` */
  about: string;
  isThisOne: boolean;
}

interface SessionListProps {
  sessions: SessionRow[];
}

export function SessionList({ sessions }: SessionListProps) {
  const ending = useAction(endSession);
  const endingOthers = useAction(endOtherSessions);
  return (
    <>
      <SettingList>
        {sessions.map(({ id, browser, about, isThisOne }) => (
          <li key={id}>
            <div>
              <b>{browser}</b>
              <p className="text-sm text-ink-3">{about}</p>
            </div>
            <SettingActions>
              {isThisOne ? (
                <span className="text-sm text-ink-3">This browser</span>
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
            </SettingActions>
          </li>
        ))}
      </SettingList>
      {sessions.length > 1 ? (
        <p className="mt-1 mr-0 mb-0 -ml-2.5">
          <Button kind="quiet" size="small" busy={endingOthers.isBusy} onClick={() => endingOthers.run()}>
            Sign out everywhere else
          </Button>
        </p>
      ) : (
        <p className="text-sm text-ink-3 mt-2">You are not signed in anywhere else.</p>
      )}
      <RefusalNote message={ending.message ?? endingOthers.message} />
    </>
  );
}
