import { Samples } from "@/components/docs/samples";
import { VERIFICATION_SAMPLES } from "@/components/webhooks/verification-samples";

const SAMPLES = VERIFICATION_SAMPLES.map(({ language, code }) => ({ language, text: code }));

/** How a receiver tells events from forgeries, in each language. */
export function Verification() {
  return <Samples samples={SAMPLES} />;
}
