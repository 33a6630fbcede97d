import { Search, X } from "lucide-react";
import Form from "next/form";
import { ACTION_WORDS, isFiltered } from "@/components/audit/audit-words";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { auditActionSchema } from "@/lib/contract/audit-log";
import { ERROR_STATUS } from "@/lib/contract/error";
import type { AuditView } from "@/lib/contract/views/audit-view";

interface Choice {
  value: string;
  label: string;
}

const ACTIONS: Choice[] = auditActionSchema.options.map((value) => ({ value, label: ACTION_WORDS[value] }));
const OUTCOMES: Choice[] = [
  { value: "SUCCESS", label: "Succeeded" },
  { value: "FAILURE", label: "Failed" },
];
const ERRORS: Choice[] = Object.keys(ERROR_STATUS).map((value) => ({ value, label: value }));

/** The filters; they live in the address, so a view can be sent to somebody. Works without JavaScript. */
export function AuditFilters({ view: { search, callers } }: { view: AuditView }) {
  return (
    <search aria-label="Filter the audit log">
      {/* A new search writes the fields anew: they are not controlled, and would keep what was typed. */}
      <Form action="/audit" className="filters aud-f" key={JSON.stringify(search)}>
        <div className="in aud-q">
          <Search className="ic" aria-hidden="true" />
          <label className="vh" htmlFor="aud-request">
            Request id
          </label>
          <input
            className="bare"
            id="aud-request"
            name="request"
            defaultValue={search.request}
            placeholder="Request id"
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Pick
          name="caller"
          label="Key"
          value={search.caller}
          choices={callers.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Pick name="action" label="Action" value={search.action} choices={ACTIONS} />
        <Pick name="outcome" label="Outcome" value={search.outcome} choices={OUTCOMES} />
        <Pick name="error" label="Error" value={search.error} choices={ERRORS} />
        <Day name="from" label="From" value={search.from} />
        <Day name="to" label="To" value={search.to} />
        <Button kind="outlined" size="small" type="submit">
          Show
        </Button>
        {isFiltered(search) ? (
          <Link className="fchip on" href="/audit">
            All requests
            <X className="ic" aria-hidden="true" />
          </Link>
        ) : null}
      </Form>
    </search>
  );
}

interface PickProps {
  name: string;
  label: string;
  value: string | undefined;
  choices: readonly Choice[];
}

function Pick({ name, label, value, choices }: PickProps) {
  return (
    <label className={value === undefined ? "fchip" : "fchip on"}>
      {label}
      <select name={name} defaultValue={value ?? ""}>
        <option value="">any</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <label className={value === undefined ? "fchip" : "fchip on"}>
      {label}
      <input type="date" name={name} defaultValue={value} />
    </label>
  );
}
