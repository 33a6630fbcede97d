import { FileColumns, type FileField, withColumn } from "@/components/parts/files/file-columns";
import type { PayeeFileField, PayeeFileMatch, PayeeFilePreview } from "@/lib/contract/payees/payee-file";

const NOT_IN_FILE = "Not in the file";
const FIELDS: readonly FileField<PayeeFileField>[] = [
  { field: "name", label: "Name", without: "Choose a column" },
  {
    field: "kind",
    label: "Business or person",
    without: "Choose",
    forAll: [
      { value: "=BUSINESS", label: "All are businesses" },
      { value: "=INDIVIDUAL", label: "All are people" },
    ],
  },
  { field: "email", label: "Email", without: NOT_IN_FILE },
  { field: "holderName", label: "Account holder", without: "The same as the name" },
  {
    field: "accountKind",
    label: "Kind of account",
    without: "Choose",
    forAll: [
      { value: "=CHECKING", label: "All are checking accounts" },
      { value: "=SAVINGS", label: "All are savings accounts" },
    ],
  },
  { field: "routingNumber", label: "Routing number", without: NOT_IN_FILE },
  { field: "accountNumber", label: "Account number", without: NOT_IN_FILE },
  { field: "street", label: "Street", without: NOT_IN_FILE },
  { field: "city", label: "City", without: NOT_IN_FILE },
  { field: "state", label: "State, two letters", without: NOT_IN_FILE },
  { field: "postalCode", label: "ZIP code", without: NOT_IN_FILE },
];

interface ColumnMatchProps extends Pick<PayeeFilePreview, "columns" | "match"> {
  onChange: (match: PayeeFileMatch) => void;
}

/** Which column of another product's file of payees holds what. */
export function ColumnMatch({ columns, match, onChange }: ColumnMatchProps) {
  return (
    <FileColumns
      columns={columns}
      match={match}
      fields={FIELDS}
      ofAll={(field) => (field === "kind" || field === "accountKind" ? match[field] : null)}
      onHeader={(hasHeader) => onChange({ ...match, hasHeader })}
      onPick={(field, value) => onChange(withValue(match, field, value))}
    />
  );
}

/** A match with another value of one select: a column, a value for all lines, or neither. */
export function withValue(match: PayeeFileMatch, field: PayeeFileField, value: string): PayeeFileMatch {
  const changed = withColumn<PayeeFileField, PayeeFileMatch>(match, field, value);
  if (field === "kind")
    changed.kind = value === "=BUSINESS" ? "BUSINESS" : value === "=INDIVIDUAL" ? "INDIVIDUAL" : null;
  if (field === "accountKind") {
    changed.accountKind = value === "=CHECKING" ? "CHECKING" : value === "=SAVINGS" ? "SAVINGS" : null;
  }
  return changed;
}
