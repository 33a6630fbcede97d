import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import { readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import { type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import { renderFraudReviewDue } from "@/lib/words/messages/fraud-review-due";

/** The yearly review of fraud monitoring is due; nothing if it was signed since. */
export const fraudReviewHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, now } = notice;
    const state = await readReviewState(context.client, { organizationId, now });
    if (state.kind !== "DUE") return null;
    const rendered = renderFraudReviewDue(
      { lastSignedAt: state.lastSignedAt, reviewUrl: `${context.appUrl}${FRAUD_MONITORING_HREF}` },
      settingOf(context, notice),
    );
    return { kind: "FRAUD_REVIEW_DUE", proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: () => Promise.reject(new Error("Reminders of a review have no digest")),
};
