import { cva } from "class-variance-authority";
import { ChevronsUpDown } from "lucide-react";
import { AccountDisclosure } from "@/components/shell/account-disclosure";
import { Initials } from "@/components/ui/initials";
import type { ShellView } from "@/lib/views/read-shell";

const buttonClass = cva(
  "flex items-center p-2 border-0 rounded-md bg-transparent text-left cursor-pointer hover:bg-hover max-sm:min-w-11 max-sm:min-h-11",
  {
    variants: {
      look: { rail: "gap-2.5 w-full max-sm:w-auto max-sm:p-1.5", topbar: "gap-3 text-sm/5 text-ink-2" },
    },
  },
);

/** Opens upwards at the foot of the rail, else downwards. */
const panelClass = cva(
  "grid absolute z-7 gap-3.5 w-64 p-4 border border-rule-strong rounded-lg bg-surface shadow-float",
  {
    variants: {
      look: {
        rail: "bottom-[calc(100%+8px)] left-0 max-sm:top-[calc(100%+8px)] max-sm:right-0 max-sm:bottom-auto max-sm:left-auto",
        topbar: "top-[calc(100%+8px)] right-0",
      },
    },
  },
);

interface AccountMenuProps {
  view: ShellView;
  look: "rail" | "topbar";
}

export function AccountMenu({ view, look }: AccountMenuProps) {
  const { user, organization } = view;
  return (
    <AccountDisclosure
      view={view}
      classNames={{
        frame: look === "topbar" ? "relative -ml-3" : "relative max-sm:ml-auto",
        button: buttonClass({ look }),
        panel: panelClass({ look }),
      }}
    >
      <span className="sr-only">Account: {look === "topbar" ? user.name : null}</span>
      {look === "topbar" ? <span className="max-sm:hidden">{organization.name}</span> : null}
      <Initials name={user.name} />
      {look === "rail" ? (
        <>
          <span className="grid text-sm/4.25 sm:max-lg:sr-only max-sm:hidden">
            <b>{user.name}</b>
            <span className="text-[12px] text-ink-3">{organization.name}</span>
          </span>
          <ChevronsUpDown className="size-4 ml-auto text-ink-3 max-lg:hidden" />
        </>
      ) : null}
    </AccountDisclosure>
  );
}
