import { Link2, TriangleAlert } from "lucide-react";
import { formatToSecond } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import type { AuditView } from "@/lib/contract/views/audit-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Whether the log can be trusted: how much is sealed, and what was checked for this very page. */
export function ChainState({ chain, time }: { chain: AuditView["chain"]; time: TimeContext }) {
  const isWrong = chain.broken > 0 || chain.isLate;
  return (
    <p className={isWrong ? "aud-c is-wrong" : "aud-c"} role={isWrong ? "alert" : undefined}>
      {isWrong ? (
        <TriangleAlert className="ic" aria-hidden="true" />
      ) : (
        <Link2 className="ic" aria-hidden="true" />
      )}
      <span>{isWrong ? <Wrong chain={chain} /> : <Sound chain={chain} time={time} />}</span>
    </p>
  );
}

function Wrong({ chain: { broken, checked } }: { chain: AuditView["chain"] }) {
  if (broken > 0) {
    return (
      <>
        <b>
          {broken} of the {checked} entries here {broken === 1 ? "is" : "are"} not what was sealed.
        </b>{" "}
        Somebody altered the database. Run <span className="mono">npm run audit:verify</span>.
      </>
    );
  }
  return (
    <>
      <b>Entries have waited too long for their seal.</b> Is a worker running? Its log says what stops it.
    </>
  );
}

function Sound({
  chain: { count, sealedAt, checked },
  time,
}: {
  chain: AuditView["chain"];
  time: TimeContext;
}) {
  if (sealedAt === null) return "Each entry is sealed into a chain of hashes within a second.";
  return (
    <>
      <b>Sealed:</b> {count.toLocaleString("en-US")} {count === 1 ? "entry" : "entries"}, the last{" "}
      <Moment at={sealedAt} time={time} format={formatToSecond} />.{" "}
      {checked > 0
        ? `The ${checked} below ${checked === 1 ? "was" : "were"} checked against ${checked === 1 ? "its seal" : "their seals"} at ${formatToSecond(time.nowAt, time)}.`
        : null}
    </>
  );
}
