import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { KeysList } from "@/app/settings/api-keys/_components/keys-list";
import { listKeys } from "@/lib/views/keys/list-keys";

export const metadata: Metadata = { title: "API keys" };

/** The URL can ask for all keys and for revoked ones. */
export default memberPage({
  search: ({ revoked, all }) => ({ showsRevoked: revoked === "show", showsAll: all === "show" }),
  at: "/settings/api-keys",
  current: "API_KEYS",
  load: listKeys,
  show: ({ view }) => <KeysList view={view} />,
});
