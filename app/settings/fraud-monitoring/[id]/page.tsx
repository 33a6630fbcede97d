import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { FraudReviewPage } from "@/app/settings/fraud-monitoring/_components/fraud-monitoring-page";
import { fraudReviewHref } from "@/lib/contract/hrefs";
import { readFraudReview } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";

export const metadata: Metadata = { title: "Signed review" };

export default memberPage({
  search: askedId,
  at: fraudReviewHref,
  current: "SETTINGS",
  load: ({ member, ...reading }, id) =>
    readFraudReview({ ...reading, time: organizationTimeOf(member, reading.context) }, id),
  show: ({ view }) => <FraudReviewPage view={view} />,
});
