import { type Act, ActForm } from "@/app/sandbox/_components/act-form";
import { AmountPart, ChoicePart, NamePart } from "@/app/sandbox/_components/sentence-parts";
import {
  bookByBank,
  changeConnection,
  decidePending,
  deposit,
  moveOutside,
  payToCard,
  purchase,
  sendBack,
  silence,
} from "@/app/sandbox/actions";
import { Section } from "@/components/layout/section";
import { formatWeekdayMoment } from "@/components/time/format-instant";
import { TEST_PAYER_NAME } from "@/lib/contract/onboarding";
import type { SandboxChoice } from "@/lib/contract/sandbox";
import { ACH_RETURNS } from "@/lib/contract/transfer";
import type { SandboxView } from "@/lib/views/sandbox/read-sandbox-page";

/** A merchant where cards have not paid yet. */
const SHOP_NAME = "Corner Market";

const CATEGORIES: SandboxChoice[] = [
  { id: "SHOPPING", label: "shopping" },
  { id: "FOOD_AND_DRINK", label: "food and drink" },
  { id: "TRANSPORTATION", label: "transportation" },
  { id: "HOUSING_AND_UTILITIES", label: "housing and utilities" },
  { id: "ENTERTAINMENT_AND_TRAVEL", label: "entertainment and travel" },
  { id: "HEALTH_AND_PERSONAL_CARE", label: "health and personal care" },
  { id: "DEBT_AND_FEES", label: "debt and fees" },
  { id: "OTHER", label: "something else" },
];

/** A list of forms that read as sentences. */
export const HAPPENINGS =
  "[&>li]:grid [&>li]:grid-cols-[128px_minmax(0,1fr)] [&>li]:items-center [&>li]:gap-5 [&>li]:py-4.5 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-b-0 max-sm:[&>li]:grid-cols-1 max-sm:[&>li]:gap-1.5";

export function Happenings({ view }: { view: SandboxView }) {
  return (
    <Section id="happen" title="Make something happen">
      <ul className={HAPPENINGS}>
        <Deposit view={view} />
        <CardPurchase view={view} />
        <CardCredit view={view} />
        <SendBack
          title="ACH return"
          label="Send back"
          nothing="No external transfer has settled yet."
          words=" comes back with "
          choices={view.returnable}
          act={sendBack}
        />
        <SendBack
          title="ACH refusal"
          label="Refuse"
          nothing="No transfer is at the bank."
          words=" is refused with "
          choices={view.refusable}
          act={sendBack}
        />
        <OutsideHappenings view={view} />
        <ActForm title="Bank’s own" label="Book" busyLabel="Booking" act={bookByBank}>
          {"The bank "}
          <ChoicePart
            name="as"
            label="What the bank books"
            choices={[
              { id: "FEE", label: "charges a fee of" },
              { id: "INTEREST", label: "pays interest of" },
            ]}
          />{" "}
          <AmountPart name="amount" label="Amount that the bank books" value="$15.00" />
        </ActForm>
        <ActForm title="Outage" label="Simulate outage" busyLabel="Simulating" act={silence}>
          {"The bank does not answer for "}
          <ChoicePart
            name="minutes"
            label="How long"
            choices={[
              { id: "10", label: "10 minutes" },
              { id: "60", label: "1 hour" },
              { id: "1440", label: "1 day" },
            ]}
          />
          {view.silentUntil ? ` It is down until ${formatWeekdayMoment(view.silentUntil, view.time)}.` : ""}
        </ActForm>
      </ul>
    </Section>
  );
}

/** With every field filled in: one press deposits. */
function Deposit({ view }: { view: SandboxView }) {
  const isOff = view.receivers.length === 0;
  return (
    <ActForm title="Deposit" label="Deposit" busyLabel="Depositing" act={deposit} isOff={isOff}>
      {isOff ? (
        "There is no pod or income source yet."
      ) : (
        <>
          <AmountPart name="amount" label="Amount of the deposit" value="$7,100.00" />
          {" arrives "}
          <ChoicePart
            name="origin"
            label="How it arrives"
            choices={[
              { id: "DIRECT_DEPOSIT", label: "by ACH" },
              { id: "CHECK_DEPOSIT", label: "as a check" },
            ]}
          />
          {" in "}
          <ChoicePart name="accountId" label="Account" choices={view.receivers} />
          {" from "}
          <NamePart
            name="payerName"
            label="Who pays"
            suggestions={view.payerNames}
            fallback={TEST_PAYER_NAME}
          />
        </>
      )}
    </ActForm>
  );
}

