"use client";

import { useState } from "react";
import { usePhoneChange } from "@/components/notifications/use-phone-change";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { NotificationResult } from "@/lib/contract/views/notifications-view";

interface CodeFormProps {
  /** One was sent and can still be entered. */
  hasCode: boolean;
  /** Text messages stop in the mailbox of this machine. */
  isInMailbox: boolean;
  sendPhoneCode: () => Promise<NotificationResult>;
  verifyPhone: (input: { code: string }) => Promise<NotificationResult>;
}

/** Takes the six digits that came by SMS, or has others sent. */
export function CodeForm({ hasCode, isInMailbox, sendPhoneCode, verifyPhone }: CodeFormProps) {
  const [code, setCode] = useState("");
  const entering = usePhoneChange();
  const sending = usePhoneChange();
  return (
    <form
      method="post"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasCode || entering.isBusy || code.trim() === "") return;
        sending.clearRefusal();
        entering.run(
          () => verifyPhone({ code }),
          () => setCode(""),
        );
      }}
    >
      {hasCode ? (
        <InputField
          label="Code from the SMS"
          hint={
            isInMailbox ? (
              <>
                Six digits. Here, text messages stop in the{" "}
                <Link className="link" href="/mailbox">
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
          error={entering.refusal}
          onChange={(event) => setCode(event.target.value)}
        />
      ) : null}
      <div role="status">{sending.refusal ? <Note tone="red">{sending.refusal}</Note> : null}</div>
      <div className="ntf-b">
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
            entering.clearRefusal();
            sending.run(sendPhoneCode, () => setCode(""));
          }}
        >
          {hasCode ? "Send another code" : "Send a code"}
        </Button>
      </div>
    </form>
  );
}
