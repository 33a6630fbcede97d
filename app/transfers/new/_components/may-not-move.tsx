import { Initials } from "@/components/ui/initials";
import { SUBLINE } from "@/components/ui/text-styles";
import { ROLE_WORD } from "@/lib/contract/members";
import type { MoveView } from "@/lib/views/transfers/read-move-page";

/** For members who may not move money: why, and who may. */
export function MayNotMove({ viewer }: { viewer: MoveView["viewer"] }) {
  return (
    <section className="max-w-120 mt-6" aria-labelledby="may-not-move">
      <h2 className="text-base font-semibold" id="may-not-move">
        You can’t move money
      </h2>
      <p className="text-ink-2">
        Your role is {ROLE_WORD[viewer.role].toLowerCase()}. Only owners and co-owners can move money. Ask one
        of them:
      </p>
      <ul className="grid gap-3 mx-0 mt-4 mb-5 [&_li]:flex [&_li]:items-center [&_li]:gap-3">
        {viewer.deciders.map(({ id, name, role }) => (
          <li key={id}>
            <Initials name={name} isLarge />
            <span>
              <b>{name}</b>
              <span className={SUBLINE}>{ROLE_WORD[role]}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
