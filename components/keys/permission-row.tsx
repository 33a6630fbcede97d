import type { ReactNode } from "react";

interface PermissionRowProps {
  title: string;
  about: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  /** Shown while it is on. */
  children?: ReactNode;
}

/** One thing that a key may do, with what there is to choose about it. */
export function PermissionRow({ title, about, isOn, onToggle, children }: PermissionRowProps) {
  return (
    <li className={isOn ? "perm on" : "perm"}>
      <label className="perm-h">
        <input
          className="box"
          type="checkbox"
          checked={isOn}
          onChange={(event) => onToggle(event.target.checked)}
        />
        <span>
          <b>{title}</b>
          <span className="meta blk">{about}</span>
        </span>
      </label>
      {isOn && children ? <div className="perm-b">{children}</div> : null}
    </li>
  );
}
