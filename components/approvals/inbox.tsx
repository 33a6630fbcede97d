import { DecidedSection } from "@/components/approvals/decided-section";
import { inboxTitle } from "@/components/approvals/inbox-title";
import { WaitingList } from "@/components/approvals/waiting-list";
import { OpenWaterScene } from "@/components/sluice/open-water-scene";
import { KeyHints } from "@/components/ui/key-hints";
import { PageHead } from "@/components/ui/page-head";
import type { InboxView } from "@/lib/contract/views/inbox-view";

/** The inbox: what waits, then what was decided. */
export function Inbox({ view }: { view: InboxView }) {
  const { waiting, viewer, time } = view;
  return (
    <>
      <PageHead
        title={inboxTitle(waiting.length, viewer.canDecide)}
        lede={ledeOf(view)}
        actions={waiting.length > 0 ? <InboxKeyHints /> : null}
      />
      {waiting.length > 0 ? <WaitingList waiting={waiting} time={time} /> : <OpenWaterScene />}
      <DecidedSection view={view} />
    </>
  );
}

function InboxKeyHints() {
  return (
    <KeyHints
      hints={[
        { keys: ["J", "K"], does: "move" },
        { keys: ["↵"], does: "open" },
      ]}
    />
  );
}

function ledeOf({ waiting, viewer }: InboxView): string {
  if (waiting.length === 0) {
    return viewer.canDecide
      ? "New proposals show up here, and reach you by email and SMS."
      : "New proposals show up here. Owners and co-owners decide about them.";
  }
  if (!viewer.canDecide) return "Soonest to close first. Owners and co-owners decide about them.";
  return waiting.length === 1
    ? "Open it to decide."
    : "Soonest to close first. Open each one to decide; they cannot be approved together.";
}
