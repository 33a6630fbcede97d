import { Inline } from "@/components/docs/prose";
import type { FieldView } from "@/lib/contract/views/reference-view";

interface FieldListProps {
  fields: readonly FieldView[];
  /** Whether to say of each field if it is required: of what is sent, not of what is answered. */
  isSent: boolean;
}

/** Fields with type, limits and what they mean; the fields within them open on demand. */
export function FieldList({ fields, isSent }: FieldListProps) {
  return (
    <ul className="par">
      {fields.map((field) => (
        <li key={field.name}>
          <span className="par-n">
            <span className="mono">{field.name}</span> <span className="meta">{field.type}</span>
          </span>
          <span className="meta">{isSent ? (field.isRequired ? "Required" : "Optional") : null}</span>
          {field.description ? (
            <p>
              <Inline text={field.description} />
            </p>
          ) : null}
          <Limits field={field} />
          {field.children.length > 0 ? (
            <details>
              <summary>{field.children.length === 1 ? "1 field" : `${field.children.length} fields`}</summary>
              <FieldList fields={field.children} isSent={isSent} />
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function Limits({ field: { values, description, defaultValue, pattern } }: { field: FieldView }) {
  // A description that explains each value has listed them.
  const isListed = values.every((value) => description?.includes(`\`${value}\``));
  return (
    <>
      {values.length > 1 && !isListed ? <div className="par-v mono">{values.join(", ")}</div> : null}
      {pattern ? (
        <div className="par-v">
          matches <span className="mono">{pattern}</span>
        </div>
      ) : null}
      {defaultValue === null ? null : (
        <div className="par-v">
          default <span className="mono">{defaultValue}</span>
        </div>
      )}
    </>
  );
}
