"use client";

import { type ReactNode, useState } from "react";
import { AccountsList } from "@/app/accounts/_components/accounts-list";
import { Inbox } from "@/app/approvals/_components/inbox";
import { ConsentOver, ConsentPage } from "@/app/connect/[uid]/_components/consent-page";
import {
  afterArrival,
  FOR_A_VIEWER,
  inStatus,
  TIME,
  WAITING,
  WOULD_FAIL,
} from "@/app/design/_components/approval-examples";
import {
  ASSISTANTS,
  CONSENT,
  CONSENT_OF_A_VIEWER,
  DECIDE_CONSENT,
  DISCONNECT,
  NO_ASSISTANTS,
} from "@/app/design/_components/assistant-examples";
import {
  ACCOUNTS,
  EMPTY_INBOX,
  INBOX,
  MAILBOX,
  SECURITY,
  SHELL,
} from "@/app/design/_components/list-examples";
import { NO_RULES, RULES, RuleNetworkExamples } from "@/app/design/_components/rule-examples";
import {
  ENDPOINT_FOR_A_VIEWER,
  ENDPOINT_OFF,
  ENDPOINTS,
  FAILING_ENDPOINT,
  NO_ENDPOINTS,
  RECEIVING_ENDPOINT,
} from "@/app/design/_components/webhook-examples";
import type { ExampleName } from "@/app/design/example-names";
import { SHOWN_DRAWINGS } from "@/app/design/shown-drawings";
import { SHOWN_FORMS } from "@/app/design/shown-forms";
import { SHOWN_LISTS } from "@/app/design/shown-lists";
import { SHOWN_PANELS } from "@/app/design/shown-panels";
import { SHOWN_STATES } from "@/app/design/shown-states";
import { SHOWN_TABLES } from "@/app/design/shown-tables";
import { Specimen } from "@/app/design/specimen";
import { Mailbox } from "@/app/mailbox/_components/mailbox";
import { RulesList } from "@/app/rules/_components/rules-list";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { SecuritySection } from "@/app/settings/security/_components/security-section";
import type { EndpointActions } from "@/app/settings/webhooks/_components/endpoint-actions";
import { EndpointsList } from "@/app/settings/webhooks/_components/endpoints-list";
import { EndpointPage } from "@/app/settings/webhooks/[id]/_components/endpoint-page";
import { NewEndpoint } from "@/app/settings/webhooks/new/_components/new-endpoint";
import type { SignInActions } from "@/app/sign-in/_components/sign-in-actions";
import { SignInPage } from "@/app/sign-in/_components/sign-in-page";
import { Acting } from "@/components/act/acting";
import type { SecurityActions } from "@/components/act/security-actions";
import { pageClass } from "@/components/layout/page-class";
import { ApprovalPage } from "@/components/parts/approvals/approval-page";
import { FocusFrame } from "@/components/shell/focus-frame";
import { Shell } from "@/components/shell/shell";
import type { ShellActions } from "@/components/shell/shell-actions";
import { PAGE_TITLE } from "@/components/ui/text-styles";
import type { DecideResult } from "@/lib/contract/confirmation/decision";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";
import type { EndpointView } from "@/lib/views/webhooks/read-endpoint";

const SHOWN = [
  ...SHOWN_STATES,
  ...SHOWN_FORMS,
  ...SHOWN_TABLES,
  ...SHOWN_PANELS,
  ...SHOWN_LISTS,
  ...SHOWN_DRAWINGS,
];

