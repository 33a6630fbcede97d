import type { Metadata } from "next";
import { FinishLink } from "@/app/accounts/connect/return/_components/finish-link";
import { memberPage } from "@/app/member-page";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";

export const metadata: Metadata = { title: "Back from your bank" };

/** The redirect target for banks that use their own sign-in page. Opening it connects nothing. */
export default memberPage({
  search: ({ oauth_state_id: state }) => ({ state: typeof state === "string" ? state.slice(0, 200) : null }),
  at: ({ state }) =>
    `/accounts/connect/return${state === null ? "" : `?oauth_state_id=${encodeURIComponent(state)}`}`,
  current: "ACCOUNTS",
  // Its script reads the address itself.
  load: () => ({}),
  show: () => (
    <>
      <ConnectCrumb here="Back from your bank" />
      <FinishLink />
    </>
  ),
});
