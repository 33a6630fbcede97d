import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting } from "@/lib/words/messages/email-layout";

/** Where messages are written and what all of them have in common. */
export interface Telling {
  client: Queryable;
  appUrl: string;
  isSandboxBank: boolean;
  log: Services["log"];
}

/** How notices of one kind become messages. Null: there is nothing to tell any more. */
export interface Teller {
  one(telling: Telling, notice: DueNotice): Promise<OutgoingNotice | null>;
  /** At least two, of one organization and to be told together. */
  together(telling: Telling, notices: readonly DueNotice[]): Promise<OutgoingNotice | null>;
}

export function settingOf(
  telling: Telling,
  notice: Pick<DueNotice, "organizationName" | "timeZone">,
): MessageSetting {
  return {
    organizationName: notice.organizationName,
    timeZone: notice.timeZone,
    isSandboxBank: telling.isSandboxBank,
  };
}

/** Notices of one organization, with what is read of all of them at once. */
export function subjectsOf(notices: readonly DueNotice[]): { organizationId: string; ids: string[] } {
  const organizationId = notices[0]?.organizationId ?? "";
  return { organizationId, ids: notices.map(({ subjectId }) => subjectId) };
}
