import { Section } from "@/components/layout/section";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { SelectField } from "@/components/ui/select-field";
import type { PayeeFileField, PayeeFileMatch, PayeeFilePreview } from "@/lib/contract/payees/payee-file";

const FIELDS: readonly { field: PayeeFileField; label: string; without: string }[] = [
  { field: "name", label: "Name", without: "Choose a column" },
  { field: "kind", label: "Business or person", without: "" },
  { field: "email", label: "Email", without: "Not in the file" },
  { field: "holderName", label: "Account holder", without: "The same as the name" },
  { field: "accountKind", label: "Kind of account", without: "" },
  { field: "routingNumber", label: "Routing number", without: "Not in the file" },
  { field: "accountNumber", label: "Account number", without: "Not in the file" },
  { field: "street", label: "Street", without: "Not in the file" },
  { field: "city", label: "City", without: "Not in the file" },
  { field: "state", label: "State, two letters", without: "Not in the file" },
  { field: "postalCode", label: "ZIP code", without: "Not in the file" },
];

/** What all lines have in common where no column says it; `=` keeps them apart from columns. */
const FOR_ALL: Partial<Record<PayeeFileField, readonly { value: string; label: string }[]>> = {
  kind: [
    { value: "", label: "Choose" },
    { value: "=BUSINESS", label: "All are businesses" },
    { value: "=INDIVIDUAL", label: "All are people" },
  ],
  accountKind: [
    { value: "", label: "Choose" },
    { value: "=CHECKING", label: "All are checking accounts" },
    { value: "=SAVINGS", label: "All are savings accounts" },
  ],
};

interface ColumnMatchProps extends Pick<PayeeFilePreview, "columns" | "match"> {
  onChange: (match: PayeeFileMatch) => void;
}

/** Which column of another product's file holds what. Each change is read again. */
export function ColumnMatch({ columns, match, onChange }: ColumnMatchProps) {
  const columnOptions = columns.map(({ name, example }, column) => ({
    value: String(column),
    label: [name || `Column ${column + 1}`, ...(example ? [`e.g. ${example}`] : [])].join(", "),
  }));
  return (
    <Section id="columns" title="Which column holds what">
      <label className={`${CHOICE_LABEL} mt-3`}>
        <input
          type="checkbox"
          className={CHECKBOX}
          checked={match.hasHeader}
          onChange={(event) => onChange({ ...match, hasHeader: event.target.checked })}
        />
        The first line names the columns
      </label>
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 mt-3 max-w-180 max-sm:grid-cols-1">
        {FIELDS.map(({ field, label, without }) => (
          <SelectField
            key={field}
            label={label}
            options={[...(FOR_ALL[field] ?? [{ value: "", label: without }]), ...columnOptions]}
            value={chosenFor(match, field)}
            onChange={(event) => onChange(withValue(match, field, event.target.value))}
          />
        ))}
      </div>
    </Section>
  );
}

function chosenFor({ columns, kind, accountKind }: PayeeFileMatch, field: PayeeFileField): string {
  const column = columns[field];
  if (column !== undefined) return String(column);
  const forAll = field === "kind" ? kind : field === "accountKind" ? accountKind : null;
  return forAll === null ? "" : `=${forAll}`;
}

/** A match with another value of one select: a column, a value for all lines, or neither. */
export function withValue(match: PayeeFileMatch, field: PayeeFileField, value: string): PayeeFileMatch {
  const { [field]: _before, ...columns } = match.columns;
  const changed: PayeeFileMatch = { ...match, columns };
  if (field === "kind")
    changed.kind = value === "=BUSINESS" ? "BUSINESS" : value === "=INDIVIDUAL" ? "INDIVIDUAL" : null;
  if (field === "accountKind") {
    changed.accountKind = value === "=CHECKING" ? "CHECKING" : value === "=SAVINGS" ? "SAVINGS" : null;
  }
  if (/^[0-9]+$/.test(value)) changed.columns[field] = Number(value);
  return changed;
}
