import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { type Declaration, declarationOf } from "@/lib/next/declared-actions";
import { projectPath } from "@/lib/platform/project-path";
import { ACTION_EXAMPLES, type ActionExample } from "@/lib/testing/actions/action-examples";
import { deriveExample } from "@/lib/testing/actions/derive-example";
import { withShown } from "@/lib/testing/actions/with-shown";

const root = dirname(projectPath("package.json"));

/** A server action with its example, who may use it, and the schema of its input. */
export interface ActionCase extends Omit<ActionExample, "may"> {
  may: Declaration["may"];
  input: z.ZodType;
  /** Calls it as a page that shows this. */
  send: (args: readonly unknown[], shown: string) => Promise<unknown>;
}

/**
 * Every server action: with its example, or with one that follows from its input.
 * @throws Error for an example whose action does not exist, or an action that `memberAction` or a sibling did not make
 */
export async function loadActionCases(): Promise<ActionCase[]> {
  const cases = await Promise.all(findModules().map(loadModule));
  const byAction = new Map(cases.flat().map((each) => [`${each.file} ${each.name}`, each]));
  // In the order of the examples, since some leave the organization closed; derived ones leave nothing behind.
  const arranged = ACTION_EXAMPLES.map(({ file, name }) => {
    const found = byAction.get(`${file} ${name}`);
    if (!found) throw new Error(`${file} exports no ${name}`);
    byAction.delete(`${file} ${name}`);
    return found;
  });
  return [...byAction.values(), ...arranged];
}

/** Modules of server actions, by the name that they all have. */
function findModules(): string[] {
  return readdirSync(join(root, "app"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(^|-)actions\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /^\s*["']use server["']/.test(readFileSync(path, "utf8")))
    .map((path) => relative(root, path))
    .sort();
}

async function loadModule(file: string): Promise<ActionCase[]> {
  const module: Record<string, unknown> = await import(/* @vite-ignore */ join(root, file));
  return Object.entries(module)
    .filter(([, action]) => typeof action === "function")
    .map(([name, action]) => caseOf(file, name, action));
}

function caseOf(file: string, name: string, action: unknown): ActionCase {
  const declared = typeof action === "function" ? declarationOf(action) : undefined;
  if (typeof action !== "function" || !declared)
    throw new Error(`${file} ${name} is not made by memberAction or a sibling`);
  const example = ACTION_EXAMPLES.find((each) => each.file === file && each.name === name);
  const { may, ...arranged } = example ?? deriveExample(file, name, declared.input);
  return {
    ...arranged,
    may: may ?? declared.may,
    input: declared.input,
    send: async (args, shown) => Reflect.apply(action, undefined, withShown(args, shown)),
  };
}

/** The fields of an input, also those that an example leaves out. */
export function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return [...new Set([...fieldsOf(schema.in), ...fieldsOf(schema.out)])];
  return schema instanceof z.ZodUnion ? [...new Set(schema.options.flatMap(fieldsOf))] : [];
}
