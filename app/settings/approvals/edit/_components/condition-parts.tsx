"use client";

import { type ReactNode, useState } from "react";
import { CheckList } from "@/app/settings/approvals/edit/_components/check-list";
import { usePolicy } from "@/app/settings/approvals/edit/_components/policy-context";
import { changeWhen, hasOtherConditions } from "@/app/settings/approvals/edit/_components/policy-edits";
import { AmountField } from "@/components/parts/sentences/amount-field";
import { Part } from "@/components/parts/sentences/part";
import { useParts } from "@/components/parts/sentences/part-context";
import { Button } from "@/components/ui/button";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { SelectField } from "@/components/ui/select-field";
import { writeCents } from "@/lib/contract/format-cents";
import {
  MAXIMUM_POLICY_IDS,
  MAXIMUM_POLICY_WINDOW_DAYS,
  type PolicyRule,
  type PolicyWhen,
  type PolicyWindow,
  policyKindSchema,
  policyRequesterKindSchema,
} from "@/lib/contract/policies/policy";
import { transferDirectionSchema } from "@/lib/contract/transfer";
import { policyAccountName } from "@/lib/words/policies/policy-names";
import {
  daysWords,
  directionWords,
  isOfChanges,
  kindWords,
  payeeWords,
  requesterKindWords,
  requesterWords,
} from "@/lib/words/policies/policy-sentence";
import { capitalized, joinWords } from "@/lib/words/rules/phrases";

/** Conditions that a rule can be given, with what each begins as. */
export const CONDITIONS: readonly {
  name: ConditionName;
  label: string;
  begin: (first: { accountId: string | null }) => Partial<PolicyWhen> | null;
}[] = [
  { name: "requesters", label: "Who asks", begin: () => ({ requesters: { kinds: ["API_KEY"] } }) },
  { name: "amount", label: "An amount", begin: () => ({ amountOver: 100_000 }) },
  { name: "directions", label: "In or out", begin: () => ({ directions: ["MONEY_OUT"] }) },
  { name: "payee", label: "A new or changed payee", begin: () => ({ payee: ["NEW", "CHANGED"] }) },
  {
    name: "sources",
    label: "From accounts",
    begin: ({ accountId }) => (accountId === null ? null : { sourceAccountIds: [accountId] }),
  },
  {
    name: "destinations",
    label: "To accounts",
    begin: ({ accountId }) => (accountId === null ? null : { destinationAccountIds: [accountId] }),
  },
  { name: "kinds", label: "What is asked for", begin: () => ({ kinds: ["TRANSFER"] }) },
];

export type ConditionName =
  | "requesters"
  | "amount"
  | "directions"
  | "payee"
  | "sources"
  | "destinations"
  | "kinds";

/** Whether the rule has it. */
export function hasCondition(when: PolicyWhen, name: ConditionName): boolean {
  switch (name) {
    case "amount":
      return when.amountOver !== undefined;
    case "sources":
      return when.sourceAccountIds !== undefined;
    case "destinations":
      return when.destinationAccountIds !== undefined;
    default:
      return when[name] !== undefined;
  }
}

interface PlacedRule {
  rule: PolicyRule;
  place: number;
}

