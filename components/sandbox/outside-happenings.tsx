import { ActForm } from "@/components/sandbox/act-form";
import type { SandboxActs } from "@/components/sandbox/sandbox-acts";
import { AmountPart, ChoicePart, NamePart } from "@/components/sandbox/sentence-parts";
import type { SandboxView } from "@/lib/contract/views/sandbox-view";

/** What happens at connected institutions. */
export function OutsideHappenings({ view, acts }: { view: SandboxView; acts: SandboxActs }) {
  if (view.connections.length === 0) return null;
  return (
    <>
      <ActForm title="Outside" label="Move" busyLabel="Moving" act={acts.moveOutside}>
        <AmountPart name="amount" label="Amount outside" value="$64.20" />{" "}
        <ChoicePart
          name="direction"
          label="Which way"
          choices={[
            { id: "MONEY_OUT", label: "leaves" },
            { id: "MONEY_IN", label: "reaches" },
          ]}
        />{" "}
        <ChoicePart name="accountId" label="Account outside" choices={view.outsideAccounts} />
        {", other side "}
        <NamePart name="partyName" label="Other side" suggestions={view.merchants} />{" "}
        <ChoicePart
          name="as"
          label="How it appears"
          choices={[
            { id: "POSTED", label: "at once" },
            { id: "PENDING", label: "pending first" },
          ]}
        />
      </ActForm>
      <ActForm
        title="Pending outside"
        label="Decide"
        busyLabel="Deciding"
        act={acts.decidePending}
        isOff={view.pending.length === 0}
      >
        {view.pending.length === 0 ? (
          "Nothing is pending at an institution at the moment."
        ) : (
          <>
            <ChoicePart name="pendingId" label="Pending transaction" choices={view.pending} />{" "}
            <ChoicePart
              name="decision"
              label="What becomes of it"
              choices={[
                { id: "SETTLE", label: "settles as" },
                { id: "VANISH", label: "vanishes, not" },
              ]}
            />{" "}
            <AmountPart name="amount" label="Settled amount" value="$64.20" />
          </>
        )}
      </ActForm>
      <ActForm title="Connection" label="Do it" busyLabel="Doing it" act={acts.changeConnection}>
        <ChoicePart name="connectionId" label="Connection" choices={view.connections} />{" "}
        <ChoicePart
          name="change"
          label="What happens to it"
          choices={[
            { id: "SIGN_IN", label: "wants a new sign-in" },
            { id: "UNAVAILABLE", label: "stops answering" },
            { id: "STALE", label: "tells nothing new" },
            { id: "HEALED", label: "is well again" },
          ]}
        />
      </ActForm>
    </>
  );
}
