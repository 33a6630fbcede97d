import "server-only";
import { askingMember } from "@/app/auth/member";
import { timeOf } from "@/app/page-setting";
import { refuseAsking } from "@/app/send-download";
import { AppError, ERROR_STATUS } from "@/lib/contract/error";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { ExportedFile } from "@/lib/core/shared/csv";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

/**
 * A file of an organization's own data, sent while it is written. Whoever may not have it is told so in words.
 * @param open the core verb that refuses, or begins the file
 */
export async function csvResponse(
  request: Request,
  open: (services: Runtime["services"], context: Context<MemberActor>, time: TimeContext) => ExportedFile,
): Promise<Response> {
  const asking = await askingMember({ shown: new URL(request.url).searchParams.get(SHOWN_FIELD) });
  if (asking.kind === "REFUSED") return refuseAsking(asking);
  const { member } = asking;
  const { services } = getRuntime();
  const context = memberContext(services, member);
  try {
    const file = open(services, context, timeOf(member, context));
    return new Response(streamOf(file.lines), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${file.fileName}"`,
        // A copy of an organization's movements stays in no cache between here and its reader.
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new Response(error.message, { status: ERROR_STATUS[error.code] });
  }
}

/** Batch after batch, as fast as the reader takes them; a reader who leaves ends the reading. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
