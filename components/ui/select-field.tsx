import { type ComponentProps, type ReactNode, useId } from "react";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "className" | "children"> {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence that says what it must be. */
  error?: string | null;
  options: { value: string; label: string; isDisabled?: boolean }[];
}

export function SelectField({ label, hint, error, options, ...select }: SelectFieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ");
  return (
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={id}>{label}</label>
      <select
        {...select}
        id={id}
        className={inputClass({ of: "select", invalid: Boolean(error) })}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      {hint ? (
        <span className="text-sm text-ink-3" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}
