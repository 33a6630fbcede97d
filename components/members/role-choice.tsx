"use client";

import { useId } from "react";
import { ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";

interface RoleChoiceProps {
  /** Those that the reader may give. */
  roles: readonly MemberRole[];
  chosen: MemberRole;
  onChoose: (role: MemberRole) => void;
}

/** One role of several, each with what it is for. */
export function RoleChoice({ roles, chosen, onChoose }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset className="mem-r">
      <legend>Role</legend>
      {roles.map((role) => (
        <label className="check" key={role}>
          <input
            type="radio"
            className="box radio"
            name={name}
            value={role}
            checked={role === chosen}
            onChange={() => onChoose(role)}
          />
          <span>
            {ROLE_WORD[role]}
            <span className="meta blk">{ROLE_DOES[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
