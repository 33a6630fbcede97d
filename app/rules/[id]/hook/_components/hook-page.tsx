import { CircleMinus, Pause } from "lucide-react";
import type { ReactNode } from "react";
import { HookApproval, MakeHookSecret, RemoveHook } from "@/app/rules/[id]/hook/_components/hook-forms";
import { COLUMNS } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { SideColumn } from "@/components/layout/side-column";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { formatDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { CodeBox } from "@/components/ui/code-box";
import { DefinitionList } from "@/components/ui/definition-list";
import { FactLine } from "@/components/ui/fact-line";
import { GateOpenIcon } from "@/components/ui/icons";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { MONO, PAGE_TITLE, WHOLE_SENTENCE } from "@/components/ui/text-styles";
import type { HookFactsView, RuleHookView } from "@/lib/views/rules/read-hook-page";

interface HookPageProps {
  view: RuleHookView;
}

/** The webhook that starts a rule: URL, secret, approval setting, and revoking. */
export function HookPage({ view }: HookPageProps) {
  const { rule, hook } = view;
  return (
    <div>
      <Crumb
        ways={[
          { href: "/rules", label: "Rules" },
          { href: rule.href, label: rule.name },
        ]}
        here="Start from a webhook"
        wraps
      />
      <HookHead view={view} />
      <p className={WHOLE_SENTENCE}>
        <HookSentence view={view} />
      </p>
      <RuleState state={rule.state} />
      <div className={`${COLUMNS} mt-12`}>
        <div className="[&>section:first-child]:mt-0">
          {hook ? <Asks view={view} hook={hook} /> : null}
          <Section id="how" title="How to call it">
            <p className="max-w-[68ch] mx-0 mt-4 mb-3 text-ink-2">
              Send the secret in a header, never in the URL, and an empty body. With a separate idempotency
              key per event, a retry starts the rule only once.
            </p>
            <CodeBox label="Example request">{curlOf(view.url)}</CodeBox>
            <p className="text-sm text-ink-3 mt-3">
              Returns 202 with the run’s id, or 403 if the rule is not active.
            </p>
          </Section>
        </div>
        <HookSide view={view} />
      </div>
    </div>
  );
}

function HookHead({ view }: HookPageProps) {
  const { rule, hook, viewer, time } = view;
  return (
    <PageHeadRow className="mb-6">
      <div>
        <h1 className={PAGE_TITLE}>Start from a webhook</h1>
        {hook ? (
          <FactLine className="mt-2">
            <Status tone="teal" icon={<GateOpenIcon />}>
              On
            </Status>
            <span>
              Secret created by {hook.createdByName} on{" "}
              <Moment at={hook.createdAt} time={time} format={formatDay} />
            </span>
            <span className={MONO}>sluice_hook_…{hook.secretLast4}</span>
          </FactLine>
        ) : null}
      </div>
      {viewer.canDecide ? (
        <PageActions>
          <MakeHookSecret ruleId={rule.id} isNew={hook === null} />
          {hook ? <RemoveHook ruleId={rule.id} ruleName={rule.name} /> : null}
        </PageActions>
      ) : null}
    </PageHeadRow>
  );
}

function HookSentence({ view: { rule, hook, viewer } }: { view: RuleHookView }): ReactNode {
  const approver = viewer.canDecide ? "you approve" : "an owner or co-owner approves";
  if (!hook) {
    return (
      <>
        No webhook can start <b>{rule.name}</b> yet. A secret allows starting this rule and nothing else.{" "}
        <b>Each run waits until {approver}.</b>
      </>
    );
  }
  return (
    <>
      Anyone with the secret can start <b>{rule.name}</b>, and nothing else.{" "}
      <b>
        {hook.approvalRequired
          ? `Each run waits until ${approver}.`
          : "It runs immediately without approval."}
      </b>
    </>
  );
}

function RuleState({ state }: { state: RuleHookView["rule"]["state"] }) {
  if (state === "ACTIVE") return null;
  return (
    <div className="mt-6 max-w-[68ch]">
      <Note>
        {state === "PAUSED"
          ? "This rule is paused because money that it moved was returned. Requests are refused until someone resumes it."
          : "This rule is not active. Requests are refused until someone activates it."}
      </Note>
    </div>
  );
}

function Asks({ view, hook }: HookPageProps & { hook: HookFactsView }) {
  return (
    <Section id="asks" title="Approval">
      <HookApproval
        ruleId={view.rule.id}
        ruleName={view.rule.name}
        isOn={hook.approvalRequired}
        canDecide={view.viewer.canDecide}
        requestsPerMinute={view.requestsPerMinute}
      />
      <WaitingChangeNotes changes={view.waiting} canAsk={view.viewer.canDecide} />
    </Section>
  );
}

function HookSide({ view }: { view: RuleHookView }) {
  const { hook, time, rule, viewer } = view;
  return (
    <SideColumn>
      <section aria-labelledby="state">
        <h2 className="text-base font-semibold" id="state">
          {hook ? "Last used" : "This rule"}
        </h2>
        <DefinitionList>
          {hook ? (
            <>
              <dt>When</dt>
              <dd>{hook.lastUsedAt ? <Moment at={hook.lastUsedAt} time={time} /> : "Never"}</dd>
            </>
          ) : null}
          <dt>{hook ? "The rule" : "State"}</dt>
          <dd>
            <StateOf state={rule.state} />
          </dd>
          <dt>Rate limit</dt>
          <dd>{view.requestsPerMinute} requests per minute</dd>
        </DefinitionList>
      </section>
      <section aria-labelledby="secret">
        <h2 className="text-base font-semibold" id="secret">
          Secret
        </h2>
        <p className="text-ink-2">{secretWords(hook !== null, viewer.canDecide)}</p>
      </section>
    </SideColumn>
  );
}

function secretWords(hasHook: boolean, canDecide: boolean): string {
  if (!canDecide) return "Only an owner or co-owner can create, replace or revoke it.";
  return hasHook
    ? "Sluice stores only a fingerprint. A new secret replaces it immediately; give it to the program before its next request."
    : "Shown only once, when created. Sluice stores only a fingerprint.";
}

function StateOf({ state }: { state: RuleHookView["rule"]["state"] }) {
  if (state === "ACTIVE") {
    return (
      <Status tone="teal" icon={<GateOpenIcon />}>
        Active
      </Status>
    );
  }
  return state === "PAUSED" ? (
    <Status tone="amber" icon={<Pause />}>
      Paused
    </Status>
  ) : (
    <Status tone="mute" icon={<CircleMinus />}>
      Not active
    </Status>
  );
}

/** The secret is a shell variable, because the page never shows it again. */
function curlOf(url: string): string {
  return [
    `curl -X POST ${url}`,
    `  -H "Authorization: Bearer $SLUICE_HOOK_SECRET"`,
    `  -H "idempotency-key: invoice-322"`,
  ].join(" \\\n");
}
