"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import { SelectField } from "@/components/ui/select-field";

interface TimeZoneDialogProps {
  timeZone: string;
  timeZones: readonly string[];
  error: string | null;
  isBusy: boolean;
  onSave: (timeZone: string) => void;
  onClose: () => void;
}

/** Another time zone, with what follows from it before it is chosen. */
export function TimeZoneDialog({ timeZone, timeZones, error, isBusy, onSave, onClose }: TimeZoneDialogProps) {
  const [chosen, setChosen] = useState(timeZone);
  return (
    <Dialog title="Change the time zone" onCancel={onClose}>
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSave(chosen);
        }}
      >
        <SelectField
          label="Time zone"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
          options={timeZones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        />
        <ul className="set-c">
          <li>Days, weeks, months and years of limits begin at that zone’s midnight, from now on.</li>
          <li>What a rule’s limit has used is counted anew from there, of the same transfers.</li>
          <li>What a card has spent stays in the month in which it was counted.</li>
          <li>A rule with a schedule keeps the zone that it was activated with.</li>
        </ul>
        <div role="status">{error ? <Note tone="red">{error}</Note> : null}</div>
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            Change time zone
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
