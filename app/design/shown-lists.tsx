import { Command } from "cmdk";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { CardItem } from "@/app/cards/_components/cards-list";
import { TIME } from "@/app/design/_components/approval-examples";
import { Row, type Shown } from "@/app/design/specimen";
import { RuleSentence } from "@/app/rules/_components/rule-sentence";
import { AmountPart, ChoicePart, NamePart } from "@/app/sandbox/_components/sentence-parts";
import { listRows } from "@/app/transfers/_components/list-rows";
import { MovementDetail, MovementName } from "@/app/transfers/_components/movement-detail";
import { MovementTable } from "@/app/transfers/_components/movement-table";
import { DRAWER_HEAD, Drawer } from "@/components/layout/drawer";
import { SkeletonBar } from "@/components/layout/skeleton-bar";
import { ChoiceList, FilterChip, ToggleChip } from "@/components/parts/movements/filter-chip";
import { OnboardingStep } from "@/components/parts/onboarding/onboarding-step";
import { PART_SENTENCE, partClass } from "@/components/parts/rules/sentence-class";
import { SettingsFrame } from "@/components/parts/settings/settings-frame";
import { Found } from "@/components/shell/palette";
import { ownGroups } from "@/components/shell/palette-groups";
import { DryChannelScene, OpenWaterScene, StoppedWaterScene } from "@/components/sluice/scenes";
import { Empty } from "@/components/ui/empty";
import { TAB_COUNT, tabClass, tabListClass } from "@/components/ui/tabs";
import type { CardView } from "@/lib/views/cards/list-cards";
import type { MovementListView, MovementRowView } from "@/lib/views/movements/list-member-movements";
import type { TransferDetailView } from "@/lib/views/movements/read-transfer-detail";

const HERE = "/design?show=primitives";

const ROW: MovementRowView = {
  id: "row-1",
  at: "2026-11-20T14:14:00Z",
  fromName: "Operating",
  toName: "Taxes",
  status: "WAITING",
  amountInCents: 425_000,
  flow: "QUIET",
  about: { kind: "ASKED", by: { kind: "API_KEY", name: "claude-bookkeeping" }, label: "Q4 TAX" },
  isAssistant: false,
  openHref: HERE,
  pageHref: HERE,
  isOpen: false,
  canCancel: false,
};
const ROWS: MovementRowView[] = [
  ROW,
  {
    ...ROW,
    id: "row-2",
    at: "2026-11-19T15:02:00Z",
    status: "SETTLED",
    amountInCents: 120_000,
    flow: "PLAIN",
    about: { kind: "RULE", ruleName: "Taxes first", label: null },
    isOpen: true,
  },
  {
    ...ROW,
    id: "row-3",
    at: "2026-11-18T15:02:00Z",
    fromName: "Helvetia Health",
    toName: "Operating",
    status: "SETTLED",
    amountInCents: 610_000,
    flow: "IN",
    about: { kind: "DEPOSIT", isCheck: false },
  },
];
const LIST: Pick<MovementListView, "rows" | "time" | "viewer"> = {
  rows: ROWS,
  time: TIME,
  viewer: { canDecide: true },
};

const MOVEMENT: TransferDetailView = {
  kind: "TRANSFER",
  id: "7c1e5f0e-2b7d-7f6e-9d0a-3f61b2a944d0",
  shortId: "7c1e…44d0",
  from: { name: "Operating", href: HERE },
  to: { name: "Taxes", href: HERE },
  amountInCents: 120_000,
  status: "SETTLED",
  isAssistant: false,
  statusAt: "2026-11-19T15:04:00Z",
  createdAt: "2026-11-19T15:02:00Z",
  books: [
    {
      entryId: "e1",
      kind: "TRANSFER",
      bookedAt: "2026-11-19T15:04:00Z",
      debitName: "Taxes",
      creditName: "Operating",
      amountInCents: 120_000,
    },
  ],
  pageHref: HERE,
  viewer: { canDecide: true },
  time: TIME,
  life: [
    { kind: "PROPOSED", at: "2026-11-19T15:02:00Z", by: { kind: "API_KEY", name: "ops" }, isDryRun: false },
    {
      kind: "APPROVED",
      at: "2026-11-19T15:04:00Z",
      byName: "Mara",
      byViewer: true,
      method: "PASSKEY",
      note: null,
    },
    { kind: "SETTLED", at: "2026-11-19T15:04:00Z" },
  ],
  reason: null,
  labels: { externalId: "tax-2026-q4", metadata: [{ key: "quarter", value: "2026-Q4" }] },
  documents: [],
  label: "TAX NOV",
  rule: null,
  approvalHref: null,
  mandate: null,
  bankReferences: [],
  bankWords: null,
  tryAgainHref: null,
  settlement: null,
  canCancel: false,
  moveBackHref: null,
  reversesHref: null,
  movedBackHref: null,
  receiptHref: null,
};

