import { Check, CircleCheck, Clock, Flag, Landmark, X } from "lucide-react";
import { Row, type Shown, Stack } from "@/app/design/specimen";
import { Amount } from "@/components/money/amount";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { RecentDecisions } from "@/components/parts/approvals/recent-decisions";
import { PageSluice } from "@/components/sluice/page-sluice";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { CheckItem, Checklist } from "@/components/ui/checklist";
import { Empty } from "@/components/ui/empty";
import { Gauge } from "@/components/ui/gauge";
import { ChevronIcon, FlowIcon, GateClosedIcon, GateOpenIcon, PodIcon } from "@/components/ui/icons";
import { Initials } from "@/components/ui/initials";
import { Note } from "@/components/ui/note";
import { Quote } from "@/components/ui/quote";
import { Status } from "@/components/ui/status";
import { Timeline } from "@/components/ui/timeline";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";

const PAGE_STATES: SluiceState[] = ["closed", "queued", "open", "through", "denied", "expired"];
const ROW_STATES: SluiceState[] = [...PAGE_STATES, "skipped", "sim"];
const STATUSES: ApprovalStatus[] = [
  "WAITING",
  "ON_ITS_WAY",
  "SETTLED",
  "PARTIAL",
  "DENIED",
  "FAILED",
  "RETURNED",
  "CANCELLED",
  "EXPIRED",
  "REVOKED",
  "RULE_CHANGED",
  "WITHDRAWN",
];
const icon = (Icon: typeof Check) => <Icon aria-hidden="true" />;

