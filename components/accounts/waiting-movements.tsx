import { Amount } from "@/components/money/amount";
import { formatTimeLeft } from "@/components/time/format-time-left";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { AccountPageView, WaitingMovementView } from "@/lib/contract/views/account-page-view";

/** Proposals that would move money into or out of this account, each with the way to its question. */
export function WaitingMovements({
  view: { waiting, time, viewer },
}: {
  view: Pick<AccountPageView, "waiting" | "time" | "viewer">;
}) {
  return (
    <Section
      id="waiting"
      title={viewer.canDecide ? "Waits for you" : "Waits for approval"}
      fact={waiting.length}
    >
      <ul className="rl">
        {waiting.map((movement) => (
          <li key={movement.id}>
            <span>
              <Link href={movement.href}>{otherSide(movement)}</Link>
              <span className="meta blk">
                {formatTimeLeft(Date.parse(movement.expiresAt) - Date.parse(time.nowAt))} left
              </span>
            </span>
            {movement.changeInCents === null ? (
              <span className="dim">–</span>
            ) : (
              <Amount cents={movement.changeInCents} plus="whenPositive" />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A run of a rule may touch many accounts, so it is told by its rule. */
function otherSide({ changeInCents, subject }: WaitingMovementView): string {
  if (subject.kind === "RULE_RUN") return `A run of ${subject.ruleName}`;
  return (changeInCents ?? 0) > 0 ? `From ${subject.sourceName}` : `To ${subject.destinationName}`;
}
