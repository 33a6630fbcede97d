"use client";

import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { removePhone, sendPhoneCode, setPhone, verifyPhone } from "@/app/settings/notifications/actions";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import type { StepUpRequest } from "@/components/act/prove";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { formatClock, formatDay } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SettingActions, SettingList } from "@/components/ui/setting-list";
import { LINK } from "@/components/ui/text-styles";
import { changePhoneAct } from "@/lib/contract/confirmation/step-up";
import type { TimeContext } from "@/lib/contract/time-context";
import type { NotificationsView, PhoneView } from "@/lib/views/notifications/read-notifications";

interface PhoneSectionProps {
  phone: PhoneView;
  smsWay: NotificationsView["smsWay"];
  /** Real time. */
  time: TimeContext;
}

export function PhoneSection({ phone, smsWay, time }: PhoneSectionProps) {
  const [open, setOpen] = useState<"NUMBER" | "REMOVE" | null>(null);
  const close = () => setOpen(null);
  /** So that an unattended browser cannot redirect or silence a verified number. */
  const ifVerified = (request: StepUpRequest) => (phone.kind === "VERIFIED" ? request : null);
  const setting = useAction(setPhone, {
    proof: (input) =>
      ifVerified({
        act: changePhoneAct(input.phone),
        title: `Change your phone number to ${input.phone}`,
        confirmLabel: "Change number",
      }),
    onDone: close,
  });
  const removing = useAction(removePhone, {
    proof: () =>
      ifVerified({
        act: "REMOVE_PHONE",
        title: "Remove your phone number",
        confirmLabel: "Remove number",
      }),
    onDone: close,
  });
  const show = (dialog: "NUMBER" | "REMOVE") => {
    setting.forget();
    removing.forget();
    setOpen(dialog);
  };

  return (
    <Section id="phone" title="Phone number" fact="For you, in every organization">
      {phone.kind === "NONE" ? (
        <NoNumber canAdd={smsWay !== "NONE"} onAdd={() => show("NUMBER")} />
      ) : (
        <SettingList>
          <li>
            <div>
              <b>{phone.masked}</b>
              <p className="text-sm text-ink-3">{aboutPhone(phone, time)}</p>
            </div>
            <SettingActions>
              {smsWay === "NONE" ? null : (
                <Button kind="outlined" size="small" onClick={() => show("NUMBER")}>
                  Change
                </Button>
              )}
              <Button kind="quiet" size="small" onClick={() => show("REMOVE")}>
                Remove
              </Button>
            </SettingActions>
          </li>
          {phone.kind === "UNVERIFIED" && smsWay !== "NONE" ? (
            <li className="grid-cols-[minmax(0,340px)]">
              <CodeForm hasCode={phone.expiresAt !== null} isInMailbox={smsWay === "MAILBOX"} />
            </li>
          ) : null}
        </SettingList>
      )}
      {smsWay === "NONE" ? (
        <Note>No SMS provider is configured, so text messages cannot be sent.</Note>
      ) : null}
      {open === "NUMBER" ? (
        <NumberDialog
          phone={phone}
          isBusy={setting.isBusy}
          refusal={setting.message}
          onSave={(number) => setting.run({ phone: number })}
          onClose={close}
        />
      ) : null}
      {open === "REMOVE" && phone.kind !== "NONE" ? (
        <ConfirmDialog
          title="Remove this number?"
          keepLabel="Keep it"
          actLabel="Remove number"
          kind="deny"
          action={removing}
          onAct={() => removing.run()}
          onClose={close}
        >
          <p>
            {phone.kind === "VERIFIED"
              ? `${phone.masked} will get no more text messages. Notifications come by email only.`
              : `${phone.masked} is not verified, so it only gets its code.`}
          </p>
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

function NoNumber({ canAdd, onAdd }: { canAdd: boolean; onAdd: () => void }) {
  return (
    <>
      <p className="mt-3 text-ink-2">You have no number, so everything comes by email.</p>
      {canAdd ? (
        <p className="mt-1 mr-0 mb-0 -ml-2.5">
          <Button kind="quiet" size="small" onClick={onAdd}>
            <Plus />
            Add a number
          </Button>
        </p>
      ) : null}
    </>
  );
}

function aboutPhone(phone: Exclude<PhoneView, { kind: "NONE" }>, time: TimeContext): string {
  if (phone.kind === "VERIFIED") return `Verified ${formatDay(phone.verifiedAt, time)}.`;
  if (phone.expiresAt === null) return "Not verified. No active code.";
  return `Not verified. The code sent is valid until ${formatClock(phone.expiresAt, time)}.`;
}

interface NumberDialogProps {
  phone: PhoneView;
  isBusy: boolean;
  refusal: string | null;
  onSave: (number: string) => void;
  onClose: () => void;
}

function NumberDialog({ phone, isBusy, refusal, onSave, onClose }: NumberDialogProps) {
  const [number, setNumber] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isNew = phone.kind === "NONE";
  return (
    <Dialog title={isNew ? "Add a number" : "Change your number"} initialFocus={field} onCancel={onClose}>
      <SendForm
        browserChecks
        isBusy={isBusy}
        onSend={() => {
          if (number.trim() !== "") onSave(number);
        }}
      >
        <p className="mt-2 text-ink-2">
          We text a code to it. Nothing else goes there until you enter the code.
          {phone.kind === "VERIFIED" ? ` Messages stop going to ${phone.masked} at once.` : null}
        </p>
        <InputField
          ref={field}
          label="Phone number"
          hint="With country code: +1 212 555 0131."
          type="tel"
          autoComplete="tel"
          maxLength={40}
          required
          value={number}
          error={refusal}
          onChange={(event) => setNumber(event.target.value)}
        />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            {isNew ? "Not yet" : "Keep the number"}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isBusy ? "Sending" : "Send code"}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

interface CodeFormProps {
  hasCode: boolean;
  /** Text messages go to this machine's mailbox. */
  isInMailbox: boolean;
}

function CodeForm({ hasCode, isInMailbox }: CodeFormProps) {
  const [code, setCode] = useState("");
  const empty = () => setCode("");
  const entering = useAction(verifyPhone, { onDone: empty });
  const sending = useAction(sendPhoneCode, { onDone: empty });
  return (
    <SendForm
      browserChecks
      className="[&>*+*]:mt-4"
      isBusy={entering.isBusy}
      onSend={() => {
        if (!hasCode || code.trim() === "") return;
        sending.forget();
        entering.run({ code });
      }}
    >
      {hasCode ? (
        <InputField
          label="Code from the SMS"
          hint={
            isInMailbox ? (
              <>
                Six digits. Text messages go to the{" "}
                <Link className={LINK} href="/mailbox">
                  mailbox
                </Link>
                .
              </>
            ) : (
              "Six digits."
            )
          }
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          value={code}
          error={entering.message}
          onChange={(event) => setCode(event.target.value)}
        />
      ) : null}
      <RefusalNote message={sending.message} />
      <div className="flex flex-wrap gap-2">
        {hasCode ? (
          <Button kind="primary" size="small" type="submit" busy={entering.isBusy}>
            Verify number
          </Button>
        ) : null}
        <Button
          kind={hasCode ? "quiet" : "outlined"}
          size="small"
          busy={sending.isBusy}
          onClick={() => {
            entering.forget();
            sending.run();
          }}
        >
          {hasCode ? "Send another code" : "Send a code"}
        </Button>
      </div>
    </SendForm>
  );
}
