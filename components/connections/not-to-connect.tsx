import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { ConnectionView, OfferView } from "@/lib/contract/views/connections-view";

import { joinWords } from "@/lib/engine/words/phrases";

export function ConnectedBefore({ connections }: { connections: readonly ConnectionView[] }) {
  if (connections.length === 0) return null;
  return (
    <Section id="connected" title="Connected" fact="Refresh, sign in again, disconnect">
      <ul className="inst">
        {connections.map((connection) => (
          <li key={connection.id}>
            <Link href={connection.href}>
              <span className="mono-i" aria-hidden="true">
                {connection.institutionName.charAt(0)}
              </span>
              <span>
                <b>{connection.institutionName}</b>
                <span className="meta blk">
                  {connection.status === "NEEDS_SIGN_IN"
                    ? "Needs you to sign in again"
                    : joinWords(connection.accounts.map(({ name }) => name)) || "No open account"}
                </span>
              </span>
              <ChevronIcon />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function NotToConnect({ view }: { view: Exclude<OfferView, { kind: "CHOOSE" }> }) {
  switch (view.kind) {
    case "FOR_OWNERS":
      return (
        <PageHead
          title="Owners and co-owners connect accounts"
          lede="Ask an owner or co-owner to sign in at the bank. You will see every account they connect."
        />
      );
    case "PROVIDERS_DIALOG":
      return (
        <PageHead
          title={`This Sluice reads accounts through ${view.providerName}`}
          lede={`Choose your bank in ${view.providerName}’s window.`}
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
          title="This institution is unavailable"
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
