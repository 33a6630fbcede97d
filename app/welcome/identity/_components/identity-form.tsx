"use client";

import { Plus, X } from "lucide-react";
import { useState } from "react";
import { submitIdentity } from "@/app/welcome/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { SendForm } from "@/components/act/send-form";
import { FormSays, textOf, useFormAnswer } from "@/components/parts/sign-in/guarded-form";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { StateField } from "@/components/ui/state-field";
import { type IdentityInput, MAXIMUM_OWNERS } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";

const UNKNOWN = outcomeUnknown("the details may or may not have arrived. Reload the page to check.");

interface IdentityFormProps {
  kind: "INDIVIDUAL" | "BUSINESS";
  organizationName: string;
  personName: string;
  /** Sandbox only: made-up details; null elsewhere. */
  sample: IdentityInput | null;
}

type Problems = NonNullable<Refused["problems"]>;

/** The details for the identity check; Sluice keeps four digits of each number. */
export function IdentityForm({ kind, organizationName, personName, sample }: IdentityFormProps) {
  const form = useFormAnswer(UNKNOWN);
  const [owners, setOwners] = useState<number[]>([1]);
  const isBusiness = kind === "BUSINESS";
  return (
    <SendForm
      className="grid gap-7 max-w-190 [&_fieldset]:min-w-0 [&_fieldset]:m-0 [&_fieldset]:p-0 [&_fieldset]:border-0 [&_legend]:px-0 [&_legend]:pt-0 [&_legend]:pb-3 [&_legend]:[font:600_17px/24px_var(--font-sans)] [&>[role='status']:empty]:hidden"
      isBusy={form.isBusy}
      onSend={(sent) => {
        const values = new FormData(sent);
        form.run((shown) => submitIdentity(inputOf(values, isBusiness, owners), shown));
      }}
    >
      {sample ? (
        <div className="grid justify-items-start gap-2">
          <Button
            kind="outlined"
            busy={form.isBusy}
            onClick={() => form.run((shown) => submitIdentity(sample, shown))}
          >
            {form.isBusy ? "Sending" : "Use a sample identity"}
          </Button>
          <p className="text-sm text-ink-3">
            Sandbox only. Sends {sample.business?.name ?? sample.people[0]?.name} with made-up numbers and
            address, which the check approves within seconds.
          </p>
        </div>
      ) : null}
      {isBusiness ? <BusinessFields name={organizationName} problems={form.problems} /> : null}
      {owners.map((owner, index) => (
        <PersonFields
          key={owner}
          prefix={`person-${owner}`}
          path={`people.${index}`}
          legend={legendOf(isBusiness, index)}
          name={index === 0 ? personName : ""}
          hasShare={isBusiness}
          problems={form.problems}
          remove={index === 0 ? null : () => setOwners(owners.filter((one) => one !== owner))}
        />
      ))}
      {isBusiness && owners.length < MAXIMUM_OWNERS ? (
        <div>
          <Button kind="quiet" size="small" onClick={() => setOwners([...owners, Math.max(...owners) + 1])}>
            <Plus />
            Add another owner
          </Button>
        </div>
      ) : null}
      <p className="text-sm text-ink-3">
        The details go to the identity check. We keep names, shares, and the last four digits of each number.
      </p>
      <FormSays answer={form.answer} />
      <div>
        <Button kind="primary" size="large" type="submit" busy={form.isBusy}>
          {form.isBusy ? "Sending" : "Verify identity"}
        </Button>
      </div>
    </SendForm>
  );
}

function legendOf(isBusiness: boolean, index: number): string {
  if (!isBusiness) return "You";
  return index === 0 ? "Owner of 25% or more" : `Owner ${index + 1}`;
}

