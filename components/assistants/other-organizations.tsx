import { SwitchForm } from "@/components/shell/switch-form";
import { Button } from "@/components/ui/button";

interface OtherOrganizationsProps {
  organizations: readonly { id: string; name: string }[];
  /** Path of this page, which is opened again there. */
  next: string;
}

/** To whoever belongs to several: what else it might be connected to. */
export function OtherOrganizations({ organizations, next }: OtherOrganizationsProps) {
  return (
    <section aria-labelledby="instead">
      <h2 className="h3" id="instead">
        Connect it to another instead
      </h2>
      <SwitchForm next={next}>
        <ul className="cst-o">
          {organizations.map(({ id, name }) => (
            <li key={id}>
              <Button kind="outlined" wide type="submit" name="organization" value={id}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </SwitchForm>
    </section>
  );
}
