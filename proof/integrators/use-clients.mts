/**
 * What an integrator writes with both generated clients: types of openapi-typescript, functions of orval. Compiled by
 * TypeScript 5 against what was generated, then run against the API by `generated-clients.test.ts`.
 */

import type { components } from "./openapi-typescript.mjs";
import { createRule, createTransfer, getRule, listAccounts, listRuleExecutions } from "./orval.mjs";

type Schemas = components["schemas"];

export async function useClients(apiKey: string) {
  const options = { headers: { Authorization: `Bearer ${apiKey}` } };

  const accounts = await listAccounts({ type: ["POD"] }, options);
  if (accounts.status !== 200) throw new Error(`Accounts were answered with ${accounts.status}`);
  const [source, destination]: Schemas["AccountSummary"][] = accounts.data.data.items;
  if (!source || !destination) throw new Error("There are two pods");

  const body: Schemas["CreateTransferBody"] = {
    sourceAccountId: source.id,
    destinationAccountId: destination.id,
    amountInCents: 3_000_000_000,
  };
  const transfer = await createTransfer(body, options);
  if (transfer.status !== 202) throw new Error(`A transfer was answered with ${transfer.status}`);
  const moved: Schemas["Transfer"] = transfer.data.data;

  const refused = await createTransfer({ ...body, amountInCents: 0 }, options);
  const problem: Schemas["ErrorAnswer"] | null = refused.status === 400 ? refused.data : null;

  const rule: Schemas["CreateRuleBody"] = {
    name: "Save above a floor",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: source.id },
    steps: [
      {
        conditions: {
          all: [
            { fact: "BALANCE", accountId: source.id, operator: "GREATER_THAN", value: 5_000_000_000 },
            {
              fact: "AVAILABLE_BALANCE",
              accountId: source.id,
              operator: "GREATER_THAN",
              valueFact: { fact: "INCOMING_AMOUNT" },
            },
          ],
        },
        actions: [
          {
            type: "PERCENTAGE",
            group: 0,
            sourceAccountId: source.id,
            destinationAccountId: destination.id,
            percentage: 10,
            of: "INCOMING_AMOUNT",
          },
        ],
      },
      {
        actions: [
          {
            type: "FIXED",
            group: 0,
            sourceAccountId: source.id,
            destinationAccountId: destination.id,
            amountInCents: 100,
          },
        ],
      },
    ],
  };
  const written = await createRule(rule, options);
  if (written.status !== 201) throw new Error(`A rule was answered with ${JSON.stringify(written.data)}`);
  const read = await getRule(written.data.data.id, options);
  if (read.status !== 200) throw new Error(`The rule was answered with ${read.status}`);
  const steps: Schemas["RuleStep"][] = read.data.data.steps;
  const runs = await listRuleExecutions(written.data.data.id, { status: ["EXECUTED"] }, options);

  return {
    amountInCents: moved.amountInCents,
    status: moved.status,
    problem: problem?.error.code ?? null,
    conditions: steps.map(({ conditions }) => conditions !== null),
    runs: runs.status,
  };
}
