import { type ComponentProps, type ReactNode, useId } from "react";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";

interface FieldFrameProps {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence that says what it must be. */
  error?: string | null;
}

interface InputFieldProps extends FieldFrameProps, Omit<ComponentProps<"input">, "className"> {}

export function InputField({ label, hint, error, id, ...input }: InputFieldProps) {
  const ids = useFieldIds(id);
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={ids.control}
        className={inputClass({ invalid: Boolean(error) })}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(ids, hint, error)}
      />
    </FieldFrame>
  );
}

interface TextareaFieldProps extends FieldFrameProps, Omit<ComponentProps<"textarea">, "className"> {}

export function TextareaField({ label, hint, error, id, ...textarea }: TextareaFieldProps) {
  const ids = useFieldIds(id);
  return (
    <FieldFrame ids={ids} label={label} hint={hint} error={error}>
      <textarea
        {...textarea}
        id={ids.control}
        className={inputClass({ of: "textarea", invalid: Boolean(error) })}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(ids, hint, error)}
      />
    </FieldFrame>
  );
}

interface FieldIds {
  control: string;
  hint: string;
  error: string;
}

function useFieldIds(id: string | undefined): FieldIds {
  const generated = useId();
  const control = id ?? generated;
  return { control, hint: `${control}-hint`, error: `${control}-error` };
}

function describedBy(ids: FieldIds, hint: ReactNode, error: string | null | undefined): string | undefined {
  const named = [hint ? ids.hint : null, error ? ids.error : null].filter(Boolean);
  return named.length > 0 ? named.join(" ") : undefined;
}

function FieldFrame({
  ids,
  label,
  hint,
  error,
  children,
}: FieldFrameProps & { ids: FieldIds; children: ReactNode }) {
  return (
    <div className="field grid gap-1.5 [&>label]:text-[14px] [&>label]:font-semibold">
      <label htmlFor={ids.control}>{label}</label>
      {children}
      {hint ? (
        <span className="text-sm text-ink-3" id={ids.hint}>
          {hint}
        </span>
      ) : null}
      {error ? <FieldError id={ids.error}>{error}</FieldError> : null}
    </div>
  );
}
