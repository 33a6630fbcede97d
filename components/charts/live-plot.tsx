"use client";

import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { type ChartSpec, PLOT_RIGHT } from "@/components/charts/chart-spec";

interface PlotProps {
  spec: ChartSpec;
  label: string;
  width: number;
  height: number;
  /** From the left, where a finger asked before there was a chart. */
  touchedAt: number | null;
}

interface LivePlotProps {
  spec: ChartSpec;
  label: string;
  /** The first picture; without a script it stays. */
  children: ReactNode;
}

/** Distance from the viewport at which loading starts. */
const NEAR = "200px";
/** Loads after this long even if the page is never idle. */
const LATEST_MS = 2_000;

/**
 * The chart in its box. Loads the library when a pointer enters or a key is pressed and, where there is a mouse, as soon
 * as the chart is near the viewport and the page is idle: a phone never pays for a tooltip that no finger asks for. If
 * loading fails, the picture and the table remain.
 */
export function LivePlot({ spec, label, children }: LivePlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [Plot, setPlot] = useState<ComponentType<PlotProps> | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [touchedAt, setTouchedAt] = useState<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    return whenAskedFor(element, (at) => {
      setTouchedAt(at);
      import("@/components/charts/plot").then(
        (module) => setPlot(() => module.Plot),
        () => setPlot(null),
      );
    });
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    // Clipped: until the chart hears of a narrower window, it is as wide as before.
    <div ref={box} data-plot="" className="group/plot relative h-full overflow-x-clip">
      <div aria-hidden="true" className="group-has-[.recharts-surface]/plot:invisible">
        {children}
      </div>
      {/* A hidden box has no width, and bars would get a negative one. */}
      {Plot && size && size.width > PLOT_RIGHT ? (
        <div className="absolute inset-0 touch-pan-y [&_svg]:-outline-offset-2">
          <Plot spec={spec} label={label} touchedAt={touchedAt} {...size} />
        </div>
      ) : null}
    </div>
  );
}

/**
 * Calls once, then stops watching.
 * @param call gets where a finger touched, from the element's left
 * @returns stops watching
 */
function whenAskedFor(element: HTMLElement, call: (touchedAt: number | null) => void): () => void {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const each of stops.splice(0)) each();
  };
  const once = (touchedAt: number | null) => {
    stop();
    call(touchedAt);
  };
  const onPointer = ({ pointerType, clientX }: PointerEvent) =>
    once(pointerType === "touch" ? clientX - element.getBoundingClientRect().left : null);
  const onKey = () => once(null);
  element.addEventListener("pointerenter", onPointer);
  document.addEventListener("keydown", onKey);
  stops.push(
    () => element.removeEventListener("pointerenter", onPointer),
    () => document.removeEventListener("keydown", onKey),
  );
  if (!matchMedia("(hover: hover)").matches) return stop;
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      stops.push(whenIdle(() => once(null)));
    },
    { rootMargin: NEAR },
  );
  observer.observe(element);
  stops.push(() => observer.disconnect());
  return stop;
}

/** @returns cancels it */
function whenIdle(call: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(call, LATEST_MS / 4);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(call, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
