"use client";

import { ArrowRight, CircleDashed, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { BacktestTable, ChangesTested } from "@/app/settings/approvals/_components/backtest-table";
import { HeldBack } from "@/app/settings/approvals/_components/held-back";
import { PolicyChecks } from "@/app/settings/approvals/_components/policy-checks";
import { discardPolicyDraft } from "@/app/settings/approvals/actions";
import { PolicyProvider } from "@/app/settings/approvals/edit/_components/policy-context";
import {
  addOwnMovesRule,
  addRule,
  mayAskForOwnMoves,
} from "@/app/settings/approvals/edit/_components/policy-edits";
import { OtherwiseBlock, RuleBlock } from "@/app/settings/approvals/edit/_components/rule-block";
import { usePolicySaving } from "@/app/settings/approvals/edit/_components/use-policy-saving";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { useAction } from "@/components/act/use-action";
import { COLUMNS_WITH_WIDE_SIDE } from "@/components/layout/columns";
import { Crumb } from "@/components/layout/crumb";
import { PageActions, PageHeadRow } from "@/components/layout/page-head";
import { PANEL } from "@/components/layout/panel";
import { SideColumn } from "@/components/layout/side-column";
import { type EditTab, EditTabs } from "@/components/parts/sentences/edit-tabs";
import { PartProvider } from "@/components/parts/sentences/part-context";
import { Phrases } from "@/components/parts/sentences/phrases";
import { useOpenPart } from "@/components/parts/sentences/use-open-part";
import { formatClock } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { FactLine } from "@/components/ui/fact-line";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import { Status } from "@/components/ui/status";
import { LINK_BUTTON, PAGE_TITLE } from "@/components/ui/text-styles";
import { POLICY_HREF, POLICY_PUBLISH_HREF } from "@/lib/contract/hrefs";
import { MAXIMUM_POLICY_RULES, type Policy } from "@/lib/contract/policies/policy";
import type { PolicyEditorView } from "@/lib/views/policies/read-policy-page";
import { CUT_SHORT } from "@/lib/words/policies/backtest-words";

// Most people edit in words.
const PolicyJson = lazy(() =>
  import("@/app/settings/approvals/edit/_components/policy-json").then((module) => ({
    default: module.PolicyJson,
  })),
);

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

/** Edits who must approve, in words or as JSON: two views of the organization's one draft. */
export function PolicyEditor({ view }: { view: PolicyEditorView }) {
  const [{ policy, revision }, setState] = useState({ policy: view.policy, revision: 0 });
  const [tab, setTab] = useState<EditTab>("WORDS");
  const [openPart, setOpenPart] = useOpenPart();
  const saving = usePolicySaving(view, policy, revision);
  const edit = (next: Policy) =>
    setState((before) => (next === before.policy ? before : { policy: next, revision: before.revision + 1 }));
  return (
    <PolicyProvider value={{ policy, edit, choices: view.choices, names: view.names, today: view.today }}>
      <PartProvider
        value={{
          problems: NO_PROBLEMS,
          openPart,
          setOpenPart,
          closePart: () => setOpenPart(null, openPart),
        }}
      >
        <Head view={view} saving={saving} />
        <EditTabs current={tab} onPick={setTab} />
        <div className={`${COLUMNS_WITH_WIDE_SIDE} mt-1`}>
          {tab === "WORDS" ? (
            <div>
              {policy.rules.map((rule, place) => (
                <RuleBlock
                  // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be renamed while its control is open.
                  key={place}
                  rule={rule}
                  place={place}
                />
              ))}
              {policy.rules.length < MAXIMUM_POLICY_RULES ? (
                <p className="pt-3 -ml-2.5">
                  <Button kind="quiet" size="small" onClick={() => edit(addRule(policy))}>
                    <Plus />
                    Add a rule
                  </Button>
                  {mayAskForOwnMoves(policy, view.choices.people) ? (
                    <Button kind="quiet" size="small" onClick={() => edit(addOwnMovesRule(policy))}>
                      <Plus />
                      Ask others about own moves
                    </Button>
                  ) : null}
                </p>
              ) : null}
              <OtherwiseBlock />
            </div>
          ) : (
            <Suspense>
              <PolicyJson />
            </Suspense>
          )}
          <Side view={view} checked={saving.checked} />
        </div>
      </PartProvider>
    </PolicyProvider>
  );
}

function Head({ view, saving }: { view: PolicyEditorView; saving: ReturnType<typeof usePolicySaving> }) {
  const router = useRouter();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const discarding = useAction(discardPolicyDraft, { afterwards: (to) => to.push(POLICY_HREF) });
  const { version, inForceVersion } = view;
  const inForce = inForceVersion === 0 ? "The default" : `Version ${inForceVersion}`;
  const review = async () => {
    setProblem(null);
    if (!(await saving.save())) return;
    if (saving.savedVersion() === null) setProblem("No changes yet: there is nothing to publish.");
    else router.push(POLICY_PUBLISH_HREF);
  };
  const discard = () => {
    const saved = saving.savedVersion();
    if (saved === null) router.push(POLICY_HREF);
    else setIsAsking(true);
  };
  return (
    <>
      {isAsking ? (
        <ConfirmDialog
          title={`Discard version ${version}?`}
          keepLabel="Keep it"
          actLabel="Discard draft"
          kind="deny"
          action={discarding}
          onAct={() => discarding.run({ version: saving.savedVersion() ?? version })}
          onClose={() => setIsAsking(false)}
        >
          <p>{inForce} stays in force. The draft, and signatures that it has, are gone.</p>
        </ConfirmDialog>
      ) : null}
      <Crumb
        ways={[
          { href: "/settings", label: "Settings" },
          { href: POLICY_HREF, label: "Who must approve" },
        ]}
        here="Edit"
      />
      <PageHeadRow className="mb-5" isGridOnPhones>
        <div>
          <h1 className={PAGE_TITLE}>Who must approve</h1>
          <FactLine className="mt-2.5">
            <Status tone="mute" icon={<CircleDashed />}>
              Draft of version {version}
            </Status>
            <span>{inForce} holds until you publish.</span>
            <SavedWhen view={view} saving={saving} />
          </FactLine>
        </div>
        <PageActions className="max-sm:justify-between">
          <Button kind="quiet" onClick={discard}>
            Discard draft
          </Button>
          <Button kind="primary" onClick={() => void review()}>
            Review version {version}
            <ArrowRight />
          </Button>
        </PageActions>
      </PageHeadRow>
      <div role="status" className="[&:not(:empty)]:mb-5">
        {problem ? <Note>{problem}</Note> : null}
        {saving.endedSignatures ? (
          <Note>The signatures that this version had ended: they were for another text.</Note>
        ) : null}
        {view.saved?.isSigning && !saving.endedSignatures ? (
          <Note>This version is being signed. A change ends the signatures that it has.</Note>
        ) : null}
      </div>
    </>
  );
}

function SavedWhen({ view, saving }: { view: PolicyEditorView; saving: ReturnType<typeof usePolicySaving> }) {
  const { state } = saving;
  switch (state.kind) {
    case "UNTOUCHED":
      return <span>No changes yet</span>;
    case "SAVING":
      return <span role="status">Saving</span>;
    case "KEPT":
      return <span role="status">Saved {formatClock(state.at, view.time)}</span>;
    case "FAILED":
      return (
        <span role="alert">
          Not saved. {state.message}{" "}
          <LiveButton className={LINK_BUTTON} onClick={() => void saving.save()}>
            Retry
          </LiveButton>
        </span>
      );
  }
}

function Side({ view, checked }: { view: PolicyEditorView; checked: PolicyEditorView["checked"] }) {
  const { tested, lines } = checked;
  return (
    <SideColumn gap="wide" contentLayout="mt-6">
      <section className={PANEL} aria-live="polite" aria-labelledby="backtest">
        <h2 className="text-sm text-ink-3" id="backtest">
          In the last 90 days
        </h2>
        <p className="mt-1 font-display text-[20px]/7.5 tracking-[-0.014em] text-ink-2 wrap-anywhere [&_b]:font-[550] [&_b]:text-ink">
          <Phrases phrases={tested.says} />
        </p>
        {tested.isCut ? <p className="text-sm text-ink-3">{CUT_SHORT}</p> : null}
        <div className="mt-3">
          <BacktestTable
            rows={tested.rows}
            count={tested.proposalCount}
            noun="Proposals"
            version={view.version}
            inForceVersion={view.inForceVersion}
          />
        </div>
        <HeldBack heldBack={tested.heldBack} count={tested.heldBackCount} />
        <p className="mt-3 text-sm text-ink-3">
          A signature counts as given if someone who could give it decided anything while the proposal would
          have been open.
        </p>
        <ChangesTested changes={tested.changes} version={view.version} inForceVersion={view.inForceVersion} />
      </section>
      <section>
        <h2 className="text-base font-semibold">Before you can publish</h2>
        <PolicyChecks lines={lines} />
      </section>
    </SideColumn>
  );
}
