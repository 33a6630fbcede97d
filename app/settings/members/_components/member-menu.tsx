"use client";

import { Ellipsis, FingerprintPattern } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { changeMemberRole, previewRemoval, removeMember } from "@/app/settings/members/actions";
import { nothingSent } from "@/components/act/answer-lost";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { RADIO } from "@/components/ui/choice-class";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { KEY_NAME, LINK, SUBLINE } from "@/components/ui/text-styles";
import {
  decidesMoney,
  type MemberRole,
  ROLE_DOES,
  ROLE_WITH_ARTICLE,
  ROLE_WORD,
} from "@/lib/contract/members";
import type { MemberRowView, MembersView, RemovalView } from "@/lib/views/members/list-members";

interface MemberMenuProps {
  member: MemberRowView;
  organizationName: string;
  viewer: MembersView["viewer"];
}

export function MemberMenu(props: MemberMenuProps) {
  const { member } = props;
  const [open, setOpen] = useState<"ROLE" | "REMOVE" | null>(null);
  if (member.roles.length === 0 && !member.canRemove) return null;
  return (
    <>
      <Button
        kind="quiet"
        size="small"
        aria-label={`More for ${member.name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(member.roles.length > 0 ? "ROLE" : "REMOVE")}
      >
        <Ellipsis />
      </Button>
      {open === "ROLE" ? (
        <RoleDialog {...props} onRemove={() => setOpen("REMOVE")} onClose={() => setOpen(null)} />
      ) : null}
      {open === "REMOVE" ? <RemoveDialog {...props} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

interface RoleDialogProps extends MemberMenuProps {
  onRemove: () => void;
  onClose: () => void;
}

function RoleDialog({ member, viewer, onRemove, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const needsProof = decidesMoney(role) || decidesMoney(member.role);
  const changing = useAction(changeMemberRole, {
    proof: (change) =>
      needsProof
        ? {
            act: `CHANGE_ROLE:${change.userId}:${change.role}`,
            title: `Make ${member.name} ${ROLE_WITH_ARTICLE[change.role]}`,
            confirmLabel: "Change role",
          }
        : null,
    onDone: onClose,
  });
  const change = { userId: member.id, role };
  return (
    <Dialog title={member.isYou ? "Your role" : `What can ${member.name} do?`} onCancel={onClose}>
      <p className="mt-2 text-ink-2">
        A change takes effect at once, including for assistants that {member.isYou ? "you" : "they"}{" "}
        connected.
      </p>
      <RoleChoice roles={member.roles} chosen={role} onChoose={setRole} />
      <RefusalNote
        message={changing.message}
        onRecoveryCode={needsProof && viewer.hasPasskey ? () => changing.runWithRecoveryCode(change) : null}
      />
      <div className={DIALOG_BUTTONS}>
        {member.canRemove ? (
          <span className="mr-auto">
            <Button kind="deny" onClick={onRemove}>
              {member.isYou ? "Leave" : "Remove"}
            </Button>
          </span>
        ) : null}
        <Button kind="quiet" onClick={onClose}>
          Keep
        </Button>
        <Button
          kind="primary"
          busy={changing.isBusy}
          onClick={() => (role === member.role ? onClose() : changing.run(change))}
        >
          {needsProof && viewer.hasPasskey ? <FingerprintPattern /> : null}
          {changing.isBusy ? "Changing" : "Change role"}
        </Button>
      </div>
    </Dialog>
  );
}

interface RemoveDialogProps {
  member: MemberRowView;
  organizationName: string;
  viewer: MembersView["viewer"];
  onClose: () => void;
}

const NO_ONE_REMOVED = nothingSent("No one was removed. Close this and try again.");

/** Removes a member, after saying what ends with it. */
function RemoveDialog({ member, organizationName, viewer, onClose }: RemoveDialogProps) {
  const { preview, problem } = usePreview(member.id);
  const needsProof = !member.isYou && decidesMoney(member.role);
  const removing = useAction(removeMember, {
    proof: ({ userId }) =>
      needsProof
        ? { act: `REMOVE_MEMBER:${userId}`, title: `Remove ${member.name}`, confirmLabel: "Remove" }
        : null,
    onDone: onClose,
  });
  const who = { userId: member.id };
  return (
    <ConfirmDialog
      title={member.isYou ? `Leave ${organizationName}?` : `Remove ${member.name}?`}
      keepLabel="Cancel"
      actLabel={removing.isBusy ? "Removing" : member.isYou ? "Leave" : "Remove"}
      kind="deny"
      action={{ message: removing.message ?? problem, isBusy: removing.isBusy || preview === null }}
      onAct={() => removing.run(who)}
      onRecoveryCode={
        needsProof && viewer.hasPasskey && removing.refusal ? () => removing.runWithRecoveryCode(who) : null
      }
      onClose={onClose}
    >
      <p>{endsWords(member, preview)}</p>
      <KeysThatStay member={member} preview={preview} />
    </ConfirmDialog>
  );
}

/** Loaded first, so that no one is removed before the consequences are shown. */
function usePreview(userId: string) {
  const looking = useAction(previewRemoval, {
    whenLost: NO_ONE_REMOVED,
    isRepeatable: true,
    afterwards: null,
  });
  const { run: look } = looking;
  useEffect(() => look({ userId }), [look, userId]);
  return { preview: looking.result?.view ?? null, problem: looking.message };
}

function endsWords({ isYou }: MemberRowView, preview: RemovalView | null): string {
  const who = isYou ? "You" : "They";
  const first = `${who} lose access at once${preview === null || preview.sessionCount === 0 ? "" : ` and are signed out`}.`;
  if (preview === null || preview.assistantCount === 0) return first;
  const names = preview.assistantNames.join(", ");
  const rest = preview.assistantCount - preview.assistantNames.length;
  const list = rest > 0 ? `${names} and ${rest} more` : names;
  return `${first} The ${preview.assistantCount === 1 ? "assistant" : "assistants"} that ${who.toLowerCase()} connected (${list}) ${preview.assistantCount === 1 ? "is" : "are"} disconnected, and what ${preview.assistantCount === 1 ? "it asks" : "they ask"} for is denied.`;
}

function KeysThatStay({ member, preview }: { member: MemberRowView; preview: RemovalView | null }) {
  if (preview === null) return <p className="mt-3.5 text-sm text-ink-3">Looking at what that ends.</p>;
  const made = member.isYou ? "You made" : "They made";
  if (preview.keyCount === 0)
    return <p className="mt-3.5 text-sm text-ink-3">{made} no key that still works.</p>;
  const rest = preview.keyCount - preview.keys.length;
  return (
    <>
      <p className="mt-3.5 text-sm text-ink-3">
        {made} {preview.keyCount === 1 ? "1 key that keeps" : `${preview.keyCount} keys that keep`} working.
        Revoke what is no longer needed.
      </p>
      <ul className="grid gap-1 mt-2">
        {preview.keys.map(({ name, href }) => (
          <li key={href}>
            <Link
              className={`${KEY_NAME} ${LINK} inline-flex min-h-6 items-center wrap-anywhere max-sm:min-h-11`}
              href={href}
            >
              {name}
            </Link>
          </li>
        ))}
        {rest > 0 ? <li className="text-ink-3">and {rest} more</li> : null}
      </ul>
    </>
  );
}

interface RoleChoiceProps {
  roles: readonly MemberRole[];
  chosen: MemberRole;
  onChoose: (role: MemberRole) => void;
}

export function RoleChoice({ roles, chosen, onChoose }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid in-[[aria-modal]]:mt-5 justify-items-start gap-1 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:font-semibold">
      <legend>Role</legend>
      {roles.map((role) => (
        <label
          className="inline-flex min-h-8 cursor-pointer items-start gap-2.5 py-1.5 max-sm:min-h-11"
          key={role}
        >
          <input
            type="radio"
            className={`${RADIO} mt-px`}
            name={name}
            value={role}
            checked={role === chosen}
            onChange={() => onChoose(role)}
          />
          <span>
            {ROLE_WORD[role]}
            <span className={SUBLINE}>{ROLE_DOES[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