/** Every example. */
const EXAMPLES: Record<ExampleName, () => ReactNode> = {
  primitives: () => <Primitives />,
  inbox: () => <InShell current="APPROVALS" of={<Inbox view={INBOX} />} />,
  "inbox-empty": () => <InShell current="APPROVALS" of={<Inbox view={EMPTY_INBOX} />} />,
  accounts: () => <InShell current="ACCOUNTS" of={<AccountsList view={ACCOUNTS} connected={null} />} />,
  rules: () => <InShell current="RULES" of={<RulesList view={RULES} />} />,
  "rules-empty": () => <InShell current="RULES" of={<RulesList view={NO_RULES} />} />,
  "rule-networks": () => <InShell current="RULES" of={<RuleNetworkExamples />} />,
  webhooks: () => <InShell current="WEBHOOKS" of={<EndpointsList view={ENDPOINTS} />} />,
  "webhooks-empty": () => <InShell current="WEBHOOKS" of={<EndpointsList view={NO_ENDPOINTS} />} />,
  "webhook-new": () => (
    <InShell current="WEBHOOKS" of={<NewEndpoint allowsPrivate={false} actions={endpointActions} />} />
  ),
  "webhook-receiving": () => <EndpointExample view={RECEIVING_ENDPOINT} />,
  "webhook-failing": () => <EndpointExample view={FAILING_ENDPOINT} />,
  "webhook-off": () => <EndpointExample view={ENDPOINT_OFF} />,
  "webhook-viewer": () => <EndpointExample view={ENDPOINT_FOR_A_VIEWER} />,
  assistants: () => (
    <InShell current="ASSISTANTS" of={<AssistantsList view={ASSISTANTS} actions={DISCONNECT} />} />
  ),
  "assistants-empty": () => (
    <InShell current="ASSISTANTS" of={<AssistantsList view={NO_ASSISTANTS} actions={DISCONNECT} />} />
  ),
  consent: () => <InFocus of={<ConsentPage view={CONSENT} actions={DECIDE_CONSENT} />} />,
  "consent-viewer": () => (
    <InFocus of={<ConsentPage view={CONSENT_OF_A_VIEWER} actions={DECIDE_CONSENT} />} />
  ),
  "consent-over": () => <InFocus of={<ConsentOver />} />,
  security: () => (
    <InShell
      current={null}
      of={
        <SecuritySection
          view={SECURITY}
          email="mara@northwind.example"
          actions={securityActions}
          time={TIME}
        />
      }
      title="Settings"
    />
  ),
  mailbox: () => <InShell current={null} of={<Mailbox view={MAILBOX} />} wide />,
  "sign-in": () => (
    <SignInPage
      view={{ organizationName: "Northwind Studio", isSandbox: true, isSignUpOpen: false }}
      actions={signInActions}
    />
  ),
  waiting: () => <ApprovalExample start={WAITING} />,
  "would-fail": () => <ApprovalExample start={WOULD_FAIL} />,
  viewer: () => <ApprovalExample start={FOR_A_VIEWER} />,
  "on-its-way": () => <ApprovalExample start={inStatus("ON_ITS_WAY")} />,
  settled: () => <ApprovalExample start={inStatus("SETTLED")} />,
  denied: () => <ApprovalExample start={inStatus("DENIED")} />,
  expired: () => <ApprovalExample start={inStatus("EXPIRED")} />,
  failed: () => <ApprovalExample start={inStatus("FAILED")} />,
  returned: () => <ApprovalExample start={inStatus("RETURNED")} />,
  cancelled: () => <ApprovalExample start={inStatus("CANCELLED")} />,
  ...outcomeExamples(),
};

export function Example({ name }: { name: ExampleName }) {
  return EXAMPLES[name]();
}

function outcomeExamples() {
  const answering = (result: DecideResult, next?: ApprovalView) => () => (
    <ApprovalExample start={WAITING} answer={result} next={next} />
  );
  return {
    "answer-changed": answering(
      { kind: "CHANGED", changes: ["Operating would fall below its floor of $8,000.00."] },
      afterArrival(),
    ),
    "answer-already-decided": answering(
      { kind: "ALREADY_DECIDED", byName: "Jonas", decision: "DENIED", at: "2026-11-20T16:25:00Z" },
      inStatus("DENIED"),
    ),
    "answer-not-confirmed": answering({ kind: "NOT_CONFIRMED", message: "That password is not right." }),
    "answer-error": answering({
      kind: "REFUSED",
      message: "Something broke on our side. Nothing moved. Request 7fq2-m81x.",
      requestId: "7fq2-m81x",
    }),
  };
}

function InFocus({ of }: { of: ReactNode }) {
  return (
    <FocusFrame
      view={SHELL}
      actions={shellActions}
      back={{ href: "/design?show=inbox", label: "Approvals", waitingCount: 3 }}
    >
      <Acting presence={shellActions.presence}>{of}</Acting>
    </FocusFrame>
  );
}

interface ApprovalExampleProps {
  start: ApprovalView;
  /** The fake server's answer; by default, a decision. */
  answer?: DecideResult;
  next?: ApprovalView;
}

function ApprovalExample({ start, answer = { kind: "DECIDED" }, next }: ApprovalExampleProps) {
  const [view, setView] = useState(start);
  return (
    <FocusFrame
      view={SHELL}
      actions={shellActions}
      back={{ href: "/design?show=inbox", label: "Approvals", waitingCount: view.otherWaitingCount + 1 }}
    >
      <ApprovalPage
        view={view}
        inboxHref="/design?show=inbox"
        opensDenial={false}
        refreshPath={`data:application/json,${JSON.stringify({ version: view.version })}`}
        actions={{
          beginConfirmation: async () => ({ kind: "BEGUN", request: { kind: "PASSWORD", withCode: false } }),
          decide: async ({ decision }) => {
            if (next) setView(next);
            else if (answer.kind === "DECIDED")
              setView(inStatus(decision === "APPROVE" ? "ON_ITS_WAY" : "DENIED"));
            return answer;
          },
          cancel: async () => {
            setView(inStatus("CANCELLED"));
            return { kind: "CANCELLED" };
          },
        }}
      />
    </FocusFrame>
  );
}

