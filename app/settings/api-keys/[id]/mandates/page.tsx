import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { KeyMandatesPage } from "@/app/settings/api-keys/[id]/mandates/_components/key-mandates-page";
import { keyMandatesHref } from "@/lib/contract/hrefs";
import { readKeyMandatesPage } from "@/lib/views/mandates/list-key-mandates";

export const metadata: Metadata = { title: "Mandates of a key" };

/** Every mandate of one key, also those that are over. */
export default memberPage({
  search: askedId,
  at: keyMandatesHref,
  current: "API_KEYS",
  load: ({ member, ...reading }, id) =>
    readKeyMandatesPage({ ...reading, time: organizationTimeOf(member, reading.context) }, id),
  show: ({ view }) => <KeyMandatesPage view={view} />,
});
