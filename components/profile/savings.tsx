import { Amount } from "@/components/money/amount";
import { percent } from "@/components/profile/profile-words";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import type { ProfileView } from "@/lib/contract/views/profile-view";

/** What was put away, and how far each pod is on its way to its goal. */
export function Savings({
  view: {
    profile: { savings },
  },
}: {
  view: ProfileView;
}) {
  return (
    <section aria-labelledby="savings">
      <div className="sec-h">
        <h2 className="h2" id="savings">
          Savings
        </h2>
        <p>
          {savings.netTransferredInCents < 0 ? "Taken out " : "Put away "}
          <Amount cents={Math.abs(savings.netTransferredInCents)} />
        </p>
      </div>
      {savings.targets.length === 0 ? (
        <p className="prof-p">
          A pod with a goal shows here how far it is.{" "}
          <Link className="link" href="/accounts">
            Give one a goal
          </Link>
        </p>
      ) : (
        <table className="ledger tight">
          <caption className="vh">Pods with a goal</caption>
          <tbody>
            {savings.targets.map((target) => (
              <tr key={target.accountId}>
                <th scope="row">
                  <Link href={`/accounts/${target.accountId}`}>{target.name}</Link>
                  <span className="prof-g">
                    <Gauge percent={Math.round(target.share * 100)} tone="goal" />
                  </span>
                </th>
                <td className="num">
                  <Amount cents={target.balanceInCents} />
                  <span className="meta blk">
                    {percent(target.share)} of <Amount cents={target.targetInCents} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
