"use client";

import { useState } from "react";
import { InputField } from "@/components/ui/field";
import { parseCents, splitCents } from "@/lib/contract/format-cents";

interface AmountFieldProps {
  label: string;
  hint?: string;
  valueInCents: number | null;
  /** Null if empty or not an amount. */
  onValue: (cents: number | null) => void;
}

/** A text field for an amount. */
export function AmountField({ label, hint, valueInCents, onValue }: AmountFieldProps) {
  const [text, setText] = useState(valueInCents === null ? "" : writeCents(valueInCents));
  const parsed = parseCents(text);
  const isWrong = text.trim() !== "" && parsed === null;
  // The amount was replaced from outside, e.g. by a shared limit.
  if (valueInCents !== null && valueInCents >= 0 && parsed !== valueInCents)
    setText(writeCents(valueInCents));
  return (
    <InputField
      label={label}
      hint={hint}
      error={isWrong ? "Enter an amount like 1,000.00." : null}
      inputMode="decimal"
      autoComplete="off"
      data-first
      maxLength={24}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onValue(parseCents(event.target.value));
      }}
    />
  );
}

function writeCents(cents: number): string {
  const { sign, dollars, cents: rest } = splitCents(cents);
  return `${sign}${dollars.replace(/^\$\s?/, "")}${rest}`;
}
