import { CircleAlert, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import {
  type DraftProblem,
  draftPermissions,
  type KeyDraft,
  type ScopeDraft,
} from "@/components/keys/key-draft";
import { RouteEditor } from "@/components/keys/route-editor";
import { InputField } from "@/components/ui/field";
import { Switch } from "@/components/ui/switch";
import { movesAlone } from "@/lib/contract/api-key";
import type { KeyAccountView, KeyRuleView } from "@/lib/contract/views/keys-view";

interface PermissionFieldsProps {
  draft: KeyDraft;
  accounts: readonly KeyAccountView[];
  rules: readonly KeyRuleView[];
  problems: readonly DraftProblem[];
  onEdit: (change: Partial<KeyDraft>) => void;
}

export function PermissionFields(props: PermissionFieldsProps) {
  return (
    <fieldset className="perms">
      <legend className="h2">What it can do</legend>
      <Group title="Move money">
        <MoneyFields {...props} />
      </Group>
      {movesAlone(draftPermissions(props.draft)) ? (
        <div className="cap-f">
          <InputField
            label="Daily cap"
            hint="The most it may move in a day without approval, including what rules move because of it. Beyond it, each transfer and run waits for a person. Empty for no cap."
            autoComplete="off"
            inputMode="decimal"
            placeholder="no cap"
            value={props.draft.dailyCap}
            error={props.problems.find(({ at }) => at === "dailyCap")?.message ?? null}
            onChange={(event) => props.onEdit({ dailyCap: event.target.value })}
          />
        </div>
      ) : null}
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

function MoneyFields({ draft, accounts, rules, problems, onEdit }: PermissionFieldsProps) {
  return (
    <>
      <PermissionRow
        title="Make transfers"
        about="Only on the routes listed here"
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
        about="Start rules on demand, in their active version"
        isOn={draft.runs.isOn}
        onToggle={(isOn) => onEdit({ runs: { ...draft.runs, isOn } })}
      >
        <ScopePicker
          label="Run which rules"
          noun="rule"
          scope={draft.runs}
          choices={rules}
          problem={problems.find(({ at }) => at === "runs")}
          onChange={(runs) => onEdit({ runs })}
        />
        <ApprovalSwitch
          isOn={draft.runsWithApproval}
          before="a rule moves money"
          onToggle={(runsWithApproval) => onEdit({ runsWithApproval })}
        />
      </PermissionRow>
    </>
  );
}

function ReadFields({ draft, accounts, rules, problems, onEdit }: PermissionFieldsProps) {
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
          noun="account"
          scope={draft.readsAccounts}
          choices={accounts}
          problem={problems.find(({ at }) => at === "accounts")}
          onChange={(readsAccounts) => onEdit({ readsAccounts })}
        />
      </PermissionRow>
      <PermissionRow
        title="Read transfers"
        about="Including card and external transactions"
        isOn={draft.readsTransfers.isOn}
        onToggle={(isOn) => onEdit({ readsTransfers: { ...draft.readsTransfers, isOn } })}
      >
        <ScopePicker
          label="Transfers of which accounts"
          noun="account"
          scope={draft.readsTransfers}
          choices={accounts}
          problem={problems.find(({ at }) => at === "transfers")}
          onChange={(readsTransfers) => onEdit({ readsTransfers })}
        />
      </PermissionRow>
      <PermissionRow
        title="Read rules"
        about="Steps, conditions and past runs"
        isOn={draft.readsRules.isOn}
        onToggle={(isOn) => onEdit({ readsRules: { ...draft.readsRules, isOn } })}
      >
        <ScopePicker
          label="Read which rules"
          noun="rule"
          scope={draft.readsRules}
          choices={rules}
          problem={problems.find(({ at }) => at === "readsRules")}
          onChange={(readsRules) => onEdit({ readsRules })}
        />
      </PermissionRow>
      <PermissionRow
        title="Read the audit log"
        about="Every request from every key"
        isOn={draft.readsAudit}
        onToggle={(readsAudit) => onEdit({ readsAudit })}
      />
    </>
  );
}

function SetUpFields({ draft, rules, problems, onEdit }: PermissionFieldsProps) {
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
        about="New rules and versions stay off until a person activates them"
        isOn={draft.editsRules.isOn}
        onToggle={(isOn) => onEdit({ editsRules: { ...draft.editsRules, isOn } })}
      >
        <ScopePicker
          label="Change which rules"
          noun="rule"
          scope={draft.editsRules}
          choices={rules}
          problem={problems.find(({ at }) => at === "editsRules")}
          onChange={(editsRules) => onEdit({ editsRules })}
        />
        {draft.editsRules.isAll ? null : (
          <p className="meta">Only a key for all rules can create new ones.</p>
        )}
      </PermissionRow>
    </>
  );
}

interface PermissionRowProps {
  title: string;
  about: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children?: ReactNode;
}

function PermissionRow({ title, about, isOn, onToggle, children }: PermissionRowProps) {
  return (
    <li className={isOn ? "perm on" : "perm"}>
      <label className="perm-h">
        <input
          className="box"
          type="checkbox"
          checked={isOn}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <span>
          <b>{title}</b>
          <span className="meta blk">{about}</span>
        </span>
      </label>
      {isOn && children ? <div className="perm-b">{children}</div> : null}
    </li>
  );
}

interface ApprovalSwitchProps {
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  /** "money moves". */
  before: string;
}

/** On by default. */
function ApprovalSwitch({ isOn, onToggle, before }: ApprovalSwitchProps) {
  const id = useId();
  return (
    <div className="appr">
      <Switch
        isOn={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        onSwitch={onToggle}
      />
      <div>
        <b id={`${id}-label`}>Require approval each time</b>
        <p className="meta" id={`${id}-about`}>
          An owner or co-owner must approve before {before}. This cannot be changed later.
        </p>
      </div>
    </div>
  );
}

interface ScopePickerProps {
  label: string;
  scope: ScopeDraft;
  noun: "account" | "rule";
  choices: readonly { id: string; name: string }[];
  problem: DraftProblem | undefined;
  onChange: (scope: ScopeDraft) => void;
}

/** All accounts or rules, including later ones, or only those picked. */
function ScopePicker({ label, scope, noun, choices, problem, onChange }: ScopePickerProps) {
  const name = useId();
  const others = choices.filter((choice) => !scope.ids.includes(choice.id));
  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? "";
  return (
    <>
      <fieldset className="rads">
        <legend className="vh">{label}</legend>
        <label className="check">
          <input
            className="box radio"
            type="radio"
            name={name}
            checked={scope.isAll}
            onChange={() => onChange({ ...scope, isAll: true })}
          />
          All {noun}s
        </label>
        <label className="check">
          <input
            className="box radio"
            type="radio"
            name={name}
            checked={!scope.isAll}
            onChange={() => onChange({ ...scope, isAll: false })}
          />
          Only these
        </label>
      </fieldset>
      {scope.isAll ? null : (
        <div className="picks">
          {scope.ids.map((id) => (
            <button
              key={id}
              className="fchip on"
              type="button"
              onClick={() => onChange({ ...scope, ids: scope.ids.filter((other) => other !== id) })}
            >
              <span className="vh">Remove </span>
              {nameOf(id)}
              <X className="ic" />
            </button>
          ))}
          {others.length > 0 ? (
            <select
              className="in"
              aria-label={`${label}: add ${noun === "account" ? "an account" : "a rule"}`}
              value=""
              onChange={(event) => onChange({ ...scope, ids: [...scope.ids, event.target.value] })}
            >
              <option value="" disabled>
                Add
              </option>
              {others.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {choice.name}
                </option>
              ))}
            </select>
          ) : null}
          {choices.length === 0 ? <p className="meta">There are no {noun}s yet.</p> : null}
        </div>
      )}
      {problem ? (
        <p className="errmsg" role="alert">
          <CircleAlert className="ic" />
          {problem.message}
        </p>
      ) : null}
    </>
  );
}
