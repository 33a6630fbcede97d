import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting } from "@/lib/words/messages/email-layout";

/** What every handler needs. */
export interface NoticeContext {
  client: Queryable;
  appUrl: string;
  isSandboxBank: boolean;
  log: Services["log"];
}

/** Turns notices of one kind into a message. Null: it is no longer relevant. */
export interface NoticeHandler {
  one(context: NoticeContext, notice: DueNotice): Promise<OutgoingNotice | null>;
  /**
   * At least two notices with the same digest key, the gravest listed first. Null: never combined nor deferred, because
   * it changes where money can go or what everyone can do.
   */
  digest: ((context: NoticeContext, notices: readonly DueNotice[]) => Promise<OutgoingNotice | null>) | null;
}

export function settingOf(
  context: NoticeContext,
  notice: Pick<DueNotice, "organizationName" | "timeZone">,
): MessageSetting {
  return {
    organizationName: notice.organizationName,
    timeZone: notice.timeZone,
    isSandboxBank: context.isSandboxBank,
  };
}

/** For notices of one organization, whose subjects are read at once. */
export function subjectsOf(notices: readonly DueNotice[]): { organizationId: string; ids: string[] } {
  const organizationId = notices[0]?.organizationId ?? "";
  return { organizationId, ids: notices.map(({ subjectId }) => subjectId) };
}