export function SendBack({
  title,
  label,
  nothing,
  words,
  choices,
  act,
}: {
  title: string;
  label: string;
  nothing: string;
  words: string;
  choices: SandboxChoice[];
  act: Act;
}) {
  const { R01, ...others } = ACH_RETURNS;
  const codes = [
    ...Object.entries(others).map(([id, meaning]) => ({ id, label: `${id}, ${meaning}` })),
    { id: "R01", label: `R01, ${R01}; only of money drawn in` },
  ];
  const isOff = choices.length === 0;
  return (
    <ActForm title={title} label={label} busyLabel="Sending" act={act} isOff={isOff}>
      {isOff ? (
        nothing
      ) : (
        <>
          <ChoicePart name="transferId" label="Transfer" choices={choices} />
          {words}
          <ChoicePart name="code" label="Return code" choices={codes} />
        </>
      )}
    </ActForm>
  );
}

function CardPurchase({ view }: { view: SandboxView }) {
  if (view.cards.length === 0) return null;
  return (
    <ActForm title="Card purchase" label="Buy" busyLabel="Buying" act={purchase}>
      <AmountPart name="amount" label="Price" value="$49.00" />
      {" with "}
      <ChoicePart name="cardId" label="Card" choices={view.cards} />
      {" at "}
      <NamePart name="merchant" label="Merchant" suggestions={view.merchants} fallback={SHOP_NAME} />
      {" for "}
      <ChoicePart name="category" label="Kind of spending" choices={CATEGORIES} />
    </ActForm>
  );
}

/** A refund or payout to a card. */
function CardCredit({ view }: { view: SandboxView }) {
  if (view.cards.length === 0) return null;
  return (
    <ActForm title="To a card" label="Pay" busyLabel="Paying" act={payToCard}>
      <AmountPart name="amount" label="Amount" value="$49.00" />
      {" comes as "}
      <ChoicePart
        name="subtype"
        label="As what"
        choices={[
          { id: "REFUND", label: "a refund" },
          { id: "PAYOUT", label: "a payout" },
        ]}
      />
      {" to "}
      <ChoicePart name="cardId" label="Card to credit" choices={view.cards} />
      {" from "}
      <NamePart name="merchant" label="Payer" suggestions={view.merchants} fallback={SHOP_NAME} />
    </ActForm>
  );
}

function OutsideHappenings({ view }: { view: SandboxView }) {
  if (view.connections.length === 0) return null;
  return (
    <>
      <ActForm title="Outside" label="Move" busyLabel="Moving" act={moveOutside}>
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
        <NamePart name="partyName" label="Other side" suggestions={view.merchants} fallback={SHOP_NAME} />{" "}
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
        act={decidePending}
        isOff={view.pending.length === 0}
      >
        {view.pending.length === 0 ? (
          "No transaction is pending at an institution."
        ) : (
          <>
            <ChoicePart name="pendingId" label="Pending transaction" choices={view.pending} />{" "}
            <ChoicePart
              name="decision"
              label="Outcome"
              choices={[
                { id: "SETTLE", label: "settles as" },
                { id: "VANISH", label: "vanishes, not" },
              ]}
            />{" "}
            <AmountPart name="amount" label="Settled amount" value="$64.20" />
          </>
        )}
      </ActForm>
      <ActForm title="Connection" label="Apply" busyLabel="Applying" act={changeConnection}>
        <ChoicePart name="connectionId" label="Connection" choices={view.connections} />{" "}
        <ChoicePart
          name="change"
          label="Change"
          choices={[
            { id: "SIGN_IN", label: "needs a new sign-in" },
            { id: "UNAVAILABLE", label: "stops answering" },
            { id: "STALE", label: "has stale data" },
            { id: "HEALED", label: "works again" },
          ]}
        />
      </ActForm>
    </>
  );
}
