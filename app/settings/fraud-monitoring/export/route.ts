import { z } from "zod";
import { refuseDownload, sendDownload } from "@/app/auth/answer-member";
import { exportFraudMonitoring } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";

/** The process with the alerts of the year, or a review as it was signed. The view checks the role. */
export async function GET(request: Request) {
  const review = z.uuid().nullable().safeParse(new URL(request.url).searchParams.get("review"));
  if (!review.success) return refuseDownload(404, "There is no such review.");
  return await sendDownload(request, async (services, context, time) => {
    const file = await exportFraudMonitoring({ services, context, time }, review.data);
    return { name: file.fileName, contentType: "text/markdown; charset=utf-8", chunks: file.lines };
  });
}
