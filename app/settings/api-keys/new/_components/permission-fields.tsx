import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import {
  type DraftProblem,
  draftPermissions,
  type KeyDraft,
  type ScopeDraft,
} from "@/app/settings/api-keys/_components/key-draft";
import { RouteEditor } from "@/app/settings/api-keys/new/_components/route-editor";
import { chipClass } from "@/components/ui/chip-class";
import { CHECKBOX, CHOICE_LABEL, RADIO } from "@/components/ui/choice-class";
import { InputField } from "@/components/ui/field";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import { LiveButton } from "@/components/ui/live-button";
import { Switch } from "@/components/ui/switch";
import { SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { movesAlone } from "@/lib/contract/api-key";
import type { KeyAccountView, KeyRuleView } from "@/lib/contract/keys/key-facts";

interface PermissionFieldsProps {
  draft: KeyDraft;
  accounts: readonly KeyAccountView[];
  rules: readonly KeyRuleView[];
  offersSandbox: boolean;
  problems: readonly DraftProblem[];
  onEdit: (change: Partial<KeyDraft>) => void;
}

export function PermissionFields(props: PermissionFieldsProps) {
  return (
    <fieldset className="min-w-0 mx-0 mt-10 mb-0 p-0 border-0 [&_legend]:p-0">
      <legend className={SECTION_TITLE}>What it can do</legend>
      <Group title="Move money">
        <MoneyFields {...props} />
      </Group>
      {movesAlone(draftPermissions(props.draft)) ? (
        <div className="mt-5 mb-9 [&_span]:max-w-[62ch]">
          <InputField
            label="Daily cap"
            hint="The most it may move within 24 hours without approval, including what rules move because of it. Beyond it, each transfer and run waits for a person. Empty for no cap."
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
      <p className="mx-0 mt-6 mb-0 pb-2 border-b border-rule-strong text-[13px] text-ink-3">{title}</p>
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

function SetUpFields({ draft, rules, offersSandbox, problems, onEdit }: PermissionFieldsProps) {
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
          <p className="text-sm text-ink-3">Only a key for all rules can create new ones.</p>
        )}
      </PermissionRow>
      {offersSandbox ? (
        <PermissionRow
          title="Drive the sandbox"
          about="Move its clock, simulate payments, and decide proposals as a test person"
          isOn={draft.drivesSandbox}
          onToggle={(drivesSandbox) => onEdit({ drivesSandbox })}
        />
      ) : null}
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
    <li
      className={
        isOn
          ? "py-3.5 px-0 border-b border-rule [&_b]:font-medium [&>label_b]:font-semibold"
          : "py-3.5 px-0 border-b border-rule [&_b]:font-medium"
      }
    >
      <label className="grid grid-cols-[18px_1fr] items-start gap-3.5 cursor-pointer">
        <input
          className={`${CHECKBOX} mt-px checked:before:-mt-0.75 checked:before:h-1.25 checked:before:w-2.5 checked:before:-rotate-45 checked:before:border-b-2 checked:before:border-l-2 checked:before:border-on-teal checked:before:content-['']`}
          type="checkbox"
          checked={isOn}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <span>
          <b>{title}</b>
          <span className={SUBLINE}>{about}</span>
        </span>
      </label>
      {isOn && children ? <div className="mt-3.5 mr-0 mb-1.5 ml-8 max-sm:ml-0">{children}</div> : null}
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
    <div className="grid grid-cols-[44px_1fr] gap-3.5 mt-4 pt-4 border-t border-dashed border-rule-strong first:mt-0 first:pt-0 first:border-t-0">
      <Switch
        isOn={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        onSwitch={onToggle}
      />
      <div>
        <b id={`${id}-label`}>Require approval each time</b>
        <p className="text-sm text-ink-3" id={`${id}-about`}>
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
      <fieldset className="flex flex-wrap gap-y-2 gap-x-6 m-0 p-0 border-0">
        <legend className="sr-only">{label}</legend>
        <label className={`${CHOICE_LABEL} max-sm:min-h-11`}>
          <input
            className={RADIO}
            type="radio"
            name={name}
            checked={scope.isAll}
            onChange={() => onChange({ ...scope, isAll: true })}
          />
          All {noun}s
        </label>
        <label className={`${CHOICE_LABEL} max-sm:min-h-11`}>
          <input
            className={RADIO}
            type="radio"
            name={name}
            checked={!scope.isAll}
            onChange={() => onChange({ ...scope, isAll: false })}
          />
          Only these
        </label>
      </fieldset>
      {scope.isAll ? null : (
        <div className="max-sm:[&_select]:min-h-11 flex flex-wrap gap-2 mt-2.5 [&_select]:w-auto [&_select]:min-h-8.5 [&_select]:text-[13px]">
          {scope.ids.map((id) => (
            <LiveButton
              key={id}
              className={chipClass({ on: true })}
              onClick={() => onChange({ ...scope, ids: scope.ids.filter((other) => other !== id) })}
            >
              <span className="sr-only">Remove </span>
              {nameOf(id)}
              <X />
            </LiveButton>
          ))}
          {others.length > 0 ? (
            <select
              className={inputClass({ of: "select" })}
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
          {choices.length === 0 ? <p className="text-sm text-ink-3">There are no {noun}s yet.</p> : null}
        </div>
      )}
      {problem ? <FieldError>{problem.message}</FieldError> : null}
    </>
  );
}
