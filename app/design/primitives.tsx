import type { ReactNode } from "react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { PageSluice } from "@/components/sluice/page-sluice";
import type { SluiceState } from "@/components/sluice/sluice-state";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import type { ApprovalStatus } from "@/lib/contract/views/approval-view";

const STATES: SluiceState[] = ["closed", "queued", "open", "through", "denied", "expired", "skipped"];
const STATUSES: ApprovalStatus[] = [
  "WAITING",
  "ON_ITS_WAY",
  "SETTLED",
  "DENIED",
  "FAILED",
  "RETURNED",
  "CANCELLED",
  "EXPIRED",
  "REVOKED",
];

/** The primitives in all their states. */
export function Primitives() {
  return (
    <main className="focus">
      <h1 className="h1">The sluice and its primitives</h1>
      <Section id="page-sluice" title="Page sluice">
        {STATES.slice(0, 6).map((state) => (
          <PageSluice
            key={state}
            state={state}
            amountInCents={425_000}
            gateLabel={["State", state]}
            source={{ name: "Operating", nowInCents: 1_842_055, caption: "$18,420.55 now" }}
            destination={{ name: "Taxes", nowInCents: 931_000, caption: "$9,310.00 now" }}
          />
        ))}
      </Section>
      <Section id="row-sluice" title="Row sluice">
        <ul>
          {STATES.map((state) => (
            <li key={state}>
              <Flow from="Operating" to="Taxes" state={state} /> {state}
            </li>
          ))}
        </ul>
      </Section>
      <Section id="status" title="Status">
        <Row>
          {STATUSES.map((status) => (
            <ApprovalStatusChip key={status} status={status} canDecide />
          ))}
        </Row>
      </Section>
      <Section id="money" title="Money">
        <Row>
          <Amount cents={425_000} />
          <Amount cents={-425_000} />
          <Amount cents={425_000} plus="whenPositive" />
          <Amount cents={null} />
          <Amount cents={425_000} size="xl" />
          <Amount cents={425_000} size="3xl" />
        </Row>
      </Section>
      <Section id="buttons" title="Buttons">
        <Row>
          <Button kind="primary">Approve</Button>
          <Button kind="outlined">Deny</Button>
          <Button kind="deny">Deny transfer</Button>
          <Button kind="quiet">Keep waiting</Button>
          <Button kind="primary" busy>
            Approving
          </Button>
          <Button kind="outlined" disabled>
            Not available
          </Button>
        </Row>
      </Section>
      <Section id="fields" title="Fields and notes">
        <div className="stack">
          <InputField label="Name" hint="Tool, a hyphen, then purpose." defaultValue="claude-taxes" />
          <InputField label="Up to" error="At least $1.00." defaultValue="0.50" />
          <Note>Balances refresh about once each banking day.</Note>
          <Note tone="red">
            <b>Above this key’s limit.</b> Nothing moved.
          </Note>
          <Note tone="teal">Your passkey was added.</Note>
        </div>
      </Section>
    </main>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3 pt-4">{children}</div>;
}
