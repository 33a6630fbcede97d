import { Initials } from "@/components/ui/initials";
import { ROLE_WORD } from "@/lib/contract/members";
import type { MoveView } from "@/lib/contract/views/move-view";

/** For members who may not move money: why, and who may. */
export function MayNotMove({ viewer }: { viewer: MoveView["viewer"] }) {
  return (
    <section className="m-not" aria-labelledby="may-not-move">
      <h2 className="h3" id="may-not-move">
        You can’t move money
      </h2>
      <p className="ink2">
        Your role is {ROLE_WORD[viewer.role].toLowerCase()}. Only owners and co-owners can move money. Ask one
        of them:
      </p>
      <ul className="ppl">
        {viewer.deciders.map(({ id, name, role }) => (
          <li key={id}>
            <Initials name={name} />
            <span>
              <b>{name}</b>
              <span className="meta blk">{ROLE_WORD[role]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
