import { dirname, join } from "node:path";
import { z } from "zod";
import { type Declaration, declarationOf } from "@/lib/next/declared-actions";
import { projectPath } from "@/lib/platform/project-path";
import { ACTION_EXAMPLES, type ActionExample } from "@/lib/testing/actions/action-examples";
import { withShown } from "@/lib/testing/actions/with-shown";

/** A server action with its example, who may use it, and the schema of its input. */
export interface ActionCase extends Omit<ActionExample, "may"> {
  may: Declaration["may"];
  input: z.ZodType;
  /** Calls it as a page that shows this. */
  send: (args: readonly unknown[], shown: string) => Promise<unknown>;
}

/** @throws Error for an example whose action does not exist, or was not made by `memberAction` or a sibling */
export function loadActionCases(): Promise<ActionCase[]> {
  const root = dirname(projectPath("package.json"));
  return Promise.all(
    ACTION_EXAMPLES.map(async (example): Promise<ActionCase> => {
      const { file, name } = example;
      const module: Record<string, unknown> = await import(/* @vite-ignore */ join(root, file));
      const action = module[name];
      if (typeof action !== "function") throw new Error(`${file} exports no ${name}`);
      const declared = declarationOf(action);
      if (!declared) throw new Error(`${file} ${name} is not made by memberAction or a sibling`);
      return {
        ...example,
        may: example.may ?? declared.may,
        input: declared.input,
        send: async (args, shown) => Reflect.apply(action, undefined, withShown(args, shown)),
      };
    }),
  );
}

/** The fields of an input, also those that an example leaves out. */
export function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return [...new Set([...fieldsOf(schema.in), ...fieldsOf(schema.out)])];
  return schema instanceof z.ZodUnion ? [...new Set(schema.options.flatMap(fieldsOf))] : [];
}
