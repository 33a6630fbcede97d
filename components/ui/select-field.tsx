import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "className" | "children"> {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence that says what it must be. */
  error?: string | null;
  options: { value: string; label: string }[];
}

export function SelectField({ label, hint, error, options, ...select }: SelectFieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        className={error ? "in err" : "in"}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {error ? (
        <span className="errmsg" id={`${id}-error`} role="alert">
          <CircleAlert className="ic" />
          {error}
        </span>
      ) : null}
    </div>
  );
}