const CARD: CardView = {
  id: "card-full",
  name: "Travel",
  cardType: "DEBIT_CARD",
  numberEnding: "4471",
  holderName: "Jonas Weil",
  account: { name: "Operating", href: HERE },
  monthlyLimitInCents: 200_000,
  spentInCents: 0,
  status: "ACTIVE",
  purchasesHref: HERE,
};
const CARDS: CardView[] = [
  CARD,
  {
    ...CARD,
    id: "card-low",
    name: "Software",
    holderName: null,
    numberEnding: "0932",
    spentInCents: 184_500,
  },
  { ...CARD, id: "card-frozen", name: "Fuel", numberEnding: "7719", spentInCents: 64_000, status: "FROZEN" },
];

const STEPS = [
  { id: "YOU", isDone: true, note: "Mara Okafor", href: null },
  { id: "ORGANIZATION", isDone: true, note: "Northwind Studio", href: HERE },
  { id: "IDENTITY", isDone: false, note: null, href: HERE },
  { id: "BANK", isDone: false, note: null, href: HERE },
  { id: "PODS", isDone: false, note: null, href: HERE },
] as const;

const PALETTE = ownGroups(
  {
    organizationName: "Northwind Studio",
    hasSandboxPage: true,
    hasCards: true,
    mayChange: true,
    areGatesClosed: false,
  },
  "",
  425_000,
).map((group) => ({ ...group, entries: group.entries.slice(0, 4) }));

const SKELETON_ROWS = ["72%", "58%", "64%", "48%"];

