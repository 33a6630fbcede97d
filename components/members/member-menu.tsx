"use client";

import { Ellipsis, FingerprintPattern } from "lucide-react";
import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/step-up-refusal";
import type { MemberActions } from "@/components/members/member-actions";
import { RemoveDialog } from "@/components/members/remove-dialog";
import { RoleChoice } from "@/components/members/role-choice";
import { useMemberAct } from "@/components/members/use-member-act";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { decidesMoney } from "@/lib/contract/decides-money";
import type { MemberRowView, MembersView } from "@/lib/contract/views/members-view";

interface MemberMenuProps {
  member: MemberRowView;
  organizationName: string;
  viewer: MembersView["viewer"];
  actions: MemberActions;
}

/** What can be done with one member: another role, or the end of their membership. */
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
        <Ellipsis className="ic" />
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

function RoleDialog({ member, viewer, actions, onRemove, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const changing = useMemberAct(actions, "Change role");
  const needsProof = decidesMoney(role) || decidesMoney(member.role);
  const send = (submit: typeof changing.act) =>
    submit({
      needsProof,
      run: () => actions.changeMemberRole({ userId: member.id, role }),
      onDone: onClose,
    });
  return (
    <>
      <Dialog title={member.isYou ? "Your role" : `What may ${member.name} do?`} onCancel={onClose}>
        <p className="ink2 dialog-l">
          A change counts at once, also for the assistants that {member.isYou ? "you" : "they"} connected.
        </p>
        <RoleChoice roles={member.roles} chosen={role} onChoose={setRole} />
        <StepUpRefusal
          message={changing.refusal}
          onRecoveryCode={needsProof && viewer.hasPasskey ? () => send(changing.actWithRecoveryCode) : null}
        />
        <div className="btns">
          {member.canRemove ? (
            <span className="mem-d">
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
            onClick={() => (role === member.role ? onClose() : send(changing.act))}
          >
            {needsProof && viewer.hasPasskey ? <FingerprintPattern className="ic" /> : null}
            {changing.isBusy ? "Changing" : "Change role"}
          </Button>
        </div>
      </Dialog>
      {changing.dialog}
    </>
  );
}
