"use client";

import { useEffect, useState } from "react";
import { GuardedForm, useServerForm } from "@/components/auth/guarded-form";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import type { FormAction } from "@/lib/contract/views/onboarding-view";

interface OrganizationFormProps {
  personName: string;
  /** IANA names. */
  timeZones: string[];
  finish: FormAction;
}

const KINDS = [
  {
    kind: "BUSINESS",
    label: "A business",
    does: "It owns the money. People who own a quarter or more of it are checked too.",
  },
  { kind: "INDIVIDUAL", label: "An individual", does: "You own the money yourself." },
] as const;

/** Whose money it is: what is checked, and what stands in every message. */
export function OrganizationForm({ personName, timeZones, finish }: OrganizationFormProps) {
  const form = useServerForm(
    finish,
    "Sluice did not answer, so we do not know whether it was made. Load this page again.",
  );
  const [kind, setKind] = useState<(typeof KINDS)[number]["kind"]>("BUSINESS");
  const [timeZone, setTimeZone] = useState("UTC");
  // The server does not know it: only the browser stands where its reader is.
  useEffect(() => setTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return (
    <GuardedForm form={form} label="Go on with identity" busyLabel="Making it" needsScripts>
      <input type="hidden" name="kind" value={kind} />
      <fieldset className="onb-k">
        <legend>What it is</legend>
        <span className="seg">
          {KINDS.map((one) => (
            <button
              key={one.kind}
              type="button"
              aria-pressed={one.kind === kind}
              onClick={() => setKind(one.kind)}
            >
              {one.label}
            </button>
          ))}
        </span>
        <p className="hint">{KINDS.find((one) => one.kind === kind)?.does}</p>
      </fieldset>
      <InputField
        key={kind}
        label={kind === "BUSINESS" ? "Legal name of the business" : "Your legal name"}
        name="name"
        autoComplete={kind === "BUSINESS" ? "organization" : "name"}
        defaultValue={kind === "BUSINESS" ? "" : personName}
        required
        maxLength={200}
        hint="As it is registered. Everybody who gets a message from here sees it."
        error={form.problems.name ?? null}
      />
      <SelectField
        label="Time zone"
        name="timeZone"
        value={timeZone}
        onChange={(event) => setTimeZone(event.currentTarget.value)}
        hint="Schedules run, and days end, on its clocks."
        error={form.problems.timeZone ?? null}
        options={(timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]).map((zone) => ({
          value: zone,
          label: zone.replaceAll("_", " "),
        }))}
      />
    </GuardedForm>
  );
}
