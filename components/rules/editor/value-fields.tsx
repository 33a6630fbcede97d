"use client";

import { useState } from "react";
import { InputField } from "@/components/ui/field";
import { splitCents } from "@/lib/contract/format-cents";
import { parseCents } from "@/lib/contract/parse-cents";

interface AmountFieldProps {
  label: string;
  hint?: string;
  valueInCents: number | null;
  /** Null: nothing, or nothing that is an amount. */
  onValue: (cents: number | null) => void;
}

/** An amount as a person writes it. */
export function AmountField({ label, hint, valueInCents, onValue }: AmountFieldProps) {
  const [text, setText] = useState(valueInCents === null ? "" : writeCents(valueInCents));
  const parsed = parseCents(text);
  const isWrong = text.trim() !== "" && parsed === null;
  // Another amount took its place, e.g. that of a limit which is shared now.
  if (valueInCents !== null && valueInCents >= 0 && parsed !== valueInCents)
    setText(writeCents(valueInCents));
  return (
    <InputField
      label={label}
      hint={hint}
      error={isWrong ? "Write an amount like 1,000.00." : null}
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

interface ShareFieldProps {
  label: string;
  value: number | null;
  onValue: (percentage: number | null) => void;
}

const SHARE = /^(\d{1,3}(?:\.\d{1,4})?)\s*%?$/;

/** A share in percent, with at most four decimals. */
export function ShareField({ label, value, onValue }: ShareFieldProps) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const isWrong = text.trim() !== "" && !SHARE.test(text.trim());
  return (
    <InputField
      label={label}
      error={isWrong ? "Write a share like 27 or 33.3333." : null}
      inputMode="decimal"
      autoComplete="off"
      data-first
      maxLength={10}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const share = SHARE.exec(event.target.value.trim())?.[1];
        onValue(share === undefined ? null : Number(share));
      }}
    />
  );
}
