import { Crumb } from "@/components/ui/crumb";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { ExternalAccountType } from "@/lib/contract/account";
import type { OfferView } from "@/lib/contract/views/connect-view";
import type { ConnectionView } from "@/lib/contract/views/connections-view";
import { numberWords } from "@/lib/engine/words/number-words";
import { joinWords } from "@/lib/engine/words/phrases";

const ACCOUNTS = { href: "/accounts", label: "Accounts" };

export function ConnectCrumb({ way, here }: { way?: { href: string; label: string }; here: string }) {
  return <Crumb ways={way ? [ACCOUNTS, way] : [ACCOUNTS]} here={here} />;
}

/** The connections that there are, each with its page. */
export function ConnectedBefore({ connections }: { connections: readonly ConnectionView[] }) {
  if (connections.length === 0) return null;
  return (
    <Section id="connected" title="Connected already" fact="Refresh, sign in again, disconnect">
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
                    ? "Wants you to sign in again"
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

/** What an account outside is to its owner. */
export const TYPE_WORDS: Record<ExternalAccountType, string> = {
  DEPOSITORY: "Money at the bank",
  LIABILITY: "Owed",
  INVESTMENT: "Investments",
};

/** On the button: `Connect two accounts`. */
export function chosenWords(count: number): string {
  if (count === 0) return "Connect accounts";
  return `Connect ${numberWords(count)} ${count === 1 ? "account" : "accounts"}`;
}
