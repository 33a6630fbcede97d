import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { ConnectionView } from "@/lib/contract/views/connections-view";
import { joinWords } from "@/lib/engine/words/phrases";

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
