import { type CapActions, ChangeCap } from "@/components/keys/change-cap";
import { Gauge } from "@/components/ui/gauge";
import { formatCents } from "@/lib/contract/format-cents";
import type { KeyView } from "@/lib/contract/views/keys-view";

/** What a key may set moving in a day alone, and how far it has come today. Nothing where it asks for everything. */
export function DailyCap({ view, actions }: { view: KeyView; actions: CapActions }) {
  const { key, cap, viewer } = view;
  if (cap.isOf === "NOTHING") return null;
  return (
    <section aria-labelledby="daily-cap">
      <h2 className="h3" id="daily-cap">
        Daily cap
      </h2>
      <CapWords view={view} />
      {viewer.canDecide && key.state.kind !== "REVOKED" ? (
        <ChangeCap keyId={key.id} name={key.name} capInCents={cap.capInCents} actions={actions} />
      ) : null}
    </section>
  );
}

function CapWords({ view: { cap, viewer, key } }: { view: KeyView }) {
  if (cap.capInCents === null) {
    return (
      <p className="ink2">
        None.{" "}
        {key.state.kind === "REVOKED" ? "" : "A cap bounds what it may set moving in a day without asking."}
      </p>
    );
  }
  const percent = cap.capInCents === 0 ? 100 : Math.min(100, (cap.usedInCents / cap.capInCents) * 100);
  const whom = viewer.canDecide ? "you" : "an owner or co-owner";
  return (
    <>
      <p className="num-l">
        <b>{formatCents(cap.usedInCents)}</b>{" "}
        <span className="ink2">of {formatCents(cap.capInCents)} today</span>
      </p>
      <Gauge percent={percent} tone="goal" />
      <p className="ink2 cap-w">
        With all that rules moved because of it. Beyond the cap, each transfer and run waits for {whom}; what
        is approved is not counted. It begins anew at midnight of the organization.
      </p>
    </>
  );
}
