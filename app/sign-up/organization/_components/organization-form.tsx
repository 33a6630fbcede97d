"use client";

import { useEffect, useState } from "react";
import { finishSignUp } from "@/app/sign-up/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useKeptFields } from "@/components/act/use-kept-fields";
import { GuardedForm, useServerForm } from "@/components/parts/sign-in/guarded-form";
import { SEGMENTED } from "@/components/ui/choice-class";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { SelectField } from "@/components/ui/select-field";

const UNKNOWN = outcomeUnknown("it may or may not be created. Reload the page to check.");

interface OrganizationFormProps {
  personName: string;
  /** IANA names. */
  timeZones: string[];
}

const KINDS = [
  {
    kind: "BUSINESS",
    label: "A business",
    does: "The business owns the money. Owners of 25% or more are checked too.",
  },
  { kind: "INDIVIDUAL", label: "An individual", does: "You own the money yourself." },
] as const;

export function OrganizationForm({ personName, timeZones }: OrganizationFormProps) {
  const form = useServerForm(finishSignUp, UNKNOWN);
  const { fields, change } = useKeptFields("organization", {
    kind: "BUSINESS",
    businessName: "",
    personName,
    timeZone: "",
  });
  const [zoneHere, setZoneHere] = useState("UTC");
  // Only the browser knows the reader's time zone.
  useEffect(() => setZoneHere(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  const timeZone = fields.timeZone || zoneHere;
  const { kind } = fields;
  const nameField = kind === "BUSINESS" ? "businessName" : "personName";
  return (
    <GuardedForm form={form} label="Continue with identity" busyLabel="Creating" needsScripts>
      <input type="hidden" name="kind" value={kind} />
      <fieldset className="grid justify-items-start gap-2 min-w-0 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:font-semibold">
        <legend>Kind</legend>
        <span className={SEGMENTED}>
          {KINDS.map((one) => (
            <LiveButton
              key={one.kind}
              aria-pressed={one.kind === kind}
              onClick={() => change({ kind: one.kind })}
            >
              {one.label}
            </LiveButton>
          ))}
        </span>
        <p className="text-sm text-ink-3">{KINDS.find((one) => one.kind === kind)?.does}</p>
      </fieldset>
      <InputField
        key={kind}
        label={kind === "BUSINESS" ? "Legal name of the business" : "Your legal name"}
        name="name"
        autoComplete={kind === "BUSINESS" ? "organization" : "name"}
        value={fields[nameField]}
        onChange={(event) => change({ [nameField]: event.currentTarget.value })}
        required
        maxLength={200}
        hint="As registered. It appears in every message from here."
        error={form.problems.name ?? null}
      />
      <SelectField
        label="Time zone"
        name="timeZone"
        value={timeZone}
        onChange={(event) => change({ timeZone: event.currentTarget.value })}
        hint="For schedules, and for when days begin and end."
        error={form.problems.timeZone ?? null}
        options={(timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]).map((zone) => ({
          value: zone,
          label: zone.replaceAll("_", " "),
        }))}
      />
    </GuardedForm>
  );
}
