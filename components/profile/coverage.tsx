import { percent } from "@/components/profile/profile-words";
import { formatDate, formatMoment } from "@/components/time/format-instant";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import type { ProfileView } from "@/lib/contract/views/profile-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** More accounts than this are told by their number. */
const SHOWN = 12;

/** How much of the money these figures see. */
export function Coverage({ view: { profile, time } }: { view: ProfileView }) {
  const { accounts, staleConnections, firstDate, transactionCount, uncategorizedShare } = profile.coverage;
  return (
    <section className="sec" aria-labelledby="coverage">
      <div className="sec-h">
        <h2 className="h2" id="coverage">
          What this is made of
        </h2>
        <p>
          {transactionCount.toLocaleString(time.locale)}{" "}
          {transactionCount === 1 ? "transaction" : "transactions"}
          {transactionCount > 0
            ? `, ${percent(uncategorizedShare)} of the purchases without a category`
            : null}
        </p>
      </div>
      {staleConnections.map((connection) => (
        <Note key={connection.id} tone={connection.status === "ACTIVE" ? "plain" : "red"}>
          {staleWords(connection, time)}{" "}
          <Link className="link" href={`/connections/${connection.id}`}>
            Look at the connection
          </Link>
        </Note>
      ))}
      <table className="ledger tight">
        <caption className="vh">Accounts, and since when each is seen</caption>
        <tbody>
          {accounts.slice(0, SHOWN).map((account) => (
            <tr key={account.id}>
              <th scope="row">
                <Link href={`/accounts/${account.id}`}>{account.name}</Link>
              </th>
              <td className="ink2">
                {account.firstDate === null
                  ? "Nothing seen yet"
                  : `Since ${formatDate(account.firstDate, time)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {accounts.length > SHOWN ? (
        <p className="meta">
          And <Link href="/accounts">{accounts.length - SHOWN} more accounts</Link>.
        </p>
      ) : null}
      {firstDate === null ? null : (
        <p className="meta prof-p">Nothing is known of before {formatDate(firstDate, time)}.</p>
      )}
    </section>
  );
}

function staleWords(
  { institutionName, status, lastRefreshedAt }: FinancialProfile["coverage"]["staleConnections"][number],
  time: TimeContext,
): string {
  const since = lastRefreshedAt === null ? "" : ` since ${formatMoment(lastRefreshedAt, time)}`;
  if (status === "NEEDS_SIGN_IN")
    return `${institutionName} wants you to sign in again: nothing new came${since}.`;
  if (status === "DISCONNECTED") return `${institutionName} is disconnected: nothing new came${since}.`;
  return `${institutionName} has sent nothing new${since}, so some of it may be missing.`;
}