/** `If an API key moves more than $2,000.00 in 7 days to one destination`, each condition a part. */
export function ConditionParts({ rule, place }: PlacedRule) {
  const { when } = rule;
  const isPolicyOnly = when.kinds?.length === 1 && when.kinds[0] === "POLICY";
  const isMoney = [
    when.payee,
    when.amountOver,
    when.sourceAccountIds,
    when.destinationAccountIds,
    when.directions,
  ].some((condition) => condition !== undefined);
  const of = { rule, place };
  if (isOfChanges(when) && !isPolicyOnly) {
    const isPayeeOnly = when.kinds?.every((kind) => kind === "PAYEE") ?? false;
    return (
      <>
        If{" "}
        {when.requesters ? (
          <>
            <RequesterPart {...of} /> asks for{" "}
          </>
        ) : null}
        <KindPart {...of} />
        {when.sourceAccountIds ? (
          <>
            {" "}
            from <AccountsPart {...of} field="sourceAccountIds" name="sources" />
          </>
        ) : null}
        {when.payee ? (
          <>
            {isPayeeOnly ? " that is " : " to a payee that is "}
            <PayeePart {...of} />
          </>
        ) : null}
        {when.destinationAccountIds ? (
          <>
            {when.payee || isPayeeOnly ? ", " : " to "}
            <AccountsPart {...of} field="destinationAccountIds" name="destinations" />
          </>
        ) : null}
        {when.amountOver === undefined ? null : (
          <>
            {" "}
            above <AmountPart {...of} />
          </>
        )}
        {when.directions ? (
          <>
            {" "}
            <DirectionPart {...of} />
          </>
        ) : null}
        {when.requesters ? "" : " is proposed"},
      </>
    );
  }
  if (!isMoney) {
    return (
      <>
        If{" "}
        {when.requesters ? (
          <>
            <RequesterPart {...of} /> {isPolicyOnly ? "changes " : "asks for "}
          </>
        ) : null}
        {when.kinds ? <KindPart {...of} /> : "anything"}
        {when.requesters ? "" : isPolicyOnly ? " is asked for" : " is proposed"},
      </>
    );
  }
  const hasWindow = when.window !== undefined;
  const isByRequester = when.window?.by.includes("requester") ?? false;
  return (
    <>
      If{" "}
      {when.requesters ? (
        <>
          <RequesterPart {...of} /> moves{" "}
        </>
      ) : isByRequester ? (
        "one requester moves "
      ) : null}
      {when.amountOver === undefined ? "money" : <AmountPart {...of} />}
      {when.requesters || isByRequester ? "" : " goes"}
      {when.directions ? (
        <>
          {" "}
          <DirectionPart {...of} />
        </>
      ) : null}
      {when.sourceAccountIds ? (
        <>
          {" "}
          from <AccountsPart {...of} field="sourceAccountIds" name="sources" />
        </>
      ) : null}
      {when.payee ? (
        <>
          {" "}
          to a payee that is <PayeePart {...of} />
        </>
      ) : null}
      {when.destinationAccountIds ? (
        <>
          {when.payee ? ", " : " to "}
          <AccountsPart {...of} field="destinationAccountIds" name="destinations" />
        </>
      ) : null}
      {hasWindow && when.window?.by.includes("destination") && !when.payee && !when.destinationAccountIds
        ? " to one destination"
        : ""}
      {when.kinds ? (
        <>
          {" "}
          as <KindPart {...of} />
        </>
      ) : null}
      ,
    </>
  );
}

/** Takes a condition away, if another one stays. */
function Without({
  rule,
  place,
  change,
  children,
}: PlacedRule & { change: Partial<PolicyWhen>; children: ReactNode }) {
  const { policy, edit } = usePolicy();
  const { setOpenPart } = useParts();
  const own = Object.keys(change).filter((name): name is keyof PolicyWhen => name in rule.when);
  if (!hasOtherConditions(rule.when, ...own)) return null;
  return (
    <Button
      kind="quiet"
      size="small"
      onClick={() => {
        setOpenPart(null);
        edit(changeWhen(policy, place, change));
      }}
    >
      {children}
    </Button>
  );
}

function KindPart({ rule, place }: PlacedRule) {
  const { policy, edit } = usePolicy();
  const kinds = rule.when.kinds ?? ["TRANSFER"];
  return (
    <Part
      name={`r${place}.kinds`}
      text={kindWords(kinds)}
      label={`What is asked for in rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ kinds: undefined }}>
          Anything
        </Without>
      }
    >
      <CheckList
        label="What is asked for"
        choices={policyKindSchema.options.map((value) => ({ value, label: capitalized(kindWords([value])) }))}
        values={kinds}
        onChoose={(values) =>
          edit(
            changeWhen(policy, place, {
              kinds: policyKindSchema.options.filter((kind) => values.includes(kind)),
            }),
          )
        }
      />
    </Part>
  );
}

function RequesterPart({ rule, place }: PlacedRule) {
  const { policy, edit, choices, names } = usePolicy();
  const { requesters } = rule.when;
  const kinds = requesters?.kinds ?? [];
  const ids = requesters?.ids ?? [];
  const values = [...kinds, ...ids];
  return (
    <Part
      name={`r${place}.requesters`}
      text={requesterWords(rule.when, names)}
      label={`Who asks in rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ requesters: undefined }}>
          Anyone
        </Without>
      }
    >
      <CheckList
        label="Who asks"
        choices={[
          ...policyRequesterKindSchema.options.map((value) => ({
            value,
            label: capitalized(requesterKindWords([value])),
            under: "Any of a kind",
          })),
          ...choices.requesters.map(({ id, name, under }) => ({ value: id, label: name, under })),
        ]}
        values={values}
        onChoose={(chosen) => {
          const added = chosen.find((value) => !values.includes(value));
          // By kind or by name: a rule with both would need both.
          const areKinds =
            added === undefined ? kinds.length > 0 : policyRequesterKindSchema.safeParse(added).success;
          edit(
            changeWhen(policy, place, {
              requesters: areKinds
                ? { kinds: policyRequesterKindSchema.options.filter((kind) => chosen.includes(kind)) }
                : {
                    ids: chosen
                      .filter((value) => !policyRequesterKindSchema.safeParse(value).success)
                      .slice(0, MAXIMUM_POLICY_IDS),
                  },
            }),
          );
        }}
      />
    </Part>
  );
}

const DAYS = [1, 7, 14, 30, 60, 90].filter((days) => days <= MAXIMUM_POLICY_WINDOW_DAYS);

