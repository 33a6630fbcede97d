"use client";

import { useState } from "react";
import { SETTING_UNKNOWN, SettingDialog } from "@/app/settings/_components/setting-dialog";
import { changeTimeZone, renameOrganization, setNewPodFloor } from "@/app/settings/actions";
import { afterAsking } from "@/components/act/after-asking";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { useKeptFields } from "@/components/act/use-kept-fields";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { SelectField } from "@/components/ui/select-field";
import { SettingActions, SettingList } from "@/components/ui/setting-list";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { parseCents } from "@/lib/contract/format-cents";
import type { OrganizationView } from "@/lib/views/organization/read-organization";

interface OrganizationRowsProps {
  view: Pick<OrganizationView, "name" | "timeZone" | "timeZones" | "newPodFloorInCents" | "viewer">;
  words: { kind: string; timeZone: string; floor: string };
}

type Open = { kind: "FLOOR"; text: string } | { kind: "TIME_ZONE" } | null;

const NOT_RENAMING = { isOpen: "", name: "" };

export function OrganizationRows({ view, words }: OrganizationRowsProps) {
  const [open, setOpen] = useState<Open>(null);
  // A reload opens the dialog again, with the name as typed.
  const rename = useKeptFields("rename organization", NOT_RENAMING);
  const close = () => {
    setOpen(null);
    rename.change(NOT_RENAMING);
    rename.forget();
  };
  const outcome = { whenLost: SETTING_UNKNOWN, onDone: close };
  const renaming = useAction(renameOrganization, outcome);
  const settingFloor = useAction(setNewPodFloor, {
    ...outcome,
    afterwards: afterAsking,
    proof: ({ amount }) => {
      const floor = parseCents(amount) || null;
      const isLowered = (floor ?? 0) < (view.newPodFloorInCents ?? 0);
      return isLowered
        ? {
            act: `LOWER_NEW_POD_FLOOR:${amountIn(floor)}`,
            title: "Lower the floor of new pods",
            confirmLabel: "Lower the floor",
          }
        : null;
    },
  });
  const changingZone = useAction(changeTimeZone, {
    ...outcome,
    proof: ({ timeZone }) => ({
      act: `CHANGE_TIME_ZONE:${timeZone}`,
      title: `Change the time zone to ${timeZone}`,
      confirmLabel: "Change time zone",
    }),
  });
  const forgetOutcomes = () => {
    for (const action of [renaming, settingFloor, changingZone]) action.forget();
  };
  const show = (next: Open) => {
    forgetOutcomes();
    setOpen(next);
  };
  const startFloor = view.newPodFloorInCents === null ? "" : (view.newPodFloorInCents / 100).toFixed(2);
  return (
    <>
      <SettingList>
        <Row
          title={view.name}
          about={`${words.kind}. Appears on statements and in emails.`}
          label="Rename"
          canChange={view.viewer.canChange}
          onOpen={() => {
            forgetOutcomes();
            rename.change({ isOpen: "YES", name: view.name });
          }}
        />
        <Row
          title="Time zone"
          about={`${words.timeZone}. Used for limits, months and messages.`}
          label="Change"
          canChange={view.viewer.canChange}
          onOpen={() => show({ kind: "TIME_ZONE" })}
        />
        <Row
          title="Default floor"
          about={`Rules and keys leave ${words.floor} untouched in new pods, unless a pod sets its own floor`}
          label="Change"
          canChange={view.viewer.canChange}
          onOpen={() => show({ kind: "FLOOR", text: startFloor })}
        />
      </SettingList>
      {rename.fields.isOpen ? (
        <SettingDialog
          title="Rename the organization"
          about="Sent messages keep the old name. Rename a beneficiary of this name under Beneficiaries."
          field={{
            label: "Name",
            value: rename.fields.name,
            maxLength: 200,
            onChange: (name) => rename.change({ name }),
          }}
          error={renaming.message}
          isBusy={renaming.isBusy}
          keepLabel="Keep the name"
          saveLabel="Rename"
          onSave={() => renaming.run({ name: rename.fields.name })}
          onClose={close}
        />
      ) : null}
      {open?.kind === "FLOOR" ? (
        <SettingDialog
          title="Default floor"
          about="Prefilled for new pods, and used for pods that keys open. Existing pods keep theirs."
          field={{
            label: "Floor",
            hint: "In dollars. Empty for none.",
            value: open.text,
            maxLength: 20,
            inputMode: "decimal",
            onChange: (text) => setOpen({ kind: "FLOOR", text }),
          }}
          error={settingFloor.message}
          isBusy={settingFloor.isBusy}
          keepLabel="Keep it"
          saveLabel="Save"
          onSave={() => settingFloor.run({ amount: open.text })}
          onClose={close}
        />
      ) : null}
      {open?.kind === "TIME_ZONE" ? (
        <TimeZoneDialog
          timeZone={view.timeZone}
          timeZones={view.timeZones}
          message={changingZone.message}
          isBusy={changingZone.isBusy}
          onSave={(timeZone) => changingZone.run({ timeZone })}
          onClose={close}
        />
      ) : null}
    </>
  );
}

interface RowProps {
  title: string;
  about: string;
  label: string;
  canChange: boolean;
  onOpen: () => void;
}

function Row({ title, about, label, canChange, onOpen }: RowProps) {
  return (
    <li>
      <div>
        <b>{title}</b>
        <p className="text-sm text-ink-3">{about}</p>
      </div>
      {canChange ? (
        <SettingActions>
          <Button kind="outlined" size="small" onClick={onOpen} aria-label={`${label}: ${title}`}>
            {label}
          </Button>
        </SettingActions>
      ) : null}
    </li>
  );
}

interface TimeZoneDialogProps {
  timeZone: string;
  timeZones: readonly string[];
  message: string | null;
  isBusy: boolean;
  onSave: (timeZone: string) => void;
  onClose: () => void;
}

/** Lists the consequences before the change. */
function TimeZoneDialog({ timeZone, timeZones, message, isBusy, onSave, onClose }: TimeZoneDialogProps) {
  const [chosen, setChosen] = useState(timeZone);
  return (
    <Dialog title="Change the time zone" onCancel={onClose}>
      <SendForm isBusy={isBusy} onSend={() => onSave(chosen)}>
        <SelectField
          label="Time zone"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        />
        <ul className="grid gap-1.5 mt-4 pl-4.5 text-ink-2 list-disc">
          <li>Limit periods will start at midnight in the new zone.</li>
          <li>Used rule limits are recalculated for the new periods.</li>
          <li>Card spending stays in the month in which it was counted.</li>
          <li>Scheduled rules keep the zone they were activated with.</li>
        </ul>
        <RefusalNote message={message} />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Change time zone
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}