interface InShellProps {
  current: "APPROVALS" | "ACCOUNTS" | "RULES" | "ASSISTANTS" | "WEBHOOKS" | null;
  of: ReactNode;
  wide?: boolean;
  title?: string;
}

function InShell({ current, of, wide, title }: InShellProps) {
  return (
    <Shell view={SHELL} actions={shellActions} current={current} wide={wide}>
      {title ? <h1 className={PAGE_TITLE}>{title}</h1> : null}
      {of}
    </Shell>
  );
}

function EndpointExample({ view }: { view: EndpointView }) {
  return <InShell current="WEBHOOKS" of={<EndpointPage view={view} actions={endpointActions} />} />;
}

const nothing = async () => undefined;

const shellActions: ShellActions = {
  signOut: nothing,
  setTheme: nothing,
  gates: {
    closeGates: async () => ({ kind: "REFUSED", message: "This is an example. Nothing was done." }),
    beginOpening: async () => ({ kind: "REFUSED", message: "This is an example. Nothing was done." }),
    openGates: async () => ({ kind: "REFUSED", message: "This is an example. Nothing was done." }),
  },
  presence: {
    beginPresence: async () => ({ kind: "BEGUN", request: { kind: "NONE" } }),
    confirmPresence: async () => ({ kind: "DONE" }),
  },
  setSingleKeys: nothing,
};

const refused = async () => ({ kind: "REFUSED" as const, message: "This is an example. Nothing was done." });

const endpointActions: EndpointActions = {
  createEndpoint: async ({ url }) => ({
    kind: "CREATED",
    id: "example",
    href: "/design?show=webhook-receiving",
    url,
    secret: "whsec_example-of-a-secret-that-signs-nothing-k2Qf",
  }),
  recreateEndpoint: refused,
  deleteEndpoint: refused,
  switchOnEndpoint: refused,
  switchOffEndpoint: refused,
  sendTestEvent: refused,
  redeliver: refused,
  replayFailed: async () => ({ kind: "REPLAYED", count: 12, hasMore: false }),
};

const signInActions: SignInActions = {
  signInByForm: async () => ({
    email: "",
    result: { kind: "FAILED", message: "This is an example: nobody is signed in." },
    needsCode: false,
  }),
  signInWithPassword: async () => ({
    kind: "FAILED",
    message: "Email and password do not match. Nobody is signed in.",
  }),
  beginPasskeySignIn: async () => ({ kind: "BEGUN", options: { challenge: "ZXhhbXBsZQ" } }),
  signInWithPasskey: async () => ({ kind: "THROTTLED", retryAfterSeconds: 40 }),
  signInWithRecoveryCode: async () => ({ kind: "THROTTLED", retryAfterSeconds: 600 }),
};

const securityActions: SecurityActions = {
  beginEnrollment: async () => ({ kind: "REFUSED", message: "This is an example: nothing is enrolled." }),
  finishEnrollment: async () => ({ kind: "DONE" }),
  renamePasskey: async () => ({ kind: "DONE" }),
  removePasskey: async () => ({ kind: "REFUSED", message: "This is an example: nothing is removed." }),
  makeRecoveryCodes: async () => ({
    kind: "CODES",
    codes: Array.from({ length: 10 }, (_, index) => `examp-${String(index).repeat(5)}`),
  }),
  endOtherSessions: async () => ({ kind: "DONE" }),
  endSession: async () => ({ kind: "DONE" }),
  beginAuthenticator: async () => ({ kind: "REFUSED", message: "This is an example: no app is added." }),
  confirmAuthenticator: async () => ({ kind: "REFUSED", message: "This is an example: no app is added." }),
  removeAuthenticator: async () => ({ kind: "DONE" }),
  changePassword: async () => ({ kind: "REFUSED", message: "This is an example: nothing is changed." }),
};

/** Every component in every state (design, sections 7 and 14), each with its name and a sentence of use. */
function Primitives() {
  return (
    <main className={pageClass({ frame: "focus" })}>
      <h1 className={PAGE_TITLE}>Every component in every state</h1>
      <Acting presence={shellActions.presence}>
        {SHOWN.map(({ name, use, states }) => (
          <Specimen key={name} name={name} use={use}>
            {states}
          </Specimen>
        ))}
      </Acting>
    </main>
  );
}
