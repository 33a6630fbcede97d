import { InkBand } from "@/components/layout/ink-band";
import { OpenGatesButton } from "@/components/parts/gates/open-gates-button";
import { WAITING_LEAF } from "@/components/sluice/ink";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { decidesMoney } from "@/lib/contract/members";
import type { ShellView } from "@/lib/views/read-shell";

interface ShutBandProps {
  view: Pick<ShellView, "closedGates" | "user">;
}

/** On every page while the gates are closed. */
export function ShutBand({ view }: ShutBandProps) {
  const { closedGates, user } = view;
  if (!closedGates) return null;
  const { closingId, closedAt, closedByName, hasPasskey, time } = closedGates;
  return (
    <InkBand role="status">
      <svg className="flex-none" viewBox="0 0 72 32" width="72" height="32" aria-hidden="true">
        <path className="fill-water opacity-55" d="M0 19H31V27H0z" />
        <path className="fill-none stroke-paper opacity-80" d="M0 27.5H72M0 18.5H28M44 18.5H72" />
        <path className="fill-none stroke-paper opacity-80" d="M31.5 3V27M40.5 3V27M28 3.5h16" />
        <rect className={WAITING_LEAF} x="33" y="12" width="6" height="15" />
      </svg>
      <p>
        <b>All gates are closed.</b>{" "}
        <span>
          Nothing moves and cards decline until an owner or co-owner opens them. Closed by{" "}
          {closedByName ?? "you"} <Moment at={closedAt} time={time} format={formatInSentence} />.
        </span>
      </p>
      {decidesMoney(user.role) ? (
        <OpenGatesButton closingId={closingId} hasPasskey={hasPasskey} place="band" />
      ) : (
        <a className={buttonClass({ kind: "outlined" })} href="/gates">
          See what stopped
        </a>
      )}
    </InkBand>
  );
}