/** What says how something is. */
export const SHOWN_STATES: readonly Shown[] = [
  {
    name: "Page sluice",
    use: "One movement, where it is decided or told. Water is money; the gate is a person.",
    states: PAGE_STATES.map((state) => (
      <PageSluice
        key={state}
        state={state}
        amountInCents={425_000}
        gateLabel={["State", state]}
        source={{ name: "Operating", nowInCents: 1_842_055, caption: "$18,420.55 now" }}
        destination={{ name: "Taxes", nowInCents: 931_000, caption: "$9,310.00 now" }}
      />
    )),
  },
  {
    name: "Row sluice",
    use: "The same in a line of a table: from, the gate in the place of “to”, to.",
    states: (
      <ul className="pt-4">
        {ROW_STATES.map((state) => (
          <li key={state}>
            <Flow from="Operating" to="Taxes" state={state} /> {state}
          </li>
        ))}
      </ul>
    ),
  },
  {
    name: "Status",
    use: "An icon and a word, never color alone. Only what waits for a person is amber.",
    states: (
      <Row>
        {STATUSES.map((status) => (
          <ApprovalStatusChip key={status} status={status} canDecide />
        ))}
        <Status tone="amber" icon={<GateClosedIcon />}>
          Waiting
        </Status>
        <Status tone="teal" icon={<GateOpenIcon />}>
          On its way
        </Status>
        <Status tone="green" icon={icon(CircleCheck)}>
          Settled
        </Status>
        <Status tone="red" icon={icon(X)}>
          Denied
        </Status>
        <Status tone="mute" icon={icon(Clock)}>
          Skipped
        </Status>
      </Row>
    ),
  },
  {
    name: "Money",
    use: "Every amount, with its cents; a sign where a direction matters, a dash where it is not known.",
    states: (
      <Row>
        <Amount cents={425_000} />
        <Amount cents={-425_000} />
        <Amount cents={425_000} plus="whenPositive" />
        <Amount cents={null} />
        <Amount cents={425_000} size="xl" />
        <Amount cents={425_000} size="3xl" />
      </Row>
    ),
  },
  {
    name: "Gauge",
    use: "A trough that is filled in proportion: amber is time left, teal a savings goal, empty a deadline that passed.",
    states: (
      <Stack>
        <Gauge percent={64} tone="waiting" label="64% of the time is left" />
        <Gauge percent={65} tone="goal" label="65% of the goal" />
        <Gauge percent={0} tone="off" label="No time is left" />
      </Stack>
    ),
  },
  {
    name: "Checks",
    use: "A check before a decision: clear, to review, or blocking approval; never amber.",
    states: (
      <Checklist>
        <CheckItem icon={icon(Check)} title="Money is there" result="Clear">
          <p>Operating keeps $14,170.55 after this.</p>
        </CheckItem>
        <CheckItem icon={icon(Flag)} title="Amount is unusual" result="Review">
          <p>The largest of the last twelve was $2,400.00.</p>
        </CheckItem>
      </Checklist>
    ),
  },
  {
    name: "Timeline",
    use: "What happened, what is happening, what will.",
    states: (
      <Timeline
        items={[
          {
            key: "1",
            icon: icon(Check),
            title: "Proposed",
            detail: "by claude-bookkeeping",
            state: "done",
            tone: "good",
          },
          { key: "2", icon: icon(X), title: "Returned", detail: "R01", state: "done", tone: "bad" },
          {
            key: "3",
            icon: <GateClosedIcon />,
            title: "Waits",
            detail: "for an owner or co-owner",
            state: "waiting",
          },
          { key: "4", icon: icon(Landmark), title: "At the bank", detail: "since today", state: "underway" },
          { key: "5", icon: icon(Clock), title: "Settles", detail: "in one to three days", state: "ahead" },
        ]}
      />
    ),
  },
  {
    name: "Recent decisions",
    use: "A mark for each past proposal: tall was approved, short and red was denied.",
    states: (
      <Row>
        <RecentDecisions recent={["APPROVED", "APPROVED", "DENIED", "APPROVED", "EXPIRED", "APPROVED"]} />
      </Row>
    ),
  },
  {
    name: "Quote",
    use: "The caller’s words, word for word, in quotation marks.",
    states: <Quote words="Q4 estimate: 25% of November receipts, minus what was set aside already." />,
  },
  {
    name: "Diff",
    use: "What a new version changes: struck out, and added on water.",
    states: (
      <ul className="text-base/5.5 [&_li]:grid [&_li]:grid-cols-[84px_minmax(0,1fr)] [&_li]:gap-4 [&_li]:py-2.75 [&_li]:px-0 [&_li]:border-b [&_li]:border-rule [&_li]:wrap-anywhere [&_li:last-child]:border-b-0 [&_del]:text-ink-3 [&_del]:[text-decoration-thickness:1px] [&_ins]:rounded-[1px] [&_ins]:bg-water-3 [&_ins]:font-medium [&_ins]:no-underline [&_ins]:[box-shadow:0_0_0_3px_var(--color-water-3)] [&_ins]:[box-decoration-break:clone] max-sm:[&_li]:grid-cols-[72px_minmax(0,1fr)]">
        <li>
          <span>Step 1</span>
          <span>
            Move <del>25%</del> <ins>27%</ins> to Taxes
          </span>
        </li>
      </ul>
    ),
  },
  {
    name: "Note",
    use: "One thing to know. Red only for what was denied or failed.",
    states: (
      <Stack>
        <Note>Balances refresh about once each banking day.</Note>
        <Note tone="red">
          <b>Above this key’s limit.</b> Nothing moved.
        </Note>
        <Note tone="teal">Your passkey was added.</Note>
      </Stack>
    ),
  },
  {
    name: "Empty",
    use: "Nothing here, and what would change that.",
    states: <Empty title="No cards yet">A card spends from one pod, and at most what you say.</Empty>,
  },
  {
    name: "Icons and initials",
    use: "Gate, water and pod are drawn for us; a person is two letters beside their name.",
    states: (
      <Row>
        <GateClosedIcon />
        <GateOpenIcon />
        <FlowIcon />
        <PodIcon />
        <ChevronIcon />
        <Initials name="Mara Okafor" />
        <Initials name="Jonas" />
      </Row>
    ),
  },
];
