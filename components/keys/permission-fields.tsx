import type { ReactNode } from "react";
import { ApprovalSwitch } from "@/components/keys/approval-switch";
import type { DraftProblem, KeyDraft } from "@/components/keys/key-draft";
import { PermissionRow } from "@/components/keys/permission-row";
import { RouteEditor } from "@/components/keys/route-editor";
import { ScopePicker } from "@/components/keys/scope-picker";
import type { KeyAccountView } from "@/lib/contract/views/keys-view";

interface PermissionFieldsProps {
  draft: KeyDraft;
  accounts: readonly KeyAccountView[];
  problems: readonly DraftProblem[];
  onEdit: (change: Partial<KeyDraft>) => void;
}

/** The eight permissions, in three groups: what moves money, what reads, what sets up. */
export function PermissionFields(props: PermissionFieldsProps) {
  return (
    <fieldset className="perms">
      <legend className="h2">What it may do</legend>
      <Group title="Move money">
        <MoneyFields {...props} />
      </Group>
      <Group title="Read">
        <ReadFields {...props} />
      </Group>
      <Group title="Set up">
        <SetUpFields {...props} />
      </Group>
    </fieldset>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <p className="pg">{title}</p>
      <ul>{children}</ul>
    </>
  );
}

function MoneyFields({ draft, accounts, problems, onEdit }: PermissionFieldsProps) {
  return (
    <>
      <PermissionRow
        title="Make transfers"
        about="Only on the routes you list here"
        isOn={draft.moves}
        onToggle={(moves) => onEdit({ moves })}
      >
        <RouteEditor
          routes={draft.routes}
          accounts={accounts}
          asks={draft.movesWithApproval}
          problems={problems}
          onChange={(routes) => onEdit({ routes })}
        />
        <ApprovalSwitch
          isOn={draft.movesWithApproval}
          before="money moves"
          onToggle={(movesWithApproval) => onEdit({ movesWithApproval })}
        />
      </PermissionRow>
      <PermissionRow
        title="Run rules"
        about="Start any rule on demand"
        isOn={draft.runs}
        onToggle={(runs) => onEdit({ runs })}
      >
        <ApprovalSwitch
          isOn={draft.runsWithApproval}
          before="a rule moves money"
          onToggle={(runsWithApproval) => onEdit({ runsWithApproval })}
        />
      </PermissionRow>
    </>
  );
}

function ReadFields({ draft, accounts, problems, onEdit }: PermissionFieldsProps) {
  return (
    <>
      <PermissionRow
        title="Read accounts"
        about="Names for all accounts; balances only for the ones you pick"
        isOn={draft.readsAccounts.isOn}
        onToggle={(isOn) => onEdit({ readsAccounts: { ...draft.readsAccounts, isOn } })}
      >
        <ScopePicker
          label="Balances of which accounts"
          scope={draft.readsAccounts}
          accounts={accounts}
          problem={problems.find(({ at }) => at === "accounts")}
          onChange={(readsAccounts) => onEdit({ readsAccounts })}
        />
      </PermissionRow>
      <PermissionRow
        title="Read transfers"
        about="Also card and outside transactions"
        isOn={draft.readsTransfers.isOn}
        onToggle={(isOn) => onEdit({ readsTransfers: { ...draft.readsTransfers, isOn } })}
      >
        <ScopePicker
          label="Transfers of which accounts"
          scope={draft.readsTransfers}
          accounts={accounts}
          problem={problems.find(({ at }) => at === "transfers")}
          onChange={(readsTransfers) => onEdit({ readsTransfers })}
        />
      </PermissionRow>
      <PermissionRow
        title="Read rules"
        about="Steps, conditions and past runs of all rules"
        isOn={draft.readsRules}
        onToggle={(readsRules) => onEdit({ readsRules })}
      />
      <PermissionRow
        title="Read the audit log"
        about="Every request from every key"
        isOn={draft.readsAudit}
        onToggle={(readsAudit) => onEdit({ readsAudit })}
      />
    </>
  );
}

function SetUpFields({ draft, onEdit }: PermissionFieldsProps) {
  return (
    <>
      <PermissionRow
        title="Create accounts"
        about="Pods and income sources, always with a zero balance"
        isOn={draft.createsAccounts}
        onToggle={(createsAccounts) => onEdit({ createsAccounts })}
      />
      <PermissionRow
        title="Create and edit rules"
        about="All rules. New ones stay off until a person activates them"
        isOn={draft.editsRules}
        onToggle={(editsRules) => onEdit({ editsRules })}
      />
    </>
  );
}
