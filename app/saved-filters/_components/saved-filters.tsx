"use client";

import { type MouseEvent, useRef, useState } from "react";
import { deleteFilter, renameFilter, saveFilter } from "@/app/saved-filters/actions";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { ChoiceList, FilterChip } from "@/components/parts/movements/filter-chip";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { FILTERS_PER_LIST, MAXIMUM_FILTER_NAME_LENGTH } from "@/lib/contract/limits";
import type { SavedFiltersView } from "@/lib/views/organization/list-saved-filters";

interface SavedFiltersProps {
  view: SavedFiltersView;
}

/** Filters that the member kept: links, so picking one works without scripts. Nobody else sees them. */
export function SavedFilters({ view }: SavedFiltersProps) {
  const [open, setOpen] = useState<"SAVE" | "MANAGE" | null>(null);
  const { filters, query } = view;
  const shown = filters.find(({ isShown }) => isShown) ?? null;
  const canSave = query !== "" && shown === null && filters.length < FILTERS_PER_LIST;
  const show = (dialog: "SAVE" | "MANAGE") => (event: MouseEvent<HTMLButtonElement>) => {
    closePanel(event.currentTarget);
    setOpen(dialog);
  };
  return (
    <>
      <FilterChip
        label="Saved"
        chosen={shown?.name ?? null}
        whenNone={filters.length > 0 ? String(filters.length) : "none"}
        isLast
      >
        {filters.length > 0 ? (
          <ChoiceList
            choices={filters.map(({ label, href, isShown }) => ({ label, href, isChosen: isShown }))}
          />
        ) : (
          <p className="max-w-60 p-2 text-sm text-ink-3">{adviceOf(query)}</p>
        )}
        {canSave || filters.length > 0 ? (
          <div className="mt-3 flex flex-wrap gap-2">
            {canSave ? (
              <Button kind="outlined" size="small" onClick={show("SAVE")}>
                Save these filters
              </Button>
            ) : null}
            {filters.length > 0 ? (
              <Button kind="quiet" size="small" onClick={show("MANAGE")}>
                Rename or delete
              </Button>
            ) : null}
          </div>
        ) : null}
      </FilterChip>
      {open === "SAVE" ? <SaveDialog view={view} onClose={() => setOpen(null)} /> : null}
      {open === "MANAGE" && filters.length > 0 ? (
        <ManageDialog filters={filters} onClose={() => setOpen(null)} />
      ) : null}
    </>
  );
}

function adviceOf(query: string): string {
  return query === ""
    ? "Choose filters first, then save them here under a name."
    : "Save these filters under a name to open them with one press.";
}

/** So that Esc closes the dialog, not the panel behind it, and the focus has a place to return to. */
function closePanel(button: HTMLElement): void {
  const panel = button.closest("details");
  panel?.querySelector("summary")?.focus();
  panel?.removeAttribute("open");
}

interface SaveDialogProps {
  view: SavedFiltersView;
  onClose: () => void;
}

function SaveDialog({ view: { list, query }, onClose }: SaveDialogProps) {
  const [name, setName] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const saving = useAction(saveFilter, { onDone: onClose });
  return (
    <Dialog title="Save these filters" initialFocus={field} onCancel={onClose}>
      <SendForm browserChecks isBusy={saving.isBusy} onSend={() => saving.run({ list, name, query })}>
        <p className="mt-2 text-ink-2">Only you see saved filters.</p>
        <InputField
          ref={field}
          label="Name"
          maxLength={MAXIMUM_FILTER_NAME_LENGTH}
          autoComplete="off"
          value={name}
          error={saving.message}
          onChange={(event) => setName(event.target.value)}
        />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={saving.isBusy}>
            {saving.isBusy ? "Saving" : "Save filters"}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

interface ManageDialogProps {
  filters: SavedFiltersView["filters"];
  onClose: () => void;
}

function ManageDialog({ filters, onClose }: ManageDialogProps) {
  return (
    <Dialog title="Saved filters" onCancel={onClose}>
      <ul className="grid gap-4">
        {filters.map((filter) => (
          <li key={filter.id}>
            <FilterForm filter={filter} />
          </li>
        ))}
      </ul>
      <div className={DIALOG_BUTTONS}>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function FilterForm({ filter }: { filter: SavedFiltersView["filters"][number] }) {
  const [name, setName] = useState(filter.name);
  const renaming = useAction(renameFilter);
  const deleting = useAction(deleteFilter, {
    refreshesWhenRefused: true,
  });
  const isBusy = renaming.isBusy || deleting.isBusy;
  return (
    <SendForm
      browserChecks
      isBusy={isBusy}
      onSend={() => {
        if (name !== filter.name) renaming.run({ filterId: filter.id, name });
      }}
    >
      <InputField
        label={`Name of ${filter.name}`}
        maxLength={MAXIMUM_FILTER_NAME_LENGTH}
        autoComplete="off"
        value={name}
        error={renaming.message ?? deleting.message}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind="outlined" size="small" type="submit" busy={isBusy} aria-label={`Rename ${filter.name}`}>
          Rename
        </Button>
        <Button
          kind="quiet"
          size="small"
          busy={isBusy}
          aria-label={`Delete ${filter.name}`}
          onClick={() => deleting.run({ filterId: filter.id })}
        >
          Delete
        </Button>
      </div>
    </SendForm>
  );
}
