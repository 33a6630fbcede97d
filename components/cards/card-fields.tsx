import type { CardDraft, CardProblems } from "@/components/cards/card-draft";
import { CARD_TYPE_WORDS } from "@/components/cards/card-words";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { MAXIMUM_CARD_NAME_LENGTH } from "@/lib/contract/card";
import { cardTypeSchema } from "@/lib/contract/card-transaction";
import type { NewCardView } from "@/lib/contract/views/cards-view";

interface CardFieldsProps {
  draft: CardDraft;
  problems: CardProblems;
  pods: NewCardView["pods"];
  members: NewCardView["members"];
  onEdit: (change: Partial<Omit<CardDraft, "cardType">> & { cardType?: string }) => void;
}

/** What is asked of a new card. */
export function CardFields({ draft, problems, pods, members, onEdit }: CardFieldsProps) {
  return (
    <>
      <InputField
        label="Name"
        hint="Short; it stands beside everything that the card buys."
        autoComplete="off"
        maxLength={MAXIMUM_CARD_NAME_LENGTH}
        value={draft.name}
        error={problems.name ?? null}
        onChange={(event) => onEdit({ name: event.target.value })}
      />
      <SelectField
        label="Spends from"
        value={draft.accountId}
        error={problems.accountId ?? null}
        options={pods.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onEdit({ accountId: event.target.value })}
      />
      <SelectField
        label="Carried by"
        hint="A member of your organization."
        value={draft.holderId}
        error={problems.holderId ?? null}
        options={[
          { value: "", label: "Nobody in particular" },
          ...members.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => onEdit({ holderId: event.target.value })}
      />
      <InputField
        label="At most, each month"
        hint="In dollars. Empty for no limit but what the pod has."
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit"
        value={draft.limit}
        error={problems.limit ?? null}
        onChange={(event) => onEdit({ limit: event.target.value })}
      />
      <SelectField
        label="Kind"
        hint="How its transactions are told apart in the API."
        value={draft.cardType}
        options={cardTypeSchema.options.map((type) => ({ value: type, label: CARD_TYPE_WORDS[type] }))}
        onChange={(event) => onEdit({ cardType: event.target.value })}
      />
    </>
  );
}
