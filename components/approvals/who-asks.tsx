import { KeyRound, Plug, User } from "lucide-react";
import { Tally } from "@/components/approvals/tally";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import type { AskerView } from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const KIND_WORD = {
  API_KEY: "API key",
  ASSISTANT: "Assistant",
  MEMBER: "Member",
  HOOK: "The rule’s own address",
};

/** The caller, and what became of what they proposed before. */
export function WhoAsks({ asker, time }: { asker: AskerView; time: TimeContext }) {
  return (
    <section aria-labelledby="who-asks">
      <h2 className="h3" id="who-asks">
        Who asks
      </h2>
      <p className="askr">
        <span className="askr-i">
          <AskerIcon kind={asker.kind} />
        </span>
        <span>
          <span className="key askr-n">{asker.name}</span>
          <span className="meta blk">
            {KIND_WORD[asker.kind]}
            {asker.madeByName
              ? `, ${asker.kind === "ASSISTANT" ? "connected" : "made"} by ${asker.madeByName}`
              : null}
            {asker.madeAt ? (
              <>
                {" on "}
                <Moment at={asker.madeAt} time={time} format={formatDay} />
              </>
            ) : null}
          </span>
        </span>
      </p>
      <dl className="dl askr-f">
        <dt>Last used</dt>
        <dd>{asker.lastUsedAt ? <Moment at={asker.lastUsedAt} time={time} /> : "Never before"}</dd>
        <dt>Proposals approved</dt>
        <dd>{asker.decidedCount === 0 ? "None yet" : `${asker.approvedCount} of ${asker.decidedCount}`}</dd>
      </dl>
      <Tally recent={asker.recent} />
      {asker.recent.length > 0 ? <p className="meta askr-l">{tallyLegend(asker.recent)}</p> : null}
    </section>
  );
}

function AskerIcon({ kind }: { kind: AskerView["kind"] }) {
  if (kind === "API_KEY") return <KeyRound className="ic" />;
  return kind === "ASSISTANT" || kind === "HOOK" ? <Plug className="ic" /> : <User className="ic" />;
}

function tallyLegend(recent: AskerView["recent"]): string {
  const short: string[] = [];
  if (recent.includes("DENIED")) short.push("short red ones were denied");
  if (recent.includes("EXPIRED")) short.push("short grey ones expired");
  return short.length === 0
    ? "Each mark is a proposal."
    : `Each mark is a proposal; the ${short.join(", the ")}.`;
}