function AmountPart({ rule, place }: PlacedRule) {
  const { policy, edit } = usePolicy();
  const { amountOver = 0, window } = rule.when;
  const [typed, setTyped] = useState<number | null>(amountOver);
  const setWindow = (next: PolicyWindow | undefined) => edit(changeWhen(policy, place, { window: next }));
  const toggle = (one: "requester" | "destination") => {
    if (!window) return;
    const by = window.by.includes(one) ? window.by.filter((other) => other !== one) : [...window.by, one];
    if (by.length > 0) setWindow({ ...window, by });
  };
  const days = window && !DAYS.includes(window.days) ? [...DAYS, window.days] : DAYS;
  return (
    <Part
      name={`r${place}.amount`}
      text={`more than ${writeCents(amountOver)}${window ? ` in ${daysWords(window.days)}` : ""}`}
      label={`Amount of rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ amountOver: undefined, window: undefined }}>
          Any amount
        </Without>
      }
    >
      <AmountField
        label="More than"
        valueInCents={typed}
        onValue={(cents) => {
          setTyped(cents);
          if (cents !== null && cents >= 0) edit(changeWhen(policy, place, { amountOver: cents }));
        }}
      />
      <SelectField
        label="Within"
        value={window ? String(window.days) : ""}
        options={[
          { value: "", label: "This proposal alone" },
          ...days.map((count) => ({ value: String(count), label: daysWords(count) })),
        ]}
        onChange={({ target }) =>
          setWindow(
            target.value === ""
              ? undefined
              : { days: Number(target.value), by: window?.by ?? ["requester", "destination"] },
          )
        }
      />
      {window ? (
        <>
          {(["requester", "destination"] as const).map((one) => (
            <label key={one} className={CHOICE_LABEL}>
              <input
                type="checkbox"
                className={CHECKBOX}
                checked={window.by.includes(one)}
                onChange={() => toggle(one)}
              />
              Per {one}
            </label>
          ))}
          <p className="text-sm text-ink-3">
            Counts what was approved or waits, so splitting an amount does not avoid this rule. One requester
            is a member with their keys and assistants.
          </p>
        </>
      ) : null}
    </Part>
  );
}

const directions = transferDirectionSchema.options;

function DirectionPart({ rule, place }: PlacedRule) {
  const { policy, edit } = usePolicy();
  const chosen = rule.when.directions ?? [];
  return (
    <Part
      name={`r${place}.directions`}
      text={directionWords(chosen)}
      label={`Direction of rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ directions: undefined }}>
          Any direction
        </Without>
      }
    >
      <CheckList
        label="Direction"
        choices={directions.map((value) => ({ value, label: capitalized(directionWords([value])) }))}
        values={chosen}
        onChoose={(values) =>
          edit(changeWhen(policy, place, { directions: directions.filter((one) => values.includes(one)) }))
        }
      />
    </Part>
  );
}

function PayeePart({ rule, place }: PlacedRule) {
  const { policy, edit } = usePolicy();
  const chosen = rule.when.payee ?? [];
  return (
    <Part
      name={`r${place}.payee`}
      text={payeeWords(chosen)}
      label={`Payee of rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ payee: undefined }}>
          Any payee
        </Without>
      }
    >
      <CheckList
        label="Payee"
        choices={[
          { value: "NEW", label: "New: never paid before" },
          { value: "CHANGED", label: "Changed since it was last paid" },
        ]}
        values={chosen}
        onChoose={(values) =>
          edit(
            changeWhen(policy, place, {
              payee: (["NEW", "CHANGED"] as const).filter((one) => values.includes(one)),
            }),
          )
        }
      />
    </Part>
  );
}

interface AccountsPartProps extends PlacedRule {
  field: "sourceAccountIds" | "destinationAccountIds";
  name: "sources" | "destinations";
}

function AccountsPart({ rule, place, field, name }: AccountsPartProps) {
  const { policy, edit, choices, names } = usePolicy();
  const chosen = rule.when[field] ?? [];
  return (
    <Part
      name={`r${place}.${name}`}
      text={joinWords(
        chosen.map((id) => policyAccountName(names, id)),
        "or",
      )}
      label={`${name === "sources" ? "Source" : "Destination"} accounts of rule ${place + 1}`}
      foot={
        <Without rule={rule} place={place} change={{ [field]: undefined }}>
          Any account
        </Without>
      }
    >
      <CheckList
        label="Accounts"
        choices={choices.accounts
          .filter(({ id, isClosed }) => !isClosed || chosen.includes(id))
          .map(({ id, name: label }) => ({ value: id, label }))}
        values={chosen}
        onChoose={(values) =>
          edit(changeWhen(policy, place, { [field]: values.slice(0, MAXIMUM_POLICY_IDS) }))
        }
      />
    </Part>
  );
}
