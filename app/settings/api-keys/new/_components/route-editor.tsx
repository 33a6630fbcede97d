import { Plus, X } from "lucide-react";
import type { DraftProblem, RouteDraft } from "@/app/settings/api-keys/_components/key-draft";
import { RowSluice } from "@/components/sluice/row-sluice";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field-error";
import { inputClass } from "@/components/ui/input-class";
import type { KeyAccountView } from "@/lib/contract/keys/key-facts";
import { namesToChoose } from "@/lib/words/names-to-choose";

const MAXIMUM_ROUTES = 1_000;

interface RouteEditorProps {
  routes: readonly RouteDraft[];
  accounts: readonly KeyAccountView[];
  asks: boolean;
  problems: readonly DraftProblem[];
  onChange: (routes: RouteDraft[]) => void;
}

export function RouteEditor({ routes, accounts, asks, problems, onChange }: RouteEditorProps) {
  const edit = (key: number, change: Partial<RouteDraft>) =>
    onChange(routes.map((route) => (route.key === key ? { ...route, ...change } : route)));
  const nextKey = Math.max(...routes.map((route) => route.key), 0) + 1;
  return (
    <>
      <ul>
        {routes.map((route, index) => (
          <li key={route.key}>
            <RouteRow
              number={index + 1}
              route={route}
              accounts={accounts}
              asks={asks}
              isOnly={routes.length === 1}
              onEdit={(change) => edit(route.key, change)}
              onRemove={() => onChange(routes.filter((other) => other.key !== route.key))}
            />
            <RouteProblem problem={problems.find((problem) => problem.at === route.key)} />
          </li>
        ))}
      </ul>
      {routes.length < MAXIMUM_ROUTES ? (
        <p className="mt-1 mr-0 mb-0 -ml-2.5">
          <Button
            kind="quiet"
            size="small"
            onClick={() => onChange([...routes, { key: nextKey, source: "", target: "", limit: "" }])}
          >
            <Plus />
            Add a route
          </Button>
        </p>
      ) : null}
    </>
  );
}

function RouteProblem({ problem }: { problem: DraftProblem | undefined }) {
  if (!problem) return null;
  return (
    <div className="mx-0 -mt-0.5 mb-2.5">
      <FieldError>{problem.message}</FieldError>
    </div>
  );
}

interface RouteRowProps {
  number: number;
  route: RouteDraft;
  accounts: readonly KeyAccountView[];
  asks: boolean;
  isOnly: boolean;
  onEdit: (change: Partial<RouteDraft>) => void;
  onRemove: () => void;
}

function RouteRow({ number, route, accounts, asks, isOnly, onEdit, onRemove }: RouteRowProps) {
  const sourceIsOutside = accounts.some((account) => account.id === route.source && account.isOutside);
  const destinations = accounts.filter(
    (account) => account.id !== route.source && !(sourceIsOutside && account.isOutside),
  );
  return (
    <div className="[&_.button]:p-0 [&_.button_svg]:m-0 max-sm:[&_.button]:justify-self-end max-sm:[&_.button]:min-w-11 [&_.input]:text-[14px] grid grid-cols-[1fr_40px_1fr_148px_40px] items-center gap-2.5 mb-2 [&>svg]:w-10 [&_input]:w-full [&_input]:min-w-0 [&_input]:p-0 [&_input]:border-0 [&_input]:bg-transparent [&_input]:font-medium [&_input]:text-right [&_input]:outline-none max-sm:grid-cols-[minmax(0,1fr)_40px_minmax(0,1fr)] max-sm:[&_label]:col-[1_/_3] max-[381px]:grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)] max-[381px]:gap-2 max-[381px]:[&>svg]:w-7">
      <AccountSelect
        label={`Route ${number}, from`}
        prompt="From"
        value={route.source}
        accounts={accounts.filter((account) => account.canBeSource)}
        onPick={(source) => onEdit({ source })}
      />
      <RowSluice state={asks ? "closed" : "open"} />
      <AccountSelect
        label={`Route ${number}, to`}
        prompt="To"
        value={route.target}
        accounts={destinations}
        onPick={(target) => onEdit({ target })}
      />
      <label className={inputClass({ of: "box" })}>
        <span className="whitespace-nowrap text-ink-3 whitespace-nowrap">up to $</span>
        <input
          aria-label={`Route ${number}, up to, in dollars; empty for no limit`}
          inputMode="decimal"
          placeholder="no limit"
          maxLength={20}
          value={route.limit}
          onChange={(event) => onEdit({ limit: event.target.value })}
        />
      </label>
      <Button kind="quiet" aria-label={`Remove route ${number}`} disabled={isOnly} onClick={onRemove}>
        <X />
      </Button>
    </div>
  );
}

interface AccountSelectProps {
  label: string;
  prompt: string;
  value: string;
  accounts: readonly KeyAccountView[];
  onPick: (id: string) => void;
}

function AccountSelect({ label, prompt, value, accounts, onPick }: AccountSelectProps) {
  const nameOf = namesToChoose(accounts);
  const isOffered = value === "" || value === "ANY" || accounts.some((account) => account.id === value);
  return (
    <select
      className={inputClass({ of: "select" })}
      aria-label={label}
      value={isOffered ? value : ""}
      onChange={(event) => onPick(event.target.value)}
    >
      <option value="" disabled>
        {prompt}
      </option>
      {accounts.map((account) => (
        <option key={account.id} value={account.id}>
          {nameOf(account.id)}
          {account.isOutside ? " (outside)" : ""}
        </option>
      ))}
      <option value="ANY">Any account</option>
    </select>
  );
}
