import { z } from "zod";

/** A job that people give assistants often, told so that it goes well (Model Context Protocol, "Prompts"). */
export interface PromptTemplate {
  name: string;
  title: string;
  description: string;
  /** As the client shows them for filling in. */
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** @throws z.ZodError for arguments that are missing, too long or unknown. */
  render: (sent: Record<string, string>) => string;
}

interface PromptRow<Input extends z.ZodObject> extends Omit<PromptTemplate, "arguments" | "render"> {
  /** Each field is text; its description is what the client shows. */
  input: Input;
  render: (input: z.output<Input>) => string;
}

/** Checks a row's types where it is written, as `operation` does for operations. */
export function promptTemplate<Input extends z.ZodObject>(row: PromptRow<Input>): PromptTemplate {
  const { input, render, ...told } = row;
  return {
    ...told,
    arguments: Object.entries(input.shape).map(([name, field]) => ({
      name,
      description: field.description ?? "",
      required: !field.safeParse(undefined).success,
    })),
    // Clients send what was left empty as empty text.
    render: (sent) => {
      const filled = Object.entries(sent).filter(([, value]) => value.trim() !== "");
      return render(input.parse(Object.fromEntries(filled)));
    },
  };
}

const MAXIMUM_ARGUMENT_LENGTH = 200;

/** An argument in somebody's own words; it is quoted where it is used. */
export const promptText = z
  .string("is required")
  .trim()
  .min(1, "is required")
  .max(MAXIMUM_ARGUMENT_LENGTH, `must be at most ${MAXIMUM_ARGUMENT_LENGTH} characters`);
