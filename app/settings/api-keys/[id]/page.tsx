import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { KeyPage } from "@/app/settings/api-keys/[id]/_components/key-page";
import { getKey } from "@/lib/views/keys/get-key";

export const metadata: Metadata = { title: "API key" };

/** One key. */
export default memberPage({
  search: askedId,
  at: (id) => `/settings/api-keys/${id}`,
  current: "API_KEYS",
  load: getKey,
  show: ({ view }) => <KeyPage view={view} />,
});
