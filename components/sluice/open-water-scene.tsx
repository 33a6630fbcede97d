/** An open gate and calm water: nothing waits. */
export function OpenWaterScene() {
  return (
    <div className="calm">
      <svg className="esv" viewBox="0 0 640 150" width="640" height="150" aria-hidden="true">
        <path className="w" d="M0 92H640V140H0z" />
        <path
          className="r"
          d="M40 104h96m16 0h52M400 104h120m14 0h58M90 116h64m14 0h90M372 116h70m18 0h130M30 128h150m12 0h36M430 128h90m16 0h40"
        />
        <path
          className="b"
          d="M0 140.5H640M0 91.5H302M338 91.5H640M306.5 22V140M333.5 22V140M297 22.5h46M320 8v26M308 8.5h24"
        />
        <rect className="g" x="312" y="34" width="16" height="50" />
      </svg>
    </div>
  );
}
