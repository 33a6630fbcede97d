import { fitText } from "@/components/rules/fit-text";
import { branchesOf, type DrawnRule, drawnSource, networkText } from "@/components/rules/network-branches";
import { layOutNetwork, type NetworkMeasures, type Span } from "@/components/rules/network-geometry";
import { NetworkBranch, NetworkGate } from "@/components/rules/network-parts";
import { formatCents } from "@/lib/contract/format-cents";
import { accountName } from "@/lib/engine/words/account-name";

interface SmallNetworkProps extends DrawnRule {
  /** Width in units: 334 in a panel, 384 in a side column. */
  width?: 334 | 384;
}

const SMALL: NetworkMeasures = {
  trunkX: 5,
  forkX: 118,
  branchX: 176,
  trunkY: 64,
  trunkHeight: 64,
  pitch: 58,
  firstY: 24,
  branchesAtRest: 5,
  ownChannel: 26,
};
const TEXT_X = 192;
/** Of 13 px text, on average. */
const LETTER_WIDTH = 6.6;
const AMOUNT_WIDTH = 68;

/** A rule in a side column: trigger's account, gate, a channel to each destination to scale. Its words are its text twin. */
export function SmallNetwork({ width = 384, ...drawn }: SmallNetworkProps) {
  const { plan, names } = drawn;
  const source = drawnSource(drawn);
  const isIdle = plan !== null && plan.stepIndexMatched === null;
  const network = layOutNetwork(branchesOf(drawn), source.amountInCents, SMALL);
  const { trunk, leftover } = network;
  const words = {
    branchX: SMALL.branchX,
    textX: TEXT_X,
    width,
    nameLetters: Math.floor((width - TEXT_X - AMOUNT_WIDTH) / LETTER_WIDTH),
    lineLetters: Math.floor((width - TEXT_X) / LETTER_WIDTH),
  };
  const waterEnd = isIdle ? 70 : SMALL.forkX;
  const amountY = trunk.bottom + 41;
  const height = Math.ceil(Math.max(network.bottom, amountY + 6));
  return (
    <svg className="net" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={networkText(drawn)}>
      {plan === null ? null : (
        <rect
          className="dw"
          x={SMALL.trunkX}
          y={trunk.top}
          width={waterEnd - SMALL.trunkX}
          height={trunk.bottom - trunk.top}
        />
      )}
      <path className={plan === null ? "db dry" : "db"} d={banks(SMALL.trunkX, waterEnd, trunk)} />
      {isIdle ? <path className="db dry" d={banks(waterEnd, SMALL.forkX, trunk)} /> : null}
      {leftover && plan !== null && !isIdle ? (
        <path className="db" d={`M${SMALL.forkX} ${leftover.top}V${leftover.bottom}`} />
      ) : null}
      <rect className="nd2" x="0" y={trunk.top - 3} width="5" height={trunk.bottom - trunk.top + 6} />
      {network.branches.map((branch) => (
        <NetworkBranch key={branch.branch.id} drawn={branch} measures={words} water="THROUGH" />
      ))}
      <NetworkGate x={70} {...trunk} state={isIdle ? "DOWN" : "OPEN"} />
      <text className="strong" x="0" y={trunk.bottom + 24}>
        {fitText(accountName(names, source.accountId), 24)}
      </text>
      {source.amountInCents === null ? null : (
        <text x="0" y={amountY}>
          {formatCents(source.amountInCents)}
        </text>
      )}
    </svg>
  );
}

function banks(fromX: number, toX: number, { top, bottom }: Span): string {
  return `M${fromX} ${top}H${toX}M${fromX} ${bottom}H${toX}`;
}
