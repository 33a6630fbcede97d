"use client";

import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import type { ConsentActions } from "@/lib/contract/views/consent-view";

interface OtherOrganizationsProps {
  organizations: readonly { id: string; name: string }[];
  switchOrganization: ConsentActions["switchOrganization"];
}

/** To whoever belongs to several: what else it might be connected to. */
export function OtherOrganizations({ organizations, switchOrganization }: OtherOrganizationsProps) {
  const [isSwitching, startSwitching] = useTransition();
  return (
    <section aria-labelledby="instead">
      <h2 className="h3" id="instead">
        Connect it to another instead
      </h2>
      <ul className="cst-o">
        {organizations.map(({ id, name }) => (
          <li key={id}>
            <Button
              kind="outlined"
              wide
              busy={isSwitching}
              onClick={() => startSwitching(() => switchOrganization(id))}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
