import { Section } from "@/components/layout/section";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { SelectField } from "@/components/ui/select-field";
import type { BatchFileField, BatchFileMatch, BatchFilePreview } from "@/lib/contract/approvals/batch-file";
import type { BatchSources } from "@/lib/views/transfers/list-batch-sources";

const FIELDS: readonly { field: BatchFileField; label: string; without: string }[] = [
  { field: "source", label: "From", without: "Choose a column or an account" },
  { field: "destination", label: "To", without: "Choose a column" },
  { field: "amount", label: "Amount", without: "Choose a column" },
  { field: "description", label: "Statement label", without: "Not in the file" },
];

interface MatchColumnsProps extends Pick<BatchFilePreview, "columns" | "match"> {
  sources: BatchSources;
  onChange: (match: BatchFileMatch) => void;
}

/** Which column of a file of payments holds what, and the account that pays all where no column says it. */
export function MatchColumns({ columns, match, sources, onChange }: MatchColumnsProps) {
  const columnOptions = columns.map(({ name, example }, column) => ({
    value: String(column),
    label: [name || `Column ${column + 1}`, ...(example ? [`e.g. ${example}`] : [])].join(", "),
  }));
  // `=` keeps accounts apart from columns.
  const accountOptions = sources.map(({ id, name }) => ({ value: `=${id}`, label: `All from ${name}` }));
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
            options={[
              { value: "", label: without },
              ...columnOptions,
              ...(field === "source" ? accountOptions : []),
            ]}
            value={chosenFor(match, field)}
            onChange={(event) => onChange(withValue(match, field, event.target.value))}
          />
        ))}
      </div>
    </Section>
  );
}

function chosenFor({ columns, sourceAccountId }: BatchFileMatch, field: BatchFileField): string {
  const column = columns[field];
  if (column !== undefined) return String(column);
  return field === "source" && sourceAccountId !== null ? `=${sourceAccountId}` : "";
}

/** A match with another value of one select: a column, an account for all lines, or neither. */
function withValue(match: BatchFileMatch, field: BatchFileField, value: string): BatchFileMatch {
  const { [field]: _before, ...columns } = match.columns;
  const changed: BatchFileMatch = { ...match, columns };
  if (field === "source") changed.sourceAccountId = value.startsWith("=") ? value.slice(1) : null;
  if (/^[0-9]+$/.test(value)) changed.columns[field] = Number(value);
  return changed;
}
