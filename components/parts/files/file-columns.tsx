import { Section } from "@/components/layout/section";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { SelectField } from "@/components/ui/select-field";

export interface FileField<Field extends string> {
  field: Field;
  label: string;
  /** Where neither a column nor a value for all lines is chosen. */
  without: string;
  /** What all lines may have in common where no column says it; `=` keeps the values apart from columns. */
  forAll?: readonly { value: `=${string}`; label: string }[];
}

interface FileMatch<Field extends string> {
  hasHeader: boolean;
  columns: Partial<Record<Field, number>>;
}

interface FileColumnsProps<Field extends string> {
  columns: readonly { name: string | null; example: string }[];
  match: FileMatch<Field>;
  fields: readonly FileField<Field>[];
  /** What is chosen for all lines, without its `=`; null: nothing. */
  ofAll: (field: Field) => string | null;
  onHeader: (hasHeader: boolean) => void;
  onPick: (field: Field, value: string) => void;
}

/** Which column of another product's file holds what. Each change is read again. */
export function FileColumns<Field extends string>({
  columns,
  match,
  fields,
  ofAll,
  onHeader,
  onPick,
}: FileColumnsProps<Field>) {
  const columnOptions = columns.map(({ name, example }, column) => ({
    value: String(column),
    label: [name || `Column ${column + 1}`, ...(example ? [`e.g. ${example}`] : [])].join(", "),
  }));
  const chosen = (field: Field) => {
    const all = ofAll(field);
    return match.columns[field]?.toString() ?? (all === null ? "" : `=${all}`);
  };
  return (
    <Section id="columns" title="Which column holds what">
      <label className={`${CHOICE_LABEL} mt-3`}>
        <input
          type="checkbox"
          className={CHECKBOX}
          checked={match.hasHeader}
          onChange={(event) => onHeader(event.target.checked)}
        />
        The first line names the columns
      </label>
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 mt-3 max-w-180 max-sm:grid-cols-1">
        {fields.map(({ field, label, without, forAll = [] }) => (
          <SelectField
            key={field}
            label={label}
            options={[{ value: "", label: without }, ...forAll, ...columnOptions]}
            value={chosen(field)}
            onChange={(event) => onPick(field, event.target.value)}
          />
        ))}
      </div>
    </Section>
  );
}

/** A match with another column for one field, or none. */
export function withColumn<Field extends string, Match extends FileMatch<Field>>(
  match: Match,
  field: Field,
  value: string,
): Match {
  const { [field]: _before, ...columns } = match.columns;
  return { ...match, columns: { ...columns, ...(/^[0-9]+$/.test(value) && { [field]: Number(value) }) } };
}