function BusinessFields({ name, problems }: { name: string; problems: Problems }) {
  return (
    <fieldset>
      <legend>The business</legend>
      <div className="grid grid-cols-6 items-start gap-4 [&>*]:col-span-3 max-sm:[&>*]:col-span-6">
        <InputField
          label="Legal name"
          name="business-name"
          autoComplete="organization"
          defaultValue={name}
          maxLength={200}
          error={problems["business.name"] ?? null}
        />
        <InputField
          label="EIN"
          name="business-taxId"
          inputMode="numeric"
          autoComplete="off"
          placeholder="12-3456789"
          maxLength={20}
          error={problems["business.taxId"] ?? null}
        />
        <AddressFields prefix="business" path="business" problems={problems} />
      </div>
    </fieldset>
  );
}

interface PersonFieldsProps {
  prefix: string;
  path: string;
  legend: string;
  name: string;
  hasShare: boolean;
  problems: Problems;
  remove: (() => void) | null;
}

function PersonFields({ prefix, path, legend, name, hasShare, problems, remove }: PersonFieldsProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="grid grid-cols-6 items-start gap-4 [&>*]:col-span-3 max-sm:[&>*]:col-span-6">
        <InputField
          label="Legal name"
          name={`${prefix}-name`}
          autoComplete="off"
          defaultValue={name}
          maxLength={200}
          error={problems[`${path}.name`] ?? null}
        />
        <InputField
          label="Social security number"
          name={`${prefix}-taxId`}
          inputMode="numeric"
          autoComplete="off"
          placeholder="123-45-6789"
          maxLength={20}
          error={problems[`${path}.taxId`] ?? null}
        />
        <InputField
          label="Date of birth"
          name={`${prefix}-bornOn`}
          type="date"
          autoComplete="off"
          error={problems[`${path}.bornOn`] ?? null}
        />
        {hasShare ? (
          <InputField
            label="Owns, in percent"
            name={`${prefix}-owns`}
            inputMode="numeric"
            autoComplete="off"
            maxLength={5}
            error={problems[`${path}.ownsPercent`] ?? null}
          />
        ) : null}
        <AddressFields prefix={prefix} path={path} problems={problems} />
      </div>
      {remove ? (
        <Button kind="quiet" size="small" onClick={remove}>
          <X />
          Remove this owner
        </Button>
      ) : null}
    </fieldset>
  );
}

function AddressFields({ prefix, path, problems }: { prefix: string; path: string; problems: Problems }) {
  const problem = (field: string) => problems[`${path}.address.${field}`] ?? null;
  return (
    <>
      <div className="col-span-6">
        <InputField
          label="Street and number"
          name={`${prefix}-street`}
          autoComplete="off"
          maxLength={200}
          error={problem("street")}
        />
      </div>
      <div className="col-span-2 max-sm:col-span-6">
        <InputField
          label="City"
          name={`${prefix}-city`}
          autoComplete="off"
          maxLength={100}
          error={problem("city")}
        />
      </div>
      <div className="col-span-2 max-sm:col-span-6">
        <StateField name={`${prefix}-state`} autoComplete="off" defaultValue="" error={problem("state")} />
      </div>
      <div className="col-span-2 max-sm:col-span-6">
        <InputField
          label="ZIP code"
          name={`${prefix}-postalCode`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={10}
          error={problem("postalCode")}
        />
      </div>
    </>
  );
}

function inputOf(values: FormData, isBusiness: boolean, owners: readonly number[]): IdentityInput {
  const addressOf = (prefix: string) => ({
    street: textOf(values, `${prefix}-street`),
    city: textOf(values, `${prefix}-city`),
    state: textOf(values, `${prefix}-state`),
    postalCode: textOf(values, `${prefix}-postalCode`),
  });
  return {
    business: isBusiness
      ? {
          name: textOf(values, "business-name"),
          taxId: textOf(values, "business-taxId"),
          address: addressOf("business"),
        }
      : null,
    people: owners.map((owner) => ({
      name: textOf(values, `person-${owner}-name`),
      taxId: textOf(values, `person-${owner}-taxId`),
      bornOn: textOf(values, `person-${owner}-bornOn`),
      ownsPercent: isBusiness ? textOf(values, `person-${owner}-owns`).replace("%", "") : null,
      address: addressOf(`person-${owner}`),
    })),
  };
}
