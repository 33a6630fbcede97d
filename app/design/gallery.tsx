"use client";

import type { ReactNode } from "react";
import { Inbox } from "@/app/approvals/_components/inbox";
import { ConsentOver, ConsentPage } from "@/app/connect/[uid]/_components/consent-page";
import { FOR_A_VIEWER, inStatus, TIME, WOULD_FAIL } from "@/app/design/_components/approval-examples";
import { ASSISTANTS, CONSENT, CONSENT_OF_A_VIEWER } from "@/app/design/_components/assistant-examples";
import { EMPTY_INBOX, SHELL } from "@/app/design/_components/list-examples";
import { NO_RULES, RuleNetworkExamples } from "@/app/design/_components/rule-examples";
import {
  ENDPOINT_FOR_A_VIEWER,
  ENDPOINT_OFF,
  FAILING_ENDPOINT,
  NO_ENDPOINTS,
} from "@/app/design/_components/webhook-examples";
import type { ExampleName } from "@/app/design/example-names";
import { SHOWN_DRAWINGS } from "@/app/design/shown-drawings";
import { SHOWN_FORMS } from "@/app/design/shown-forms";
import { SHOWN_LISTS } from "@/app/design/shown-lists";
import { SHOWN_PANELS } from "@/app/design/shown-panels";
import { SHOWN_STATES } from "@/app/design/shown-states";
import { SHOWN_TABLES } from "@/app/design/shown-tables";
import { Specimen } from "@/app/design/specimen";
import { RulesList } from "@/app/rules/_components/rules-list";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { EndpointsList } from "@/app/settings/webhooks/_components/endpoints-list";
import { EndpointPage } from "@/app/settings/webhooks/[id]/_components/endpoint-page";
import { Acting } from "@/components/act/acting";
import { pageClass } from "@/components/layout/page-class";
import { ApprovalPage } from "@/components/parts/approvals/approval-page";
import { DecisionNoteBox } from "@/components/parts/approvals/decision-notice";
import { type NotDecided, noticeOf } from "@/components/parts/approvals/not-decided";
import { FocusFrame } from "@/components/shell/focus-frame";
import { Shell } from "@/components/shell/shell";
import { PAGE_TITLE } from "@/components/ui/text-styles";
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
  "inbox-empty": () => <InShell current="APPROVALS" of={<Inbox view={EMPTY_INBOX} />} />,
  "rules-empty": () => <InShell current="RULES" of={<RulesList view={NO_RULES} />} />,
  "rule-networks": () => <InShell current="RULES" of={<RuleNetworkExamples />} />,
  "webhooks-empty": () => <InShell current="WEBHOOKS" of={<EndpointsList view={NO_ENDPOINTS} />} />,
  "webhook-failing": () => <EndpointExample view={FAILING_ENDPOINT} />,
  "webhook-off": () => <EndpointExample view={ENDPOINT_OFF} />,
  "webhook-viewer": () => <EndpointExample view={ENDPOINT_FOR_A_VIEWER} />,
  assistants: () => <InShell current="ASSISTANTS" of={<AssistantsList view={ASSISTANTS} />} />,
  consent: () => <InFocus of={<ConsentPage view={CONSENT} />} />,
  "consent-viewer": () => <InFocus of={<ConsentPage view={CONSENT_OF_A_VIEWER} />} />,
  "consent-over": () => <InFocus of={<ConsentOver />} />,
  "would-fail": () => <ApprovalExample view={WOULD_FAIL} />,
  viewer: () => <ApprovalExample view={FOR_A_VIEWER} />,
  "on-its-way": () => <ApprovalExample view={inStatus("ON_ITS_WAY")} />,
  settled: () => <ApprovalExample view={inStatus("SETTLED")} />,
  denied: () => <ApprovalExample view={inStatus("DENIED")} />,
  expired: () => <ApprovalExample view={inStatus("EXPIRED")} />,
  failed: () => <ApprovalExample view={inStatus("FAILED")} />,
  returned: () => <ApprovalExample view={inStatus("RETURNED")} />,
  cancelled: () => <ApprovalExample view={inStatus("CANCELLED")} />,
  ...outcomeExamples(),
};

export function Example({ name }: { name: ExampleName }) {
  return EXAMPLES[name]();
}

function outcomeExamples() {
  const answered = (result: NotDecided) => () => (
    <InFocus
      of={
        <DecisionNoteBox
          place="panel"
          notice={noticeOf(result, "APPROVE", TIME)}
          blockedBecause={null}
          onRecoveryCode={() => undefined}
        />
      }
    />
  );
  return {
    "answer-changed": answered({
      kind: "CHANGED",
      changes: ["Operating would fall below its floor of $8,000.00."],
    }),
    "answer-already-decided": answered({
      kind: "ALREADY_DECIDED",
      byName: "Jonas",
      decision: "DENIED",
      at: "2026-11-20T16:25:00Z",
    }),
    "answer-not-confirmed": answered({ kind: "NOT_CONFIRMED", message: "That password is not right." }),
    "answer-error": answered({
      kind: "REFUSED",
      message: "Something broke on our side. Nothing moved. Request 7fq2-m81x.",
      requestId: "7fq2-m81x",
    }),
  };
}

function InFocus({ of }: { of: ReactNode }) {
  return (
    <FocusFrame view={SHELL} back={{ href: "/design?show=inbox", label: "Approvals", waitingCount: 3 }}>
      <Acting>{of}</Acting>
    </FocusFrame>
  );
}

function ApprovalExample({ view }: { view: ApprovalView }) {
  return (
    <FocusFrame
      view={SHELL}
      back={{ href: "/design?show=inbox", label: "Approvals", waitingCount: view.otherWaitingCount + 1 }}
    >
      <ApprovalPage
        view={view}
        inboxHref="/design?show=inbox"
        opensDenial={false}
        isLowering={false}
        suggestion={null}
        refreshPath={`data:application/json,${JSON.stringify({ version: view.version })}`}
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
    <Shell view={SHELL} current={current} wide={wide}>
      {title ? <h1 className={PAGE_TITLE}>{title}</h1> : null}
      {of}
    </Shell>
  );
}

function EndpointExample({ view }: { view: EndpointView }) {
  return <InShell current="WEBHOOKS" of={<EndpointPage view={view} />} />;
}

/** Every component in every state (design, sections 7 and 14), each with its name and a sentence of use. */
function Primitives() {
  return (
    <main className={pageClass({ frame: "focus" })}>
      <h1 className={PAGE_TITLE}>Every component in every state</h1>
      <Acting>
        {SHOWN.map(({ name, use, states }) => (
          <Specimen key={name} name={name} use={use}>
            {states}
          </Specimen>
        ))}
      </Acting>
    </main>
  );
}
