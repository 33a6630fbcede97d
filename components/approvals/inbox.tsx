import { DecidedSection } from "@/components/approvals/decided-section";
import { inboxTitle } from "@/components/approvals/inbox-title";
import { WaitingList } from "@/components/approvals/waiting-list";
import { OpenWaterScene } from "@/components/sluice/open-water-scene";
import { KeyHints } from "@/components/ui/key-hints";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import type { InboxView } from "@/lib/contract/views/inbox-view";

/** The inbox: what waits, then what was decided. */
export function Inbox({ view }: { view: InboxView }) {
  const { waiting, waitingCount, viewer, time } = view;
  return (
    <>
      <PageHead
        title={inboxTitle(waitingCount, viewer.canDecide)}
        lede={ledeOf(view)}
        actions={waiting.length > 0 ? <InboxKeyHints /> : null}
      />
      {waiting.length > 0 ? <WaitingList waiting={waiting} time={time} /> : <OpenWaterScene />}
      <MoreWaiting view={view} />
      <DecidedSection view={view} />
    </>
  );
}

function MoreWaiting({ view: { waiting, waitingCount, allWaitingHref } }: { view: InboxView }) {
  if (waitingCount <= waiting.length) return null;
  return (
    <div className="pager">
      <span>
        The {waiting.length} that close first, of {waitingCount} that wait
      </span>
      {allWaitingHref === null ? null : (
        <span className="pager-a">
          <PagerLink href={allWaitingHref}>Show all that wait</PagerLink>
        </span>
      )}
    </div>
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

function ledeOf({ waitingCount, viewer }: InboxView): string {
  if (waitingCount === 0) {
    return viewer.canDecide
      ? "New proposals show up here, and reach you by email and SMS."
      : "New proposals show up here. Owners and co-owners decide about them.";
  }
  if (!viewer.canDecide) return "Soonest to close first. Owners and co-owners decide about them.";
  return waitingCount === 1
    ? "Open it to decide."
    : "Soonest to close first. Open each one to decide; they cannot be approved together.";
}