/** Lists, what opens beside them, and the words that are chosen from. */
export const SHOWN_LISTS: readonly Shown[] = [
  {
    name: "Movements table",
    use: "One table language for transfers, cards and outside accounts. The open row is the one in the drawer.",
    states: (
      <MovementTable
        rows={listRows(LIST)}
        sums={[{ label: "Sum of 12 transfers", cents: 1_824_000 }]}
        canDecide={LIST.viewer.canDecide}
        caption="Movements, newest first"
      />
    ),
  },
  {
    name: "Movements table, empty",
    use: "What will appear here, or which filter hides it.",
    states: (
      <>
        <Empty title="Nothing here yet">
          What moves in this window is listed here, also what was denied or failed.
        </Empty>
        <Empty title="No results">Clear a filter, or look further back.</Empty>
      </>
    ),
  },
  {
    name: "Skeleton",
    use: "A page that takes longer than 200 ms: the geometry of a list, or of a detail page.",
    states: (
      <div className="mt-6 border-t border-rule-strong" aria-hidden="true">
        <SkeletonBar style={{ width: 360, height: 30 }} />
        {SKELETON_ROWS.map((width) => (
          <div
            key={width}
            className="grid items-center gap-5 border-b border-rule max-sm:[&>:nth-child(n_+_3)]:hidden"
            style={{ gridTemplateColumns: "96px 1fr 140px 110px", minHeight: 53 }}
          >
            <SkeletonBar style={{ width: "72%", height: 12 }} />
            <SkeletonBar style={{ width, height: 12 }} />
            <SkeletonBar style={{ width: "64%", height: 12 }} />
            <SkeletonBar style={{ width: "48%", height: 12 }} />
          </div>
        ))}
      </div>
    ),
  },
  {
    name: "Drawer",
    use: "One movement beside its list; on phones in its place. Esc closes it, and J and K go on.",
    states: (
      <Drawer place="alone" label="A movement">
        <p className={DRAWER_HEAD}>
          <MovementName view={MOVEMENT} />
        </p>
        <MovementDetail view={MOVEMENT} />
      </Drawer>
    ),
  },
  {
    name: "Filter chips",
    use: "Each opens a small panel, one at a time; on, it says what is chosen. The address is the filter.",
    states: (
      <Row>
        <FilterChip label="Account" chosen={null}>
          <ChoiceList choices={[{ label: "Operating", href: HERE, isChosen: false }]} />
        </FilterChip>
        <FilterChip label="Status" chosen="Settled">
          <ChoiceList choices={[{ label: "Settled", href: HERE, isChosen: true }]} />
        </FilterChip>
        <ToggleChip label="Dry runs too" isOn={false} href={HERE} />
        <ToggleChip label="$4,250.00" isOn href={HERE} />
      </Row>
    ),
  },
  {
    name: "Ledger tabs",
    use: "Kinds of one list with their counts. The gate marks the open one.",
    states: (
      <nav className={tabListClass({ kind: "page" })} aria-label="Example of tabs">
        <a className={tabClass({ kind: "page" })} href={HERE} aria-current="page">
          Transfers <span className={TAB_COUNT}>48</span>
        </a>
        <a className={tabClass({ kind: "page" })} href={HERE}>
          Cards <span className={TAB_COUNT}>21</span>
        </a>
        <a className={tabClass({ kind: "page" })} href={HERE}>
          Outside <span className={TAB_COUNT}>100+</span>
        </a>
      </nav>
    ),
  },
  {
    name: "Cards",
    use: "The water is what is left of the month: full, low, and frozen, which holds none for spending.",
    states: (
      <ul className="pt-4 grid grid-cols-2 gap-10 max-sm:grid-cols-1 max-sm:gap-8">
        {CARDS.map((card) => (
          <CardItem key={card.id} card={card} view={{ viewer: { canDecide: true, hasPasskey: true } }} />
        ))}
      </ul>
    ),
  },
  {
    name: "Sentence parts",
    use: "A form that reads as a sentence: each underlined word opens one small control. Dashed is not chosen yet.",
    states: (
      <>
        <RuleSentence
          phrases={[
            { text: "When ", isKey: false },
            { text: "$1,000.00 or more", isKey: true },
            { text: " arrives at Operating, move ", isKey: false },
            { text: "25% to Taxes", isKey: true },
            { text: ".", isKey: false },
          ]}
        />
        <p className={`${PART_SENTENCE} pt-4`}>
          <NamePart name="payer" label="Who pays" suggestions={["Helvetia Health"]} fallback="Test payer" />{" "}
          pays <AmountPart name="amount" label="How much" value="6,100.00" /> to{" "}
          <ChoicePart name="account" label="Which account" choices={[{ id: "1", label: "Operating" }]} />
        </p>
        <p className={`${PART_SENTENCE} pt-4`}>
          Move <WordPart>25%</WordPart> to <WordPart state="miss">choose an account</WordPart>, keeping{" "}
          <WordPart state="open">$8,000.00</WordPart>
        </p>
      </>
    ),
  },
  {
    name: "Step rail",
    use: "The first steps of a new organization: done ones hold water, the gate is where you are.",
    states: (
      <OnboardingStep
        steps={STEPS}
        current="IDENTITY"
        title="Who is behind it"
        lede="The bank asks for this once."
      >
        <p className="text-ink-2">The step’s fields.</p>
      </OnboardingStep>
    ),
  },
  {
    name: "Settings index",
    use: "Beside each page of the settings; on phones, above it.",
    states: (
      <SettingsFrame current="SECURITY">
        <p className="text-ink-2">The page’s sections.</p>
      </SettingsFrame>
    ),
  },
  {
    name: "Palette list",
    use: "Go, find or do: one line is always chosen, and Enter takes it.",
    states: (
      <Command label="Palette" shouldFilter={false}>
        <Found groups={PALETTE} run={() => undefined} />
      </Command>
    ),
  },
  {
    name: "Empty states",
    use: "Calm water when nothing waits; a dry channel where nothing is; stopped water where something broke.",
    states: (
      <>
        <OpenWaterScene />
        <DryChannelScene />
        <StoppedWaterScene />
      </>
    ),
  },
];

/** A word of the rule editor's sentence without its control. */
function WordPart({ state, children }: { state?: "miss" | "open"; children: ReactNode }) {
  return (
    <button
      className={partClass({ control: "button", missing: state === "miss" })}
      type="button"
      aria-expanded={state === "open"}
    >
      {children}
      <ChevronDown />
    </button>
  );
}
