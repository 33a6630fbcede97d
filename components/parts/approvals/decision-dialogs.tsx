"use client";

import { type ReactNode, type RefObject, useRef, useState } from "react";
import { AppCodeField } from "@/components/act/credential-fields";
import { SendForm } from "@/components/act/send-form";
import { DecisionNoteBox, type DecisionNotice } from "@/components/parts/approvals/decision-notice";
import type { TypedMeans } from "@/components/parts/approvals/use-decision";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField, TextareaField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { KEY_NAME } from "@/components/ui/text-styles";
import { DENIAL_REASON_WORDS, denialReasonKindSchema } from "@/lib/contract/approvals/denial";
import type { Decision, DenialGiven } from "@/lib/contract/confirmation/decision";
import { DENIAL_NOTE_LIMIT, DENIAL_TEXT_LIMIT, MAXIMUM_NOT_NOW_DAYS } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

interface DenyDialogProps {
  kind: "TRANSFER" | "RULE_RUN";
  /** `$52.74 from Operating to Profit` */
  what: string;
  /** Null when nothing would move or the amount is unknown. */
  amount: string | null;
  sourceName: string;
  requesterName: string;
  /** A key or an assistant, which reads why it was denied. */
  isProgram: boolean;
  time: TimeContext;
  isBusy: boolean;
  notice: DecisionNotice | null;
  onDeny: (note: string, reason: DenialGiven | null) => void;
  onRecoveryCode: () => void;
  onClose: () => void;
}

/** Asks for an optional note for members only, and for a program a reason that it reads. */
export function DenyDialog(props: DenyDialogProps) {
  const { kind, what, amount, sourceName, requesterName, isProgram, notice, onClose } = props;
  const noteField = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog title={`Deny ${what}?`} initialFocus={noteField} onCancel={onClose}>
      <p className="mt-2 text-ink-2">
        {amount === null ? "Nothing moves." : `${amount} stays in ${sourceName}.`}{" "}
        <span className={isProgram ? KEY_NAME : undefined}>{requesterName}</span> will see that it was denied
        {isProgram ? ", and your reason for it, if you give one." : ", but not why."}
      </p>
      <DenialForm
        requesterName={requesterName}
        isProgram={isProgram}
        time={props.time}
        isBusy={props.isBusy}
        noteField={noteField}
        notice={
          <DecisionNoteBox
            place="panel"
            notice={notice}
            blockedBecause={null}
            onRecoveryCode={props.onRecoveryCode}
          />
        }
        keepLabel="Cancel"
        denyLabel={`Deny ${kind === "TRANSFER" ? "transfer" : "run"}`}
        onDeny={props.onDeny}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface DenialFormProps
  extends Pick<DenyDialogProps, "requesterName" | "isProgram" | "time" | "isBusy" | "onDeny" | "onClose"> {
  noteField: RefObject<HTMLTextAreaElement | null>;
  /** Why nothing was denied. */
  notice: ReactNode;
  /** How many are denied at once; unset: one. */
  allCount?: number;
  keepLabel: string;
  denyLabel: string;
}

/** The note for members and, for a program, the reason that it reads. */
export function DenialForm({
  requesterName,
  isProgram,
  time,
  isBusy,
  noteField,
  notice,
  allCount,
  keepLabel,
  denyLabel,
  onDeny,
  onClose,
}: DenialFormProps) {
  const [note, setNote] = useState("");
  const [reason, setReason] = useState<DenialGiven | null>(null);
  const forAll = allCount === undefined ? "" : ` for all ${allCount}`;
  const deny = () => {
    if (!isBusy) onDeny(note, reason);
  };
  return (
    <SendForm browserChecks isBusy={isBusy} onSend={deny}>
      <TextareaField
        ref={noteField}
        label={
          <>
            {forAll === "" ? "Note" : `One note${forAll}`}{" "}
            <span className="text-sm text-ink-3">Optional</span>
          </>
        }
        hint={`Up to ${DENIAL_NOTE_LIMIT} characters, for members only`}
        rows={3}
        maxLength={DENIAL_NOTE_LIMIT}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) deny();
        }}
      />
      {isProgram ? (
        <ReasonFields
          requesterName={requesterName}
          forAll={forAll}
          time={time}
          reason={reason}
          onChange={setReason}
        />
      ) : null}
      {notice}
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind="deny" type="submit" busy={isBusy}>
          {isBusy ? "Denying" : denyLabel}
        </Button>
      </div>
    </SendForm>
  );
}

