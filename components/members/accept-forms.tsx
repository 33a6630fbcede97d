"use client";

import { unstable_rethrow } from "next/navigation";
import { type ReactNode, useState, useTransition } from "react";
import { AppCodeField } from "@/components/auth/app-code-field";
import { NewPasswordField, PersonNameField } from "@/components/auth/credential-fields";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";
import type { AcceptRefused, InvitationView } from "@/lib/contract/views/members-view";

export interface AcceptActions {
  acceptAsNew: (input: { name: string; password: string }) => Promise<AcceptRefused>;
  acceptWithPassword: (input: { password: string; code?: string }) => Promise<AcceptRefused>;
  acceptAsMember: () => Promise<AcceptRefused>;
  signOut: () => Promise<void>;
}

interface AcceptFormsProps {
  reader: InvitationView["reader"];
  email: string;
  organizationName: string;
  actions: AcceptActions;
}

const UNKNOWN: AcceptRefused = {
  kind: "REFUSED",
  message: "Sluice did not answer, so we do not know whether you joined. Load this page again to see.",
  problems: {},
};

/** What it takes to join, for each who may hold the link. */
export function AcceptForms({ reader, email, organizationName, actions }: AcceptFormsProps) {
  const accepting = useAccept();
  const { problems } = accepting;
  const joinLabel = accepting.isBusy ? "Joining" : `Join ${organizationName}`;
  if (reader.kind === "OTHER") return <SignOutFirst {...{ reader, email, actions }} />;
  if (reader.kind === "MEMBER") {
    return (
      <AcceptForm accepting={accepting} label={joinLabel} accept={() => actions.acceptAsMember()}>
        <p className="ink2">You are signed in as {email}.</p>
      </AcceptForm>
    );
  }
  if (reader.kind === "KNOWN") {
    return (
      <AcceptForm
        accepting={accepting}
        label={joinLabel}
        accept={(form) =>
          actions.acceptWithPassword({
            password: text(form, "password"),
            ...(accepting.needsCode && { code: text(form, "code") }),
          })
        }
      >
        <InputField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={MAXIMUM_PASSWORD_LENGTH}
          hint="The one that you sign in to this Sluice with. Or sign in as usual first, and open the link again."
          error={problems.password ?? null}
        />
        {accepting.needsCode ? <AppCodeField name="code" error={problems.code ?? null} /> : null}
      </AcceptForm>
    );
  }
  return (
    <AcceptForm
      accepting={accepting}
      label={joinLabel}
      accept={(form) => actions.acceptAsNew({ name: text(form, "name"), password: text(form, "password") })}
    >
      {/* So that a password manager keeps the address with the password. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <PersonNameField error={problems.name ?? null} />
      <NewPasswordField
        label="A password"
        hint={`At least ${MINIMUM_PASSWORD_LENGTH} characters. You can add a passkey right after.`}
        error={problems.password ?? null}
      />
    </AcceptForm>
  );
}

interface AcceptFormProps {
  accepting: ReturnType<typeof useAccept>;
  label: string;
  accept: (form: FormData) => Promise<AcceptRefused>;
  children: ReactNode;
}

function AcceptForm({ accepting, label, accept, children }: AcceptFormProps) {
  return (
    <form
      noValidate
      className="inv-f"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        if (!accepting.isBusy) accepting.run(() => accept(form));
      }}
    >
      {children}
      <div role="status">{accepting.message ? <Note tone="red">{accepting.message}</Note> : null}</div>
      <Button kind="primary" size="large" wide type="submit" busy={accepting.isBusy}>
        {label}
      </Button>
    </form>
  );
}

interface SignOutFirstProps {
  reader: Extract<InvitationView["reader"], { kind: "OTHER" }>;
  email: string;
  actions: AcceptActions;
}

function SignOutFirst({ reader, email, actions }: SignOutFirstProps) {
  return (
    <form action={actions.signOut} className="inv-f">
      <Note>
        You are signed in as {reader.email}, and this invitation is for {email}.
      </Note>
      <Button kind="outlined" size="large" wide type="submit">
        Sign out, then accept it
      </Button>
    </form>
  );
}

function useAccept() {
  const [refusal, setRefusal] = useState<AcceptRefused | null>(null);
  const [isBusy, startAccepting] = useTransition();
  const run = (accept: () => Promise<AcceptRefused>) =>
    startAccepting(async () => {
      const answer = await accept().catch((error: unknown) => {
        // Being sent home comes as an error, which is the router's.
        unstable_rethrow(error);
        return UNKNOWN;
      });
      setRefusal(answer);
    });
  return {
    message: refusal?.message ?? null,
    problems: refusal?.problems ?? {},
    needsCode: refusal?.needsCode === true,
    isBusy,
    run,
  };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
