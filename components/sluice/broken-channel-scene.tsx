const BANKS = "M0 128.5H720M0 79.5H340M380 79.5H720M344.5 12V128M375.5 12V128M334 12.5h52M348 .5h24";

/** A dry channel with its gate up: the way leads nowhere. */
export function DryChannelScene() {
  return (
    <svg className="esv" viewBox="0 0 720 150" aria-hidden="true">
      <path className="b" d={`${BANKS}M360 0v24`} />
      <rect className="off" x="353" y="24" width="14" height="50" />
      <path className="dry" d="M16 104H336M384 104H704" />
    </svg>
  );
}

/** Water that stands before a closed gate: it is not known what is behind it. */
export function StoppedWaterScene() {
  return (
    <svg className="esv" viewBox="0 0 720 150" aria-hidden="true">
      <path className="w" d="M0 80H353V128H0z" />
      <path className="r" d="M30 92h110m16 0h52M70 104h64m14 0h90M24 116h150m12 0h36" />
      <path className="b" d={`${BANKS}M360 0v77`} />
      <rect className="g" x="353" y="76" width="14" height="52" />
      <path className="dry" d="M384 104H704" />
    </svg>
  );
}