const NO_REASON = "";
const REASONS = [
  { value: NO_REASON, label: "No reason" },
  ...denialReasonKindSchema.options.map((value) => ({ value, label: DENIAL_REASON_WORDS[value] })),
];

const HELD_BACK = "the same request is refused.";

const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;

interface ReasonFieldsProps {
  requesterName: string;
  /** ` for all 6`, or nothing. */
  forAll: string;
  time: TimeContext;
  reason: DenialGiven | null;
  onChange: (reason: DenialGiven | null) => void;
}

/** Why, for the program: it reads this as said by a person. */
function ReasonFields({ requesterName, forAll, time, reason, onChange }: ReasonFieldsProps) {
  const dayIn = (days: number) =>
    calendarDate(new Date(Date.parse(time.nowAt) + days * DAY_MS), time.timeZone);
  const choose = (value: string) => {
    const kind = denialReasonKindSchema.safeParse(value).data;
    if (!kind) return onChange(null);
    onChange({ kind, text: reason?.text ?? null, notBefore: kind === "NOT_NOW" ? dayIn(USUAL_DAYS) : null });
  };
  return (
    <>
      <SelectField
        label={
          <>
            Reason for <span className={KEY_NAME}>{requesterName}</span>
            {forAll === "" ? " " : `,${forAll} `}
            <span className="text-sm text-ink-3">Optional</span>
          </>
        }
        hint={reason?.kind === "DO_NOT_ASK_AGAIN" ? `From now on, ${HELD_BACK}` : null}
        options={REASONS}
        value={reason?.kind ?? NO_REASON}
        onChange={(event) => choose(event.target.value)}
      />
      {reason?.kind === "NOT_NOW" ? (
        <InputField
          label="It may ask again from"
          hint={`Until then, ${HELD_BACK}`}
          type="date"
          required
          min={dayIn(1)}
          max={dayIn(MAXIMUM_NOT_NOW_DAYS - 1)}
          value={reason.notBefore ?? ""}
          onChange={(event) => onChange({ ...reason, notBefore: event.target.value || null })}
        />
      ) : null}
      {reason ? (
        <TextareaField
          label={
            <>
              In your words <span className="text-sm text-ink-3">Optional</span>
            </>
          }
          hint={`Up to ${DENIAL_TEXT_LIMIT} characters. ${requesterName} reads them as said by a person.`}
          rows={2}
          maxLength={DENIAL_TEXT_LIMIT}
          value={reason.text ?? ""}
          onChange={(event) => onChange({ ...reason, text: event.target.value || null })}
        />
      ) : null}
    </>
  );
}

interface TypedConfirmationDialogProps {
  means: TypedMeans;
  /** A password also needs the code of the authenticator app. */
  withCode: boolean;
  decision: Decision;
  kind: "TRANSFER" | "RULE_RUN";
  /** `$52.74 from Operating to Profit` */
  what: string;
  isBusy: boolean;
  error: string | null;
  onSubmit: (text: string, code: string) => void;
  onClose: () => void;
}

/** Confirms a decision with a password, or with a recovery code in place of a lost passkey. */
export function TypedConfirmationDialog({
  means,
  withCode,
  decision,
  kind,
  what,
  isBusy,
  error,
  onSubmit,
  onClose,
}: TypedConfirmationDialogProps) {
  const [text, setText] = useState("");
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isPassword = means === "PASSWORD";
  return (
    <Dialog
      title={`${decision === "APPROVE" ? "Approve" : "Deny"} ${what}`}
      initialFocus={field}
      onCancel={onClose}
    >
      <SendForm
        browserChecks
        isBusy={isBusy}
        onSend={() => {
          if (text !== "") onSubmit(text, code);
        }}
      >
        <InputField
          ref={field}
          label={isPassword ? "Your password" : "Recovery code"}
          hint={
            isPassword
              ? "With a passkey, this takes one touch."
              : "One of your ten recovery codes. Each works once."
          }
          type={isPassword ? "password" : "text"}
          autoComplete={isPassword ? "current-password" : "off"}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        {withCode ? <AppCodeField value={code} onChange={(event) => setCode(event.target.value)} /> : null}
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind={decision === "APPROVE" ? "primary" : "deny"} type="submit" busy={isBusy}>
            {confirmLabel(decision, kind, isBusy)}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

function confirmLabel(decision: Decision, kind: "TRANSFER" | "RULE_RUN", isBusy: boolean): string {
  const noun = kind === "TRANSFER" ? "transfer" : "run";
  if (decision === "APPROVE") return isBusy ? "Approving" : `Approve ${noun}`;
  return isBusy ? "Denying" : `Deny ${noun}`;
}
