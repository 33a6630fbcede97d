"use client";

import { type ReactNode, useActionState, useState } from "react";
import {
  acceptAsMember,
  acceptAsNew,
  acceptWithPassword,
  signOutToAccept,
} from "@/app/invitations/[token]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { AppCodeField, NewPasswordField, PersonNameField } from "@/components/act/credential-fields";
import { useAction } from "@/components/act/use-action";
import { Breakable } from "@/components/ui/breakable";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { MAXIMUM_PASSWORD_LENGTH, MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";
import { formMessage } from "@/lib/contract/refused";

type Accept = typeof acceptAsNew | typeof acceptWithPassword | typeof acceptAsMember;
/** Why the reader has not joined yet; after joining, the action redirects. */
type AcceptAnswer = Awaited<ReturnType<Accept>>;

/**
 * `NEW`: no account has this address. `KNOWN`: one has, and must sign in. `MEMBER`: they are signed in. `OTHER`:
 * someone else is signed in in this browser.
 */
export type InvitationReader =
  | { kind: "NEW" }
  | { kind: "KNOWN" }
  | { kind: "MEMBER" }
  | { kind: "OTHER"; email: string };

interface AcceptFormsProps {
  /** From the link. */
  token: string;
  reader: InvitationReader;
  email: string;
  organizationName: string;
}

const UNKNOWN = outcomeUnknown("you may or may not have joined. Reload the page to check.");

/** What joining takes, by who opened the link. */
export function AcceptForms({ token, reader, email, organizationName }: AcceptFormsProps) {
  const accepting = useAccept(acceptOf(reader));
  const { problems } = accepting;
  const joinLabel = accepting.isBusy ? "Joining" : `Join ${organizationName}`;
  if (reader.kind === "OTHER") return <SignOutFirst {...{ token, reader, email }} />;
  if (reader.kind === "MEMBER") {
    return (
      <AcceptForm token={token} accepting={accepting} label={joinLabel}>
        <p className="text-ink-2">
          You are signed in as <Breakable text={email} />.
        </p>
      </AcceptForm>
    );
  }
  if (reader.kind === "KNOWN") {
    return (
      <AcceptForm token={token} accepting={accepting} label={joinLabel}>
        <InputField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={MAXIMUM_PASSWORD_LENGTH}
          hint="Your password for this Sluice. Or sign in first, then open the link again."
          error={problems.password ?? null}
        />
        {accepting.code ? <AppCodeField name="code" error={accepting.code.problem} /> : null}
      </AcceptForm>
    );
  }
  return (
    <AcceptForm token={token} accepting={accepting} label={joinLabel}>
      {/* Lets a password manager save the address with the password. */}
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
  token: string;
  accepting: ReturnType<typeof useAccept>;
  label: string;
  children: ReactNode;
}

/** Works with and without scripts. */
function AcceptForm({ token, accepting, label, children }: AcceptFormProps) {
  return (
    <form
      action={accepting.send}
      noValidate
      className="[&>[role='status']:empty]:-mt-4 grid gap-4 [&_.button]:whitespace-normal"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        if (!accepting.isBusy) accepting.run(form);
      }}
    >
      <input type="hidden" name="token" value={token} />
      {children}
      <div role="status">{accepting.message ? <Note tone="red">{accepting.message}</Note> : null}</div>
      <Button kind="primary" size="large" wide type="submit" busy={accepting.isBusy} worksWithoutScripts>
        {label}
      </Button>
    </form>
  );
}

interface SignOutFirstProps {
  token: string;
  reader: Extract<InvitationReader, { kind: "OTHER" }>;
  email: string;
}

function SignOutFirst({ token, reader, email }: SignOutFirstProps) {
  return (
    <form
      action={signOutToAccept}
      className="[&>[role='status']:empty]:-mt-4 grid gap-4 [&_.button]:whitespace-normal"
    >
      <input type="hidden" name="token" value={token} />
      <Note>
        You are signed in as <Breakable text={reader.email} />, and this invitation is for{" "}
        <Breakable text={email} />.
      </Note>
      <Button kind="outlined" size="large" wide type="submit" worksWithoutScripts>
        Sign out, then accept it
      </Button>
    </form>
  );
}

function acceptOf(reader: InvitationReader): Accept {
  if (reader.kind === "MEMBER") return acceptAsMember;
  return reader.kind === "KNOWN" ? acceptWithPassword : acceptAsNew;
}

function useAccept(accept: Accept) {
  const [sent, send] = useActionState(accept, null);
  // Kept while the next one is on its way: the field for the code stays.
  const [answered, setAnswered] = useState<AcceptAnswer | null>(null);
  const accepting = useAction((form: FormData) => accept(null, form), {
    whenLost: UNKNOWN,
    onDone: setAnswered,
    onRefused: setAnswered,
    afterwards: null,
  });
  const answer = answered ?? sent;
  const refusal = answer?.kind === "REFUSED" ? answer : null;
  return {
    message: formMessage(refusal),
    problems: refusal?.problems ?? {},
    code: answer?.kind === "CODE_NEEDED" ? answer : null,
    isBusy: accepting.isBusy,
    send,
    run: accepting.run,
  };
}
