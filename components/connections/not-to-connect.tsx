import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import type { OfferView } from "@/lib/contract/views/connect-view";

/** Why nothing can be connected here, and what to do instead. */
export function NotToConnect({ view }: { view: Exclude<OfferView, { kind: "CHOOSE" }> }) {
  switch (view.kind) {
    case "FOR_OWNERS":
      return (
        <PageHead
          title="Owners and co-owners connect accounts"
          lede="They sign in at the bank. Ask one of them; you see every account that they connect."
        />
      );
    case "PROVIDERS_DIALOG":
      return (
        <PageHead
          title={`This Sluice reads accounts through ${view.providerName}`}
          lede={`There are no sandbox institutions here. You find your bank in ${view.providerName}’s own window.`}
          actions={
            <Link className="link" href="/accounts/connect">
              Find your bank
            </Link>
          }
        />
      );
    case "REFUSED":
      return (
        <PageHead
          title="Nothing can be connected there now"
          lede={view.message}
          actions={
            <Link className="link" href="/accounts/connect">
              Choose another institution
            </Link>
          }
        />
      );
  }
}
