import { PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { LINK, SUBLINE } from "@/components/ui/text-styles";
import type { ConnectionView } from "@/lib/contract/connections";
import type { OfferView } from "@/lib/views/connections/read-connect-page";
import { joinWords } from "@/lib/words/rules/phrases";

export function ConnectedBefore({ connections }: { connections: readonly ConnectionView[] }) {
  if (connections.length === 0) return null;
  return (
    <Section id="connected" title="Connected" fact="Refresh, sign in again, disconnect">
      <ul className="grid grid-cols-2 gap-y-0 gap-x-12 [&_a]:grid [&_a]:grid-cols-[40px_minmax(0,1fr)_18px] [&_a]:items-center [&_a]:gap-3.5 [&_a]:h-full [&_a]:py-3 [&_a]:px-0 [&_a]:border-b [&_a]:border-rule [&_a]:wrap-anywhere [&_a:hover_b]:text-teal [&_b]:font-medium [&_svg]:text-ink-3 max-sm:grid-cols-1">
        {connections.map((connection) => (
          <li key={connection.id}>
            <Link href={connection.href}>
              <span
                className="grid place-items-center size-10 border border-rule-strong rounded-md font-display text-[18px] text-ink-2"
                aria-hidden="true"
              >
                {connection.institutionName.charAt(0)}
              </span>
              <span>
                <b>{connection.institutionName}</b>
                <span className={SUBLINE}>
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
            <Link className={LINK} href="/accounts/connect">
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
            <Link className={LINK} href="/accounts/connect">
              Choose another institution
            </Link>
          }
        />
      );
  }
}
