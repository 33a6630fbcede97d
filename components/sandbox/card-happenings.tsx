import { type Act, ActForm } from "@/components/sandbox/act-form";
import { AmountPart, ChoicePart, NamePart } from "@/components/sandbox/sentence-parts";
import type { SandboxChoice, SandboxView } from "@/lib/contract/views/sandbox-view";

/** A merchant charges a card. */
export function CardPurchase({ view, act }: { view: SandboxView; act: Act }) {
  if (view.cards.length === 0) return null;
  return (
    <ActForm title="Card purchase" label="Buy" busyLabel="Buying" act={act}>
      <AmountPart name="amount" label="Price" value="$49.00" />
      {" with "}
      <ChoicePart name="cardId" label="Card" choices={view.cards} />
      {" at "}
      <NamePart name="merchant" label="Merchant" suggestions={view.merchants} />
      {" for "}
      <ChoicePart name="category" label="Kind of spending" choices={CATEGORIES} />
    </ActForm>
  );
}

/** A card gets money: back from a merchant, or pushed to it. */
export function CardCredit({ view, act }: { view: SandboxView; act: Act }) {
  if (view.cards.length === 0) return null;
  return (
    <ActForm title="To a card" label="Pay" busyLabel="Paying" act={act}>
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
      <ChoicePart name="cardId" label="Card that gets it" choices={view.cards} />
      {" from "}
      <NamePart name="merchant" label="From whom" suggestions={view.merchants} />
    </ActForm>
  );
}

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
