"use client";

import type { ReactNode } from "react";

interface SendFormProps {
  isBusy: boolean;
  onSend: (form: HTMLFormElement) => void;
  id?: string;
  className?: string;
  /** Leaves checking of its fields to the browser. */
  browserChecks?: boolean;
  children: ReactNode;
}

/** A form that scripts send: one press is one action, and a press while it runs does nothing. */
export function SendForm({ isBusy, onSend, browserChecks = false, children, ...rest }: SendFormProps) {
  return (
    <form
      method="post"
      noValidate={!browserChecks}
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSend(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
